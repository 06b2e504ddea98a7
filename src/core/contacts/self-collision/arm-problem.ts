import type { CutTiming } from '../paths/timing.ts';
import type { BoneRadii } from '../surface/radius-map.ts';
import type { Arm } from './limb-points.ts';

export interface ArmProblem {
  readonly arm: Arm;
  /** Bone whose axes the rotations use. */
  readonly trunkBone: number;
  readonly parts: readonly (readonly BoneRadii[])[];
  /** Bones of the character after plain retargeting, from `sampleBoneFrames`. */
  readonly bones: Float64Array;
  /** Allowed depth relative to the radii, from `allowedDepths`: per frame, point and part. */
  readonly allowed: Float64Array;
  /** Distance that the arm keeps where `allowed` does not allow less, relative to its length; negative to accept some depth. */
  readonly clearance: number;
  readonly timing: CutTiming;
}
