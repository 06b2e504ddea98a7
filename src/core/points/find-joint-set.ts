/** Finds the joint list of points without names, by their number and by the legs that they have in it. */

import { medianOf } from '../math/median.ts';
import * as vec3 from '../math/vec3.ts';
import { JOINT_SETS, type JointSet } from './joint-sets.ts';

/** Joint lists by their number of points. */
const BY_COUNT = new Map<number, JointSet>(
  (Object.keys(JOINT_SETS) as JointSet[]).map((set) => [JOINT_SETS[set].length, set]),
);
/** The numbers of points for which a joint list is known. */
export const KNOWN_COUNTS: readonly number[] = [...BY_COUNT.keys()].sort((a, b) => a - b);

/** Bones whose lengths tell whether numbers are places of joints: hip, knee and ankle of each side. */
export const LEGS: Readonly<Partial<Record<JointSet, readonly (readonly [number, number, number])[]>>> =
  Object.fromEntries(
    Object.entries(JOINT_SETS).map(([set, names]: [string, readonly string[]]) => {
      const at = (...words: string[]): number => names.findIndex((name) => words.includes(name));
      const legs = [
        [
          at('left_hip', 'LHip', 'LeftLeg'),
          at('left_knee', 'LKnee', 'LeftShin'),
          at('left_ankle', 'LFoot', 'LAnkle', 'LeftFoot'),
        ],
        [
          at('right_hip', 'RHip', 'RightLeg'),
          at('right_knee', 'RKnee', 'RightShin'),
          at('right_ankle', 'RFoot', 'RAnkle', 'RightFoot'),
        ],
      ];
      return [set, legs];
    }),
  );

/** Frames in which bodies are measured. */
const MEASURED_FRAMES = 300;

/** Measures thigh and shin of both sides: their median lengths, and how much they differ between frames relative to them. */
export function measureLegs(set: JointSet, numbers: Float64Array): { lengths: number[]; spread: number } {
  const count = JOINT_SETS[set].length;
  const frames = numbers.length / (3 * count);
  const stride = Math.max(1, Math.floor(frames / MEASURED_FRAMES));
  const lengths: number[] = [];
  let spread = 0;
  for (const [hip, knee, ankle] of LEGS[set] ?? []) {
    for (const [a, b] of [
      [hip, knee],
      [knee, ankle],
    ]) {
      const all: number[] = [];
      for (let frame = 0; frame < frames; frame += stride) {
        const length = vec3.distance(numbers, 3 * (frame * count + a), numbers, 3 * (frame * count + b));
        if (Number.isFinite(length)) all.push(length);
      }
      const median = medianOf(all);
      lengths.push(median);
      spread = Math.max(spread, medianOf(all.map((length) => Math.abs(length - median))) / median);
    }
  }
  return { lengths, spread };
}

function isAlike(a: number, b: number): boolean {
  return a / b > 0.6 && a / b < 1.7;
}

/** Tells whether numbers are places of joints: those of legs keep their distances, on both sides. Rotations of as many joints do not. */
export function arePlaces(set: JointSet, numbers: Float64Array): boolean {
  const { lengths, spread } = measureLegs(set, numbers);
  const [leftThigh, leftShin, rightThigh, rightShin] = lengths;
  return (
    spread < 0.25 && isAlike(leftThigh, rightThigh) && isAlike(leftShin, rightShin) && isAlike(leftThigh, leftShin)
  );
}

/** Measures how far legs are from keeping their lengths, equal on both sides; Infinity for no legs. */
function legError(set: JointSet, numbers: Float64Array): number {
  if (!arePlaces(set, numbers)) return Infinity;
  const { lengths, spread } = measureLegs(set, numbers);
  return spread + Math.abs(Math.log(lengths[0] / lengths[2])) + Math.abs(Math.log(lengths[1] / lengths[3]));
}

/**
 * Finds the joint list of points without names by their number. `positions`: frames × points × 3, which tell the two lists with 17 points apart.
 * Returns its name; null for other numbers.
 */
export function findJointSet(count: number, positions: Float64Array): JointSet | null {
  return count === 17 ? listOf17(positions) : (BY_COUNT.get(count) ?? null);
}

/** Of the two lists with 17 points, the one that has legs; without legs, that of Human3.6M begins with a hip, that of COCO with a face, which is small. */
function listOf17(positions: Float64Array): JointSet {
  const [lifted, detected] = [legError('h36m17', positions), legError('coco17', positions)];
  if (lifted !== detected) return lifted < detected ? 'h36m17' : 'coco17';
  let faces = 0;
  let frames = 0;
  for (let at = 0; at < positions.length; at += 3 * 17) {
    // Nose to ear, or hips to foot; against both shoulders to hips, or foot to head.
    const near = vec3.distance(positions, at, positions, at + 9);
    const far = vec3.distance(positions, at + 15, positions, at + 33);
    if (!Number.isFinite(near + far)) continue;
    frames++;
    if (near < 0.5 * far) faces++;
  }
  return faces > 0.5 * frames ? 'coco17' : 'h36m17';
}
