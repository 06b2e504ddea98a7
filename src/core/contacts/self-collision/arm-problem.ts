/** What `solveArm` solves. */
import type { CutTiming } from '../paths/timing.ts';
import type { BoneRadii } from '../surface/radius-map.ts';
import type { Arm } from './limb-points.ts';

/** An arm of a character in all frames. */
export interface ArmProblem {
  /** The arm. */
  readonly arm: Arm;
  /** Bone whose axes the rotations use. */
  readonly trunkBone: number;
  /** Radii of the parts. */
  readonly parts: readonly (readonly BoneRadii[])[];
  /** Bones of the character after plain retargeting, from `sampleBoneFrames`. */
  readonly bones: Float64Array;
  /** Allowed depth relative to the radii, from `allowedDepths`: per frame, point and part. */
  readonly allowed: Float64Array;
  /** Distance that the arm keeps where `allowed` does not allow less, relative to its length; negative to accept some depth. */
  readonly clearance: number;
  /** The frames. */
  readonly timing: CutTiming;
}
