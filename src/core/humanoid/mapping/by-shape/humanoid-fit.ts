/** An interpretation of a rig as a humanoid: which chains are legs, arms, spine and head. */

import { midpoint } from '../../../math/triples.ts';
import type { Vec3 } from '../../../math/vec3.ts';
import type { HeadFit } from './head.ts';
import type { LimbFit } from './limb-joints.ts';
import { type PosedRig, positionOf } from './posed-rig.ts';

/** The three joints of a limb: thigh, shin and foot, or upper arm, lower arm and hand. */
export type LimbJoints = readonly [number, number, number];

/** One interpretation of a rig as a humanoid. */
export interface HumanoidFit {
  readonly rig: PosedRig;
  /** Joints of both legs; the first leg is on the side that `side` points to. */
  readonly legs: readonly [LimbJoints, LimbJoints];
  /** Joints of both arms; the first arm is on the same side as the first leg. */
  readonly arms: readonly [LimbJoints, LimbJoints];
  readonly legFit: LimbFit;
  readonly armFit: LimbFit;
  /** Joints before the upper arms; −1 where the upper arms are children of the trunk. */
  readonly shoulders: readonly [number, number];
  /** Joints after the feet; −1 without, or with several single toes. */
  readonly toes: readonly [number, number];
  readonly hips: number;
  /** Nodes from above the hips to the one that the arms branch off from. */
  readonly path: readonly number[];
  /** Whether the legs branch off from a node beside the spine: a pelvis, or the root of a skirt. */
  readonly hasPelvis: boolean;
  /** Nodes of the spine bones from the hips upwards, without the hips. */
  readonly spine: readonly number[];
  readonly head: HeadFit;
  /** Unit direction from the hip joints to the shoulder joints. */
  readonly up: Vec3;
  /** Unit direction from the second side to the first. */
  readonly side: Vec3;
  /** Distance from the hip joints to the shoulder joints, units of the file. */
  readonly trunk: number;
  /** True when the arms reach the ground beside the legs and the trunk is across both. */
  readonly isQuadruped: boolean;
  /** How human the proportions and the posture are, 0…1. */
  readonly score: number;
}

export type UnscoredFit = Omit<HumanoidFit, 'score' | 'isQuadruped'>;

/** Returns the midpoint of a joint of both sides: 0 is the first joint of the limb, 2 its end. */
export const jointMidpoint = (rig: PosedRig, [a, b]: readonly [LimbJoints, LimbJoints], joint: 0 | 1 | 2): Vec3 =>
  midpoint(positionOf(rig, a[joint]), positionOf(rig, b[joint]));

/** Counts the joints after the toes: those of both legs, and with an end joint that only one of them has. */
export function endsOfLegs(rig: PosedRig, { pair: { sides }, end }: LimbFit): readonly [least: number, most: number] {
  const [a, b] = sides.map((side) => rig.joints[side[side.length - 1]].length);
  const least = Math.max(0, sides[0].length - 2 - end);
  return [least, Math.min(a, b) === 0 && Math.max(a, b) === 1 ? least + 1 : least];
}
