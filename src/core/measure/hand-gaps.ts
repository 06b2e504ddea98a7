/** Measures how far hands are from what those of the source touch: the other arm, trunk, head and legs. Which hand touches what is found from the skin of the source. */

import { countPoints, type SkinPoints, skinPoint } from '../deform/skin-points.ts';
import { BONES, isFingerBone, SIDES, type Side } from '../humanoid/bones.ts';
import type { MeasuredBody } from './body.ts';
import { frameTimes, type MeasuredMotion, visitFrames } from './joint-frames.ts';
import type { SkinSampling } from './self-penetration.ts';
import { createMovingSurface, type MovingSurface, surfaceDistance } from './surface-distance.ts';

/** Distance between the skin of a hand and a part of the source, relative to its height, up to which they touch. */
const TOUCHING = 0.02;

/** Least distances between the skin of a hand and that of what it touches in the source, in percent of the height of each character. */
export interface HandGaps {
  /** Number of frames in which a hand of the source touches something, over both hands and all parts. */
  readonly frames: number;
  /** Mean over these frames: the source. */
  readonly source: number;
  /** The same: the result. */
  readonly result: number;
  /** Mean of what the result is further away than the source. */
  readonly beyond: number;
  /** Greatest distance of the result. */
  readonly worst: number;
}

/** What a hand can touch. */
const PARTS: readonly ((bone: string, side: Side) => boolean)[] = [
  (bone, side) => !bone.startsWith(side) && /Arm$|Hand$/.test(bone),
  (bone, side) => !bone.startsWith(side) && isFingerBone(bone),
  (bone) => /^(?:hips|spine|chest|upperChest|leftShoulder|rightShoulder)$/.test(bone),
  (bone) => /^(?:neck|head|jaw|leftEye|rightEye)$/.test(bone),
  (bone) => /^left.*Leg$/.test(bone),
  (bone) => /^right.*Leg$/.test(bone),
];

/** A hand and a part in one character. */
interface Touch {
  readonly points: Int32Array;
  readonly surface: MovingSurface;
}

function surfaceOf({ triangles }: SkinPoints, bones: Int16Array, isOf: (bone: string) => boolean): MovingSurface {
  const own = BONES.map(isOf);
  const chosen: number[] = [];
  for (let k = 0; k < triangles.length; k += 3) {
    const corners = [triangles[k], triangles[k + 1], triangles[k + 2]];
    if (corners.filter((point) => bones[point] >= 0 && own[bones[point]]).length >= 2) chosen.push(...corners);
  }
  return createMovingSurface(Int32Array.from(chosen));
}

/** Lists every hand with everything that it can touch; the same order in all characters. */
function touchesOf({ skin, pointBones }: MeasuredBody, mostVertices: number): Touch[] {
  if (skin === null) return [];
  return SIDES.flatMap((side) => {
    const isHand = (bone: string): boolean => bone.startsWith(side) && (bone.endsWith('Hand') || isFingerBone(bone));
    const all = [...pointBones.keys()].filter((point) => pointBones[point] >= 0 && isHand(BONES[pointBones[point]]));
    const every = Math.max(1, Math.ceil(all.length / mostVertices));
    const points = Int32Array.from(all.filter((_, k) => k % every === 0));
    return PARTS.map((isPart) => ({ points, surface: surfaceOf(skin, pointBones, (bone) => isPart(bone, side)) }));
  });
}

/** Returns the gap of every touch that is asked for in every frame, relative to the height; Infinity for others, and for gaps that are larger than `within`. */
function gapsOf(
  motion: MeasuredMotion,
  touches: readonly Touch[],
  times: Float64Array,
  within: number,
  isAsked: (touch: number, frame: number) => boolean,
): Float64Array[] {
  const { skin, height } = motion.body;
  const gaps = touches.map(() => new Float64Array(times.length).fill(Number.POSITIVE_INFINITY));
  if (skin === null) return gaps;
  const positions = new Float64Array(3 * countPoints(skin));
  visitFrames(motion, times, (frame, matrices) => {
    const done = new Set<Int32Array>();
    const skinAll = (points: Int32Array): void => {
      if (done.has(points)) return;
      done.add(points);
      for (const point of points) skinPoint(positions, 3 * point, skin, point, matrices);
    };
    for (const [k, { points, surface }] of touches.entries()) {
      if (points.length === 0 || surface.triangles.length === 0 || !isAsked(k, frame)) continue;
      skinAll(points);
      skinAll(surface.vertices);
      gaps[k][frame] = surfaceDistance(surface, points, positions, within * height) / height;
    }
  });
  return gaps;
}

/**
 * Compares the gaps between hands and what they touch before and after retargeting. `mostVertices`: per hand, 200 by default. Returns the measure; null if no hand of the source touches
 * anything that the result has.
 */
export function measureHandGaps(
  source: MeasuredMotion,
  result: MeasuredMotion,
  { fps = 15, mostVertices = 200 }: SkinSampling = {},
): HandGaps | null {
  if (source.body.skin === null || result.body.skin === null) return null;
  const times = frameTimes(source.clip.duration, fps);
  const [from, to] = [source, result].map(({ body }) => touchesOf(body, mostVertices));
  const isPossible = (k: number): boolean => to[k].points.length > 0 && to[k].surface.triangles.length > 0;
  const before = gapsOf(source, from, times, TOUCHING, isPossible);
  const after = gapsOf(result, to, times, Number.POSITIVE_INFINITY, (k, frame) => Number.isFinite(before[k][frame]));
  let [frames, sum, sumAfter, beyond, worst] = [0, 0, 0, 0, 0];
  for (const [k, gaps] of before.entries()) {
    for (const [frame, gap] of gaps.entries()) {
      if (!Number.isFinite(gap)) continue;
      frames++;
      sum += gap;
      sumAfter += after[k][frame];
      beyond += Math.max(0, after[k][frame] - gap);
      worst = Math.max(worst, after[k][frame]);
    }
  }
  if (frames === 0) return null;
  const percent = 100 / frames;
  return { frames, source: sum * percent, result: sumAfter * percent, beyond: beyond * percent, worst: 100 * worst };
}
