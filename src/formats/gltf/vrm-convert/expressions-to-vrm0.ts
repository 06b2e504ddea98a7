import { type Issue, issue } from '../../../core/report/issue.ts';
import { arrayAt, isObject, type JsonObject, memberAt } from '../document/json-access.ts';
import { isIndex, memberOf, numberOf, numbersOf, objectOf, objectsOf, textOf } from '../document/loose-json.ts';
import { VRM0_PRESETS } from '../extensions/vrm0-face.ts';
import { COLOR_TYPES, flipOffset } from './expressions-to-vrm1.ts';
import { clamp, tidy } from './vrm-values.ts';

const POINTER = '/extensions/VRMC_vrm/expressions';
const OVERRIDES = ['overrideBlink', 'overrideLookAt', 'overrideMouth'] as const;

const PRESETS: ReadonlyMap<string, string> = new Map(Array.from(VRM0_PRESETS, ([old, name]) => [name, old as string]));

/** Name of a preset's group, as UniVRM writes it: `Joy`, `Blink_L`, `LookUp`. */
function groupName(name: string, preset: string): string {
  const base = name.startsWith('look') ? name : preset;
  return base.replace(/^.|_.$/g, (part) => part.toUpperCase());
}

/** glTF mesh per node; −1 without one. */
function meshesOf(json: JsonObject): number[] {
  return arrayAt(json, 'nodes', '').map((node) => {
    const mesh = memberOf(node, 'mesh');
    return isIndex(mesh) ? mesh : -1;
  });
}

/** Names of the materials. Groups bind materials by name, so materials without one get it. */
function materialName(json: JsonObject, index: number): string | null {
  const material = arrayAt(json, 'materials', '')[index];
  if (!isObject(material)) return null;
  const name = textOf(material, 'name');
  if (name === '') material['name'] = `material_${index}`;
  return textOf(material, 'name');
}

/** Converts the morph targets of an expression. Of several nodes with one mesh, the first one counts. */
function morphBinds(expression: JsonObject, meshes: readonly number[], lost: Set<string>): JsonObject[] {
  const binds = new Map<string, JsonObject>();
  for (const bind of objectsOf(expression, 'morphTargetBinds')) {
    const mesh = meshes[numberOf(bind, 'node', -1)] ?? -1;
    const index = memberAt(bind, 'index');
    if (mesh < 0 || !isIndex(index)) {
      lost.add('nodes without a mesh');
      continue;
    }
    const key = `${mesh} ${index}`;
    const weight = clamp(tidy(100 * numberOf(bind, 'weight', 1)), 0, 100);
    const known = binds.get(key);
    if (known === undefined) binds.set(key, { mesh, index, weight });
    else if (known['weight'] !== weight) lost.add('different weights of nodes with one mesh');
  }
  return [...binds.values()];
}

/** Converts the colors and texture transforms of an expression. */
function materialValues(expression: JsonObject, json: JsonObject, lost: Set<string>): JsonObject[] {
  const values: JsonObject[] = [];
  for (const bind of objectsOf(expression, 'materialColorBinds')) {
    const type = textOf(bind, 'type');
    const property = Object.entries(COLOR_TYPES).find(([, name]) => name === type)?.[0];
    const name = materialName(json, numberOf(bind, 'material', -1));
    if (property === undefined || name === null) lost.add(property === undefined ? type || 'a color' : 'materials');
    else
      values.push({
        materialName: name,
        propertyName: property,
        targetValue: numbersOf(bind, 'targetValue', [1, 1, 1, 1]),
      });
  }
  for (const bind of objectsOf(expression, 'textureTransformBinds')) {
    const name = materialName(json, numberOf(bind, 'material', -1));
    const [sx, sy] = numbersOf(bind, 'scale', [1, 1]);
    const [ox, oy] = numbersOf(bind, 'offset', [0, 0]);
    if (name === null) lost.add('materials');
    else
      values.push({
        materialName: name,
        propertyName: '_MainTex_ST',
        targetValue: [sx, sy, ox, flipOffset(oy, sy)],
      });
  }
  return values;
}

/**
 * Converts all expressions. A preset that VRM 0.x lacks (`surprised`) becomes a group of its name. `issues` receives VRM_CONVERT_FACE for what VRM
 * 0.x cannot hold.
 */
export function expressionsToVrm0(vrm: JsonObject, json: JsonObject, issues: Issue[]): JsonObject {
  const meshes = meshesOf(json);
  const blendShapeGroups: JsonObject[] = [];
  for (const kind of ['preset', 'custom'] as const) {
    for (const [name, value] of Object.entries(objectOf(objectOf(vrm, 'expressions'), kind))) {
      if (!isObject(value)) continue;
      const preset = kind === 'preset' ? PRESETS.get(name) : undefined;
      const lost = new Set<string>(OVERRIDES.filter((key) => !['', 'none'].includes(textOf(value, key))));
      blendShapeGroups.push({
        name: preset === undefined ? name : groupName(name, preset),
        presetName: preset ?? 'unknown',
        isBinary: memberAt(value, 'isBinary') === true,
        binds: morphBinds(value, meshes, lost),
        materialValues: materialValues(value, json, lost),
      });
      if (lost.size === 0) continue;
      const message = `The expression ${JSON.stringify(name.slice(0, 40))} has what blend shape groups of VRM 0.x cannot hold: ${[...lost].join(', ')}; it was left out.`;
      issues.push(issue('VRM_CONVERT_FACE', message, { pointer: `${POINTER}/${kind}` }));
    }
  }
  return { blendShapeGroups };
}
