import { VRM_PRESETS, type VrmPreset } from '../../../core/face/shapes.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { arrayAt, isObject, type JsonObject, memberAt } from '../document/json-access.ts';
import { isIndex, numberOf, numbersOf, objectOf, objectsOf, textOf } from '../document/loose-json.ts';
import { BLEND_SHAPE_GROUPS, VRM0_PRESETS } from '../extensions/vrm0-face.ts';
import { tidy } from './vrm-values.ts';

/** Color types of VRM 1.0 by the shader property of VRM 0.x. Both versions store the same numbers. */
export const COLOR_TYPES: Readonly<Record<string, string>> = {
  _Color: 'color',
  _EmissionColor: 'emissionColor',
  _ShadeColor: 'shadeColor',
  _RimColor: 'rimColor',
  _OutlineColor: 'outlineColor',
};

/** Converts a vertical offset of texture coordinates between Unity, whose origin is below, and glTF, whose origin is above. */
export function flipOffset(offset: number, scale: number): number {
  return tidy(1 - offset - scale);
}

/** A texture transform, if a property of VRM 0.x is one of the main texture. */
function textureTransform(property: string, target: readonly number[]): JsonObject | null {
  const part = /^_MainTex_ST(_S|_T)?$/.exec(property);
  if (part === null) return null;
  const [sx, sy, ox, oy] = [
    part[1] === '_T' ? 1 : target[0],
    part[1] === '_S' ? 1 : target[1],
    part[1] === '_T' ? 0 : target[2],
    part[1] === '_S' ? 0 : target[3],
  ];
  return { scale: [sx, sy], offset: [ox, flipOffset(oy, sy)] };
}

interface MaterialBinds {
  readonly colors: JsonObject[];
  readonly transforms: JsonObject[];
  /** Properties that VRM 1.0 cannot bind. */
  readonly lost: Set<string>;
}

function materialBinds(group: JsonObject, materials: readonly unknown[]): MaterialBinds {
  const binds: MaterialBinds = { colors: [], transforms: [], lost: new Set() };
  const transformed = new Set<number>();
  for (const value of objectsOf(group, 'materialValues')) {
    const property = textOf(value, 'propertyName');
    const name = textOf(value, 'materialName');
    const found = materials.flatMap((one, m) => (isObject(one) && memberAt(one, 'name') === name ? [m] : []));
    const target = numbersOf(value, 'targetValue', /_ST/.test(property) ? [1, 1, 0, 0] : [1, 1, 1, 1]);
    const transform = textureTransform(property, target);
    const type = Object.hasOwn(COLOR_TYPES, property) ? COLOR_TYPES[property] : undefined;
    // All textures of a material have one transform, so those of other textures repeat that of the main texture.
    if (transform === null && type === undefined && !/_ST(?:_S|_T)?$/.test(property)) binds.lost.add(property);
    for (const material of found) {
      if (type !== undefined) binds.colors.push({ material, type, targetValue: target });
      else if (transform !== null && !transformed.has(material)) {
        transformed.add(material);
        binds.transforms.push({ material, ...transform });
      }
    }
  }
  return binds;
}

/**
 * Converts all blend shape groups. `issues` receives VRM_CONVERT_FACE for binds that VRM 1.0 cannot hold and for groups without a name of their
 * own.
 */
export function expressionsToVrm1(
  extension: JsonObject,
  json: JsonObject,
  nodesOfMesh: ReadonlyMap<number, readonly number[]>,
  issues: Issue[],
): JsonObject {
  const materials = arrayAt(json, 'materials', '');
  const preset = new Map<string, JsonObject>();
  const custom = new Map<string, JsonObject>();
  objectsOf(objectOf(extension, 'blendShapeMaster'), 'blendShapeGroups').forEach((group, g) => {
    const report = (message: string): void => {
      issues.push(issue('VRM_CONVERT_FACE', message, { pointer: `${BLEND_SHAPE_GROUPS}/${g}` }));
    };
    const own = textOf(group, 'name');
    const name = VRM0_PRESETS.get(textOf(group, 'presetName').toLowerCase()) ?? own;
    const list = VRM_PRESETS.includes(name as VrmPreset) ? preset : custom;
    if (name === '' || list.has(name)) {
      const what =
        name === ''
          ? 'A blend shape group has no name'
          : `A second blend shape group is named ${JSON.stringify(name.slice(0, 40))}`;
      report(`${what}; it was left out.`);
      return;
    }
    let missing = 0;
    const morphs = objectsOf(group, 'binds').flatMap((bind) => {
      const index = memberAt(bind, 'index');
      const nodes = nodesOfMesh.get(numberOf(bind, 'mesh', -1)) ?? [];
      if (nodes.length === 0 || !isIndex(index)) missing++;
      const weight = Math.min(Math.max(tidy(numberOf(bind, 'weight', 100) / 100), 0), 1);
      return isIndex(index) ? nodes.map((node) => ({ node, index, weight })) : [];
    });
    if (missing > 0)
      report(
        `${missing} binds of the expression ${JSON.stringify(name.slice(0, 40))} refer to meshes that no node shows; they were left out.`,
      );
    const { colors, transforms, lost } = materialBinds(group, materials);
    if (lost.size > 0) {
      const names = [...lost].slice(0, 5).join(', ');
      report(
        `The expression ${JSON.stringify(name.slice(0, 40))} changes material properties that VRM 1.0 cannot bind: ${names}; they were left out.`,
      );
    }
    list.set(name, {
      isBinary: memberAt(group, 'isBinary') === true,
      ...(morphs.length > 0 ? { morphTargetBinds: morphs } : {}),
      ...(colors.length > 0 ? { materialColorBinds: colors } : {}),
      ...(transforms.length > 0 ? { textureTransformBinds: transforms } : {}),
    });
  });
  return {
    ...(preset.size > 0 ? { preset: Object.fromEntries(preset) } : {}),
    ...(custom.size > 0 ? { custom: Object.fromEntries(custom) } : {}),
  };
}
