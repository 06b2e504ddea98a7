/** Blend shape groups and look-at of VRM 0.x, `VRM.blendShapeMaster` and `VRM.firstPerson`, converted to the terms of VRM 1.0. */
import type { FaceExpression, LookAtRig, RangeMap } from '../../../core/face/face-rig.ts';
import type { VrmPreset } from '../../../core/face/shapes.ts';
import { isObject, type JsonObject, memberAt } from '../document/json-access.ts';
import { listOf, memberOf, numberOf, textOf } from '../document/loose-json.ts';
import { bindTargets, type FaceReading, rangeMap } from './vrm-face.ts';

export const BLEND_SHAPE_GROUPS = '/extensions/VRM/blendShapeMaster/blendShapeGroups';

/** VRM 1.0 names of the VRM 0.x presets: expressions.md, "Changed from". */
export const VRM0_PRESETS: ReadonlyMap<unknown, VrmPreset> = new Map<string, VrmPreset>([
  ['neutral', 'neutral'],
  ['a', 'aa'],
  ['i', 'ih'],
  ['u', 'ou'],
  ['e', 'ee'],
  ['o', 'oh'],
  ['blink', 'blink'],
  ['blink_l', 'blinkLeft'],
  ['blink_r', 'blinkRight'],
  ['joy', 'happy'],
  ['angry', 'angry'],
  ['sorrow', 'sad'],
  ['fun', 'relaxed'],
  ['lookup', 'lookUp'],
  ['lookdown', 'lookDown'],
  ['lookleft', 'lookLeft'],
  ['lookright', 'lookRight'],
]);

/**
 * Reads the blend shape groups of VRM 0.x as expressions. Groups without a name are skipped; of several with the same
 * name the first one is kept. A bind refers to a mesh and so to every node with that mesh.
 */
export function readVrm0Expressions(
  extension: JsonObject,
  nodesOfMesh: ReadonlyMap<number, readonly number[]>,
  reading: FaceReading,
): FaceExpression[] {
  const found = new Map<string, FaceExpression>();
  for (const [g, group] of listOf(extension, 'blendShapeMaster', 'blendShapeGroups').entries()) {
    if (!isObject(group)) continue;
    const name = VRM0_PRESETS.get(memberAt(group, 'presetName')) ?? textOf(group, 'name');
    if (name === '' || found.has(name)) continue;
    const binds = listOf(group, 'binds').flatMap((bind, i) => {
      const nodes = nodesOfMesh.get(numberOf(bind, 'mesh', -1)) ?? [];
      const weight = numberOf(bind, 'weight', 100) / 100;
      return bindTargets(reading, nodes, memberOf(bind, 'index'), weight, `${BLEND_SHAPE_GROUPS}/${g}/binds/${i}`);
    });
    found.set(name, {
      name,
      binds,
      isBinary: memberAt(group, 'isBinary') === true,
      overrideBlink: 'none',
      overrideLookAt: 'none',
      overrideMouth: 'none',
      changesMaterials: listOf(group, 'materialValues').length > 0,
    });
  }
  return [...found.values()];
}

/** The curve that Unity writes for a straight line. */
export const STRAIGHT_CURVE = [0, 0, 0, 1, 1, 1, 1, 0];

/** Keys of a curve (time, value, in-tangent, out-tangent each); null for a straight line and for an invalid curve. */
function readCurve(map: unknown): Float64Array | null {
  const curve = memberOf(map, 'curve');
  if (!Array.isArray(curve) || curve.length < 8 || curve.length % 4 !== 0) return null;
  if (!curve.every((value) => Number.isFinite(value))) return null;
  for (let k = 4; k < curve.length; k += 4) if (!(curve[k] > curve[k - 4])) return null;
  const isStraight = curve.length === STRAIGHT_CURVE.length && curve.every((value, i) => value === STRAIGHT_CURVE[i]);
  return isStraight ? null : Float64Array.from(curve);
}

/** Reads how the eyes follow the look-at target. Returns the look-at settings; null where the extension has none. */
export function readVrm0LookAt(extension: JsonObject): LookAtRig | null {
  const firstPerson = memberAt(extension, 'firstPerson');
  if (!isObject(firstPerson)) return null;
  const type = memberAt(firstPerson, 'lookAtTypeName') === 'BlendShape' ? 'expression' : 'bone';
  const range = (key: string): RangeMap => {
    const map = memberAt(firstPerson, key);
    const output = numberOf(map, 'yRange', type === 'bone' ? 10 : 1);
    return rangeMap(numberOf(map, 'xRange', 90), output, readCurve(map));
  };
  const offset = memberAt(firstPerson, 'firstPersonBoneOffset');
  return {
    type,
    horizontalInner: range('lookAtHorizontalInner'),
    horizontalOuter: range('lookAtHorizontalOuter'),
    verticalDown: range('lookAtVerticalDown'),
    verticalUp: range('lookAtVerticalUp'),
    // Unity axes: z is negated.
    offsetFromHeadBone: isObject(offset)
      ? [numberOf(offset, 'x', 0), numberOf(offset, 'y', 0), -numberOf(offset, 'z', 0)]
      : null,
  };
}
