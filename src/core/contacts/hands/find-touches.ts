import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { smoothstep } from '../paths/ease.ts';
import type { Timing } from '../paths/timing.ts';
import { BONE_STRIDE, FRAME_STRIDE, POSITION_OFFSET } from '../self-collision/bone-frames.ts';
import type { LimbPoint } from '../self-collision/limb-points.ts';
import { createPartDepth, findPartDepth, pointAt } from '../self-collision/part-depth.ts';
import type { BoneRadii } from '../surface/radius-map.ts';
import { nearestSkin, type SkinOfBone, skinWithin } from './hand-skin.ts';

/** A contact has a frame in which the gap is at most `enter`, and lasts while it is at most `leave`, relative to the height: noise does not end it. */
interface TouchGaps {
  readonly enter: number;
  readonly leave: number;
}
export const SKIN_GAPS: TouchGaps = { enter: 0.02, leave: 0.03 };
/** The same for radii that are estimated from joints: arms that hang are near the estimated thighs. */
const JOINT_GAPS: TouchGaps = { enter: 0, leave: 0.01 };
/** Speeds along the surface, heights per second: up to the first a hand rests, from the second on it brushes past. */
const RESTING = 0.14;
const BRUSHING = 0.46;
/** Seconds before and after a frame over which the speed is measured. */
const SPEED_TIME = 0.033;
/** Seconds over which a contact begins and ends: half as long as it lasts, within these limits. Motions in which hands rest for long are still, and quick changes of them are seen. */
const SHORTEST_BLEND = 0.3;
const LONGEST_BLEND = 0.5;
/** Gaps between which a contact that begins or ends weakens, relative to the height: hands that are far apart are free. */
export const CLOSE = 0.04;
const APART = 0.12;
/** Distance by which the skin of a hand may be closer than its points, relative to the height: half the width of a large hand, whose edge touches. */
const BESIDE = 0.04;
/** Distance behind the closest point of a hand from which on its other points do not count, relative to the height. */
export const BEHIND = 0.015;

interface TouchingHand {
  readonly side: number;
  readonly points: readonly LimbPoint[];
  /** Skin of the hand; none where radii come from the joints. */
  readonly skin: readonly SkinOfBone[];
  readonly parts: readonly (readonly BoneRadii[])[];
  readonly from: 'skin' | 'joints';
}

/** A hand on a part for some time. */
export interface HandContact {
  /** Index of the side. */
  readonly side: number;
  /** Index of the part. */
  readonly part: number;
  /** First frame. */
  readonly from: number;
  /** Last frame; beyond the end of a loop where the contact goes on at its start. */
  readonly to: number;
  /** How much the hand rests on the part in the frame in which it is slowest, 1, or brushes past, 0. */
  readonly rest: number;
}

/** How much the points of a hand touch a part during a contact, and before and after it. */
interface HandTouch {
  /** The contact. */
  readonly contact: HandContact;
  /** The frame. */
  readonly frame: number;
  /** Whether the contact lasts in it. */
  readonly isDuring: boolean;
  /** Weight per point, 0…1. */
  readonly weights: Float64Array;
  /** Depth of the skin of the hand in the part minus that of its points with their thickness, meters; 0 without skin. */
  readonly beyond: number;
}

/** A hand, and what it touches in a clip. */
export interface TouchedHand {
  /** Index of the side. */
  readonly side: number;
  /** Skin of the hand; none where radii come from the joints. */
  readonly skin: readonly SkinOfBone[];
  /** Its contacts. */
  readonly contacts: readonly HandContact[];
  /** How much its points touch. */
  readonly touches: readonly HandTouch[];
}

const position = new Float64Array(3);
const location = new Float64Array(6);
const inverse = new Float64Array(4);
const depth = createPartDepth();

/** Speed of a point along the surface of a bone, around a frame; `depth` has the direction out of it. */
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

/** Finds the depth of a point of a hand in a part, in `depth`; −`far` where it is further away. */
function measureDepth(
  point: LimbPoint,
  part: readonly BoneRadii[],
  bones: Float64Array,
  frame: number,
  far: number,
): void {
  const b = FRAME_STRIDE * frame;
  pointAt(position, 0, point, bones, b);
  findPartDepth(depth, part, bones, b, point, position, bones, b + BONE_STRIDE * point.bone, -far);
}

/** Returns the depth of the deepest point of a hand in a part, meters; −Infinity without points. */
function deepest(points: readonly LimbPoint[], part: readonly BoneRadii[], bones: Float64Array, frame: number): number {
  let far = Number.POSITIVE_INFINITY;
  for (const point of points) {
    measureDepth(point, part, bones, frame, far);
    far = -depth.depth;
  }
  return -far;
}

interface TouchState {
  /** 2 where it touches, 1 where a contact goes on, else 0. */
  readonly level: number;
  /** Least speed along the surface, heights per second. */
  readonly speed: number;
}
const NO_TOUCH: TouchState = { level: 0, speed: Number.POSITIVE_INFINITY };

/** Finds how a hand is on a part in a frame. */
function touchState(
  { points, skin }: Pick<TouchingHand, 'points' | 'skin'>,
  part: readonly BoneRadii[],
  bones: Float64Array,
  frame: number,
  step: number,
  height: number,
  gaps: TouchGaps,
): TouchState {
  let nearest: LimbPoint | null = null;
  let far = (gaps.leave + BESIDE) * height;
  let { level, speed } = NO_TOUCH;
  // The skin is looked at only where the points are near and do not touch.
  for (const isSkin of [false, true]) {
    const before: LimbPoint | null = nearest;
    for (const point of isSkin ? skinWithin(skin, part, bones, FRAME_STRIDE * frame, -far) : points) {
      measureDepth(point, part, bones, frame, far);
      if (!(depth.depth > -far)) continue;
      nearest = point;
      far = -depth.depth;
    }
    if (nearest === null) return NO_TOUCH;
    if (nearest === before || far > gaps.leave * height) continue;
    measureDepth(nearest, part, bones, frame, Number.POSITIVE_INFINITY);
    // The rim of a hand that rolls on its palm moves while the palm stays.
    speed = Math.min(speed, slidingSpeed(nearest, depth.bone, bones, frame, step) / height);
    level = far <= gaps.enter * height ? 2 : 1;
    if (level === 2) break;
  }
  return { level, speed };
}

/** Computes how much each point of a hand touches a part in a frame, 0…1. */
function pointWeights(
  points: readonly LimbPoint[],
  part: readonly BoneRadii[],
  bones: Float64Array,
  frame: number,
  height: number,
): Float64Array {
  const gaps = new Float64Array(points.length);
  let least = Number.POSITIVE_INFINITY;
  for (const [k, point] of points.entries()) {
    measureDepth(point, part, bones, frame, APART * height);
    gaps[k] = -depth.depth / height;
    least = Math.min(least, gaps[k]);
  }
  const near = smoothstep(APART, CLOSE, least);
  return gaps.map((gap) => near * smoothstep(BEHIND, 0, gap - least));
}

/** Finds the frames in which states go on touching, from the first of each to its last: across the ends of a loop, whose last frame is its first one. */
function findRuns(states: readonly TouchState[], loops: boolean): readonly (readonly [from: number, to: number])[] {
  const runs: [number, number][] = [];
  for (const [frame, { level }] of states.entries()) {
    if (level === 0) continue;
    if (frame > 0 && states[frame - 1].level > 0) runs[runs.length - 1][1] = frame;
    else runs.push([frame, frame]);
  }
  const last = states.length - 1;
  if (!loops || runs.length < 2 || runs[0][0] !== 0 || runs[runs.length - 1][1] !== last) return runs;
  const [, to] = runs.shift()!;
  runs[runs.length - 1][1] += to;
  return runs;
}

/** Returns how many frames a frame is before or after a contact, 0 in it; in a loop of `period` frames, which is 0 for no loop, the contact is there every time. */
function framesAway({ from, to }: HandContact, frame: number, period: number): number {
  return Math.min(
    Math.max(from - frame, frame - to, 0),
    Math.max(from - frame - period, frame + period - to, 0),
    Math.max(from - frame + period, frame - period - to, 0),
  );
}

/** Finds the contacts of a hand, and how much its points touch. `height`: height of the character, meters. */
export function findTouches(
  hand: TouchingHand,
  bones: Float64Array,
  { step, loops }: Timing,
  height: number,
): TouchedHand {
  const { side, skin, parts, from } = hand;
  const count = bones.length / FRAME_STRIDE;
  const period = loops ? count - 1 : 0;
  const contacts: HandContact[] = [];
  const touches: HandTouch[] = [];
  const gaps = from === 'skin' ? SKIN_GAPS : JOINT_GAPS;
  for (const [p, part] of parts.entries()) {
    if (part.length === 0) continue;
    const states = Array.from({ length: count }, (_, frame) =>
      touchState(hand, part, bones, frame, step, height, gaps),
    );
    const own = findRuns(states, loops).flatMap(([from, to]): HandContact[] => {
      const touching = states.filter(({ level }, k) => level === 2 && (k >= from ? k <= to : k + count - 1 <= to));
      if (touching.length === 0) return [];
      const speed = touching.reduce((least, state) => Math.min(least, state.speed), Number.POSITIVE_INFINITY);
      return [{ side, part: p, from, to, rest: smoothstep(BRUSHING, RESTING, speed) }];
    });
    contacts.push(...own);
    const blends = own.map(({ from, to }) => {
      return Math.min(LONGEST_BLEND, Math.max(SHORTEST_BLEND, 0.5 * (to - from) * step));
    });
    for (let frame = 0; frame < count; frame++) {
      // The contact that touches most: all of them begin and end smoothly.
      let [most, contact]: [number, HandContact | null] = [0, null];
      for (const [k, one] of own.entries()) {
        const blend = smoothstep(blends[k], 0, framesAway(one, frame, period) * step);
        if (blend > most) [most, contact] = [blend, one];
      }
      if (contact === null) continue;
      const weights = pointWeights(hand.points, part, bones, frame, height).map((weight) => most * weight);
      const isDuring = framesAway(contact, frame, period) === 0;
      if (!weights.some((weight) => weight > 0)) continue;
      const nearest = nearestSkin(skin, part, bones, FRAME_STRIDE * frame);
      const beyond = nearest === null ? 0 : nearest.depth - deepest(hand.points, part, bones, frame);
      touches.push({ contact, frame, isDuring, weights, beyond });
    }
  }
  return { side, skin, contacts, touches };
}
