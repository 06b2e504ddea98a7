/** Look-at: converts a direction to angles, then to eye rotations or expression weights. VRMC_vrm-1.0, lookAt.md. */
import type { Keys, Track } from '../animation/clip.ts';
import { resampleFunction } from '../animation/resample.ts';
import { ROTATION_TOLERANCE, WEIGHT_TOLERANCE } from '../animation/resample-tolerance.ts';
import { sampleKeys } from '../animation/sample.ts';
import { BONE } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { DEGREE, fromEuler } from '../math/euler.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import type { LookAtRig, RangeMap } from './face-rig.ts';
import type { LookAtTrack } from './face-tracks.ts';
import type { FaceShape } from './shapes.ts';

/** Maximum rotation of the eyes in degrees, where a file declares none: beyond it people rotate their heads. */
const EYE_LIMIT = 30;
/** Sine of the pitch above which yaw and roll are indistinguishable (gimbal lock). */
const GIMBAL_LOCK = 0.9999999;

const upToLimit = (output: number): RangeMap => ({ inputMax: EYE_LIMIT, output, curve: null });

/**
 * Returns look-at settings for characters that declare none: eyes follow the direction up to 30 degrees; expressions reach weight 1 there. `type`:
 * whether look-at rotates eye bones or sets expressions.
 */
export function defaultLookAt(type: LookAtRig['type']): LookAtRig {
  const range = upToLimit(type === 'bone' ? EYE_LIMIT : 1);
  return {
    type,
    horizontalInner: range,
    horizontalOuter: range,
    verticalDown: range,
    verticalUp: range,
    offsetFromHeadBone: null,
  };
}

/**
 * Computes yaw and pitch of a look-at direction: Euler angles in YXZ order. `out` receives yaw (about Y, positive to the character's left) and
 * pitch (about X, positive down), in degrees. `q`: unit quaternion xyzw.
 */
export function yawPitch(out: Floats, o: number, q: ArrayLike<number>, i: number): void {
  const x = q[i];
  const y = q[i + 1];
  const z = q[i + 2];
  const w = q[i + 3];
  const sine = Math.max(-1, Math.min(1, 2 * (w * x - y * z)));
  out[o + 1] = Math.asin(sine) / DEGREE;
  out[o] =
    Math.abs(sine) < GIMBAL_LOCK
      ? Math.atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y)) / DEGREE
      : Math.atan2(2 * (w * y - x * z), 1 - 2 * (y * y + z * z)) / DEGREE;
}

/** Evaluates a Hermite curve with keys (time, value, in-tangent, out-tangent) at t; constant outside. */
function hermiteCurve(keys: Float64Array, t: number): number {
  const last = keys.length - 4;
  if (t <= keys[0]) return keys[1];
  if (t >= keys[last]) return keys[last + 1];
  let k = 0;
  while (keys[k + 4] < t) k += 4;
  const span = keys[k + 4] - keys[k];
  const s = (t - keys[k]) / span;
  const s2 = s * s;
  const s3 = s2 * s;
  return (
    (2 * s3 - 3 * s2 + 1) * keys[k + 1] +
    span * ((s3 - 2 * s2 + s) * keys[k + 3] + (s3 - s2) * keys[k + 6]) +
    (3 * s2 - 2 * s3) * keys[k + 5]
  );
}

/** Applies a range map to an angle. `degrees`: angle in degrees, 0 or more. */
export function mapRange({ inputMax, output, curve }: RangeMap, degrees: number): number {
  const t = Math.min(degrees / inputMax, 1);
  return output * (curve === null ? t : hermiteCurve(curve, t));
}

/** Replaces the yaw and pitch of the look-at direction by those of one eye, in degrees. */
function applyRangeMaps(angles: Floats, rig: LookAtRig, isLeft: boolean): void {
  const [yaw, pitch] = [angles[0], angles[1]];
  const isOuter = yaw > 0 === isLeft;
  angles[0] = Math.sign(yaw) * mapRange(isOuter ? rig.horizontalOuter : rig.horizontalInner, Math.abs(yaw));
  angles[1] = Math.sign(pitch) * mapRange(pitch > 0 ? rig.verticalDown : rig.verticalUp, Math.abs(pitch));
}

/**
 * Converts a look-at track to rotations of the eye bones. An eye rotates relative to the head, about axes of the reference pose: `q = q̄ · (W̄⁻¹ ·
 * E · W̄)`, where q̄ is the local rest rotation, W̄ the world rotation in the reference pose, and E the rotation by yaw and pitch in the canonical
 * frame. Returns one rotation track per eye bone, LINEAR within 0.005°; empty without eye bones.
 */
export function eyeTracks(humanoid: Humanoid, rig: LookAtRig, lookAt: LookAtTrack): Track[] {
  const { map, reference, skeleton } = humanoid;
  return [BONE.leftEye, BONE.rightEye].flatMap((bone): Track[] => {
    const node = map.nodes[bone];
    if (!(node >= 0)) return [];
    const restAt = node * POSE_STRIDE + PATH_OFFSET.rotation;
    const rest = Float64Array.from(skeleton.rest.subarray(restAt, restAt + 4) as Float64Array);
    const world = reference.rotations.slice(4 * bone, 4 * bone + 4);
    const inverse = quat.conjugated(world);
    const left = new Float64Array(4);
    quat.multiply(left, 0, rest, 0, inverse, 0);
    const direction = new Float64Array(4);
    const angles = new Float64Array(2);
    let cursor = 0;
    const keys = resampleFunction({
      width: 4,
      isRotation: true,
      keyTimes: lookAt.times,
      ...(lookAt.interpolation === 'STEP' ? { stepTimes: lookAt.times } : {}),
      tolerance: ROTATION_TOLERANCE,
      evaluate: (time, out, o) => {
        cursor = sampleKeys(lookAt, 4, true, time, direction, 0, cursor);
        yawPitch(angles, 0, direction, 0);
        applyRangeMaps(angles, rig, bone === BONE.leftEye);
        fromEuler(direction, 0, angles[1], angles[0], 0, 'YXZ', DEGREE);
        quat.multiply(out, o, left, 0, direction, 0);
        quat.multiply(out, o, out, o, world, 0);
      },
    });
    return [{ target: node, path: 'rotation', interpolation: 'LINEAR', ...keys }];
  });
}

/** The four look-at expressions. Even indices are for positive angles, the first two for yaw. */
const LOOK_AT_SHAPES: readonly FaceShape[] = ['lookLeft', 'lookRight', 'lookDown', 'lookUp'];

/**
 * Converts a look-at track to weights of the expressions lookLeft, lookRight, lookDown and lookUp. Returns keys per expression: LINEAR, 0…1, with
 * an error of at most 1e-4.
 */
export function lookAtExpressions(
  rig: LookAtRig,
  lookAt: LookAtTrack,
): {
  shape: FaceShape;
  keys: Keys;
}[] {
  const { horizontalOuter, verticalDown, verticalUp } = rig;
  const ranges = [horizontalOuter, horizontalOuter, verticalDown, verticalUp];
  const direction = new Float64Array(4);
  const angles = new Float64Array(2);
  return LOOK_AT_SHAPES.map((shape, k) => {
    let cursor = 0;
    const keys = resampleFunction({
      width: 1,
      isRotation: false,
      keyTimes: lookAt.times,
      ...(lookAt.interpolation === 'STEP' ? { stepTimes: lookAt.times } : {}),
      tolerance: WEIGHT_TOLERANCE,
      evaluate: (time, out, o) => {
        cursor = sampleKeys(lookAt, 4, true, time, direction, 0, cursor);
        yawPitch(angles, 0, direction, 0);
        const angle = (k % 2 === 0 ? 1 : -1) * angles[k < 2 ? 0 : 1];
        out[o] = angle > 0 ? Math.max(0, Math.min(1, mapRange(ranges[k], angle))) : 0;
      },
    });
    return { shape, keys: { interpolation: 'LINEAR', ...keys } };
  });
}
