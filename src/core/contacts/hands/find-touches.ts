/** Finds where the hands of a motion touch its character: points of a hand that are close to a part and do not move along it. */
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { smoothstep } from '../paths/ease.ts';
import { BONE_STRIDE, FRAME_STRIDE, POSITION_OFFSET } from '../self-collision/bone-frames.ts';
import type { LimbPoint } from '../self-collision/limb-points.ts';
import { createPartDepth, findPartDepth } from '../self-collision/part-depth.ts';
import type { BoneRadii } from '../surface/radius-map.ts';

/** Gap up to which a point touches, and from which on it does not, relative to the height. */
const NEAR = 0.01;
const FAR = 0.025;
/** Speed along the surface up to which a point touches, and from which on it brushes past, heights per second. */
const SLOW = 0.15;
const FAST = 0.4;
/** Seconds before and after a frame over which the speed is measured. */
const SPEED_TIME = 0.033;
/** Weight from which on a frame belongs to a contact. */
const TOUCHING = 0.5;

/** A hand with the parts that it can be on. */
export interface TouchingHand {
  /** Index of the side. */
  readonly side: number;
  /** Points of the hand. */
  readonly points: readonly LimbPoint[];
  /** Radii per part. */
  readonly parts: readonly (readonly BoneRadii[])[];
}

/** A hand on a part for some time. */
export interface HandContact {
  /** Index of the side. */
  readonly side: number;
  /** Index of the part. */
  readonly part: number;
  /** First frame. */
  readonly from: number;
  /** Last frame. */
  readonly to: number;
}

/** How much the points of a hand touch, in all frames. */
export interface HandTouches {
  /** Weight 0…1 per frame, part and point. */
  readonly weights: Float64Array;
  /** The contacts. */
  readonly contacts: readonly HandContact[];
}

const position = new Float64Array(3);
const location = new Float64Array(6);
const inverse = new Float64Array(4);
const depth = createPartDepth();

/**
 * Computes the position of a point of a limb.
 *
 * @param out Receives xyz at `o`, canonical frame, meters.
 */
export function pointAt(
  out: Float64Array,
  o: number,
  { bone, offset }: LimbPoint,
  bones: Float64Array,
  b: number,
): void {
  const at = b + BONE_STRIDE * bone;
  vec3.rotate(out, o, bones, at, offset, 0);
  vec3.add(out, o, out, o, bones, at + POSITION_OFFSET);
}

/** Speed of a point along the surface of a bone, around a frame. */
function slidingSpeed(point: LimbPoint, bone: number, bones: Float64Array, frame: number, step: number): number {
  const last = bones.length / FRAME_STRIDE - 1;
  const reach = Math.max(1, Math.round(SPEED_TIME / step));
  const [before, after] = [Math.max(0, frame - reach), Math.min(last, frame + reach)];
  if (after === before) return 0;
  for (const [k, one] of [before, after].entries()) {
    const b = FRAME_STRIDE * one;
    const at = b + BONE_STRIDE * bone;
    pointAt(position, 0, point, bones, b);
    quat.conjugate(inverse, 0, bones, at);
    vec3.subtract(location, 3 * k, position, 0, bones, at + POSITION_OFFSET);
    vec3.rotate(location, 3 * k, inverse, 0, location, 3 * k);
  }
  vec3.subtract(location, 0, location, 3, location, 0);
  // Only the movement along the surface counts: hands that clap are fast until they touch.
  quat.conjugate(inverse, 0, bones, FRAME_STRIDE * frame + BONE_STRIDE * bone);
  vec3.rotate(position, 0, inverse, 0, depth.outward, 0);
  vec3.addScaled(location, 0, location, 0, position, 0, -vec3.dot(location, 0, position, 0));
  return vec3.length(location, 0) / ((after - before) * step);
}

/**
 * Finds how much the points of a hand touch.
 *
 * @param height Height of the character, meters.
 */
export function findTouches(
  { side, points, parts }: TouchingHand,
  bones: Float64Array,
  step: number,
  height: number,
): HandTouches {
  const count = bones.length / FRAME_STRIDE;
  const weights = new Float64Array(count * parts.length * points.length);
  const most = new Float64Array(count * parts.length);
  for (let frame = 0; frame < count; frame++) {
    const b = FRAME_STRIDE * frame;
    for (const [p, part] of parts.entries()) {
      if (part.length === 0) continue;
      for (const [k, point] of points.entries()) {
        pointAt(position, 0, point, bones, b);
        findPartDepth(depth, part, bones, b, point, position, bones, b + BONE_STRIDE * point.bone, -FAR * height);
        const near = smoothstep(FAR, NEAR, -depth.depth / height);
        if (near === 0) continue;
        const speed = slidingSpeed(point, depth.bone, bones, frame, step) / height;
        const weight = near * smoothstep(FAST, SLOW, speed);
        weights[(frame * parts.length + p) * points.length + k] = weight;
        most[frame * parts.length + p] = Math.max(most[frame * parts.length + p], weight);
      }
    }
  }
  const contacts: HandContact[] = [];
  for (let p = 0; p < parts.length; p++) {
    const at = (frame: number): number => (frame < count ? most[frame * parts.length + p] : 0);
    for (let from = 0; from < count; from++) {
      if (!(at(from) > 0)) continue;
      let [to, peak] = [from, 0];
      for (; at(to) > 0; to++) peak = Math.max(peak, at(to));
      if (peak >= TOUCHING) {
        const isIn = (frame: number): boolean => at(frame) >= TOUCHING;
        let [first, last] = [from, to - 1];
        while (!isIn(first)) first++;
        while (!isIn(last)) last--;
        contacts.push({ side, part: p, from: first, to: last });
      } else {
        const start = (frame: number): number => (frame * parts.length + p) * points.length;
        for (let frame = from; frame < to; frame++) weights.fill(0, start(frame), start(frame) + points.length);
      }
      from = to;
    }
  }
  return { weights, contacts };
}
