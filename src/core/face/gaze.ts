/** Where the eyes look: angles of a gaze, and what the eyes make of them. VRMC_vrm-1.0, lookAt.md. */

import type { Keys, Track } from '../animation/clip.ts';
import { resampleFunction } from '../animation/resample.ts';
import { sampleKeys } from '../animation/sample.ts';
import { BONE } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { DEGREE, fromEuler } from '../math/euler.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import { POSE_STRIDE } from '../skeleton/skeleton.ts';
import type { GazeRig, RangeMap } from './face-rig.ts';
import type { LookAtTrack } from './face-tracks.ts';
import type { FaceShape } from './shapes.ts';

/** Degrees that eyes turn at most where a file does not say: people turn their heads for more. */
const EYE_LIMIT = 30;
/** Radians that the keys of an eye may miss its rotation by (0.005°). */
const EYE_TOLERANCE = 0.005 * DEGREE;
/** The sine of a pitch so near a right angle that yaw and roll are one. */
const LOCKED = 0.9999999;

const upToLimit = (output: number): RangeMap => ({ inputMax: EYE_LIMIT, output, curve: null });

/** For characters that say nothing about their gaze: eyes turn as far as it does, expressions are full, at 30 degrees. */
export function defaultGaze(type: GazeRig['type']): GazeRig {
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

/** Yaw (about Y, to the left of the character) and pitch (about X, down) of a unit quaternion, degrees: Euler angles of the order YXZ. */
export function yawPitch(out: Floats, o: number, q: ArrayLike<number>, i: number): void {
  const x = q[i];
  const y = q[i + 1];
  const z = q[i + 2];
  const w = q[i + 3];
  const sine = Math.max(-1, Math.min(1, 2 * (w * x - y * z)));
  out[o + 1] = Math.asin(sine) / DEGREE;
  out[o] =
    Math.abs(sine) < LOCKED
      ? Math.atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y)) / DEGREE
      : Math.atan2(2 * (w * y - x * z), 1 - 2 * (y * y + z * z)) / DEGREE;
}

/** Value of a Hermite curve of keys (time, value, in-tangent, out-tangent) at t; flat outside. */
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

/** What a range map makes of an angle, degrees, not below 0. */
export function mapRange({ inputMax, output, curve }: RangeMap, degrees: number): number {
  const t = Math.min(degrees / inputMax, 1);
  return output * (curve === null ? t : hermiteCurve(curve, t));
}

/** Angles of an eye, degrees, in place of those of the gaze. */
function eyeAngles(angles: Floats, gaze: GazeRig, isLeft: boolean): void {
  const [yaw, pitch] = [angles[0], angles[1]];
  const isOuter = yaw > 0 === isLeft;
  angles[0] = Math.sign(yaw) * mapRange(isOuter ? gaze.horizontalOuter : gaze.horizontalInner, Math.abs(yaw));
  angles[1] = Math.sign(pitch) * mapRange(pitch > 0 ? gaze.verticalDown : gaze.verticalUp, Math.abs(pitch));
}

/**
 * Rotations of the eyes of a character that look where a track does; none for eyes that are no bones. An eye turns relative to the head, about
 * the axes of the reference pose: `q = q̄ · (W̄⁻¹ · E · W̄)`, q̄ its local rest, W̄ its world rotation in the reference pose, E the
 * rotation of yaw and pitch in the canonical frame. LINEAR keys, within 0.005°.
 */
export function eyeTracks(humanoid: Humanoid, gaze: GazeRig, lookAt: LookAtTrack): Track[] {
  const { map, reference, skeleton } = humanoid;
  return [BONE.leftEye, BONE.rightEye].flatMap((bone): Track[] => {
    const node = map.nodes[bone];
    if (!(node >= 0)) return [];
    const rest = Float64Array.from(
      skeleton.rest.subarray(node * POSE_STRIDE + 3, node * POSE_STRIDE + 7) as Float64Array,
    );
    const world = reference.rotations.slice(4 * bone, 4 * bone + 4);
    const inverse = new Float64Array(4);
    quat.conjugate(inverse, 0, world, 0);
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
      tolerance: EYE_TOLERANCE,
      evaluate: (time, out, o) => {
        cursor = sampleKeys(lookAt, 4, true, time, direction, 0, cursor);
        yawPitch(angles, 0, direction, 0);
        eyeAngles(angles, gaze, bone === BONE.leftEye);
        fromEuler(direction, 0, angles[1], angles[0], 0, 'YXZ', DEGREE);
        quat.multiply(out, o, left, 0, direction, 0);
        quat.multiply(out, o, out, o, world, 0);
      },
    });
    return [{ target: node, path: 'rotation', interpolation: 'LINEAR', ...keys }];
  });
}

/** Weights that a gaze is worth of each of the four expressions, and how they are called. */
const GAZE_SHAPES: readonly FaceShape[] = ['lookLeft', 'lookRight', 'lookDown', 'lookUp'];
/** A ten-thousandth of a shape: nobody sees less. */
export const WEIGHT_TOLERANCE = 1e-4;

/** Weights of the expressions lookLeft, lookRight, lookDown and lookUp that show a gaze. LINEAR keys, within a ten-thousandth. */
export function gazeExpressions(gaze: GazeRig, lookAt: LookAtTrack): { shape: FaceShape; keys: Keys }[] {
  const { horizontalOuter, verticalDown, verticalUp } = gaze;
  const ranges = [horizontalOuter, horizontalOuter, verticalDown, verticalUp];
  const direction = new Float64Array(4);
  const angles = new Float64Array(2);
  return GAZE_SHAPES.map((shape, k) => {
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
