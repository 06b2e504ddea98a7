/** Expressions and look-at of VRM 1.0: VRMC_vrm-1.0, expressions.md and lookAt.md. */
import type { FaceExpression, LookAtRig, Override } from '../../../core/face/face-rig.ts';
import { isObject, type JsonObject, memberAt, pointerTo } from '../document/json-access.ts';
import { isIndex, listOf, memberOf, numberOf, objectOf } from '../document/loose-json.ts';
import { bindTargets, type FaceReading, rangeMap } from './vrm-face.ts';

const POINTER = '/extensions/VRMC_vrm';

function overrideAt(expression: JsonObject, key: string): Override {
  const value = memberAt(expression, key);
  return value === 'block' || value === 'blend' ? value : 'none';
}

function readExpression(name: string, item: JsonObject, reading: FaceReading, pointer: string): FaceExpression {
  const binds = listOf(item, 'morphTargetBinds').flatMap((bind, i) => {
    const where = `${pointer}/morphTargetBinds/${i}`;
    const node = memberOf(bind, 'node');
    const nodes = isIndex(node) ? [node] : [];
    return bindTargets(reading, nodes, memberOf(bind, 'index'), numberOf(bind, 'weight', 1), where);
  });
  return {
    name,
    binds,
    isBinary: memberAt(item, 'isBinary') === true,
    overrideBlink: overrideAt(item, 'overrideBlink'),
    overrideLookAt: overrideAt(item, 'overrideLookAt'),
    overrideMouth: overrideAt(item, 'overrideMouth'),
    changesMaterials: ['materialColorBinds', 'textureTransformBinds'].some((key) => listOf(item, key).length > 0),
  };
}

/** Reads all expressions, presets first. A custom expression with the name of an existing preset is left out. */
export function readVrm1Expressions(extension: JsonObject, reading: FaceReading): FaceExpression[] {
  const found = new Map<string, FaceExpression>();
  for (const kind of ['preset', 'custom']) {
    for (const [name, item] of Object.entries(objectOf(extension, 'expressions', kind))) {
      if (!isObject(item) || found.has(name) || name === 'extensions' || name === 'extras') continue;
      found.set(name, readExpression(name, item, reading, pointerTo(`${POINTER}/expressions/${kind}`, name)));
    }
  }
  return [...found.values()];
}

/**
 * Reads how the eyes follow the look-at target. Missing values default to those of the example in the specification. Returns the look-at settings;
 * null where the extension has none.
 */
export function readVrm1LookAt(extension: JsonObject): LookAtRig | null {
  const lookAt = memberAt(extension, 'lookAt');
  if (!isObject(lookAt)) return null;
  const type = memberAt(lookAt, 'type') === 'expression' ? 'expression' : 'bone';
  const range = (key: string) => {
    const map = memberAt(lookAt, key);
    return rangeMap(numberOf(map, 'inputMaxValue', 90), numberOf(map, 'outputScale', type === 'bone' ? 10 : 1));
  };
  const offset = memberAt(lookAt, 'offsetFromHeadBone');
  const isVector = Array.isArray(offset) && offset.length === 3 && offset.every((value) => Number.isFinite(value));
  return {
    type,
    horizontalInner: range('rangeMapHorizontalInner'),
    horizontalOuter: range('rangeMapHorizontalOuter'),
    verticalDown: range('rangeMapVerticalDown'),
    verticalUp: range('rangeMapVerticalUp'),
    offsetFromHeadBone: isVector ? [offset[0], offset[1], offset[2]] : null,
  };
}
