/** The types of a humanoid: its bone map, its reference pose, and what a format declares about both. */
import type { Issue } from '../report/issue.ts';
import type { Skeleton } from '../skeleton/skeleton.ts';
import { type BoneName, SIDES } from './bones.ts';

/** Why a node was matched to a bone, and the runner-up. */
export interface BoneChoice {
  /** Explanation in plain words: the evidence from the name and from the position. */
  readonly why: string;
  /** The next best node; −1 without. */
  readonly runnerUp: number;
  /**
   * Confidence of the runner-up in this map, 0…1; never above that of the bone. Names or shape may prefer a node that the map as a whole
   * cannot use, because another bone has it or limbs are not below it: its confidence is reduced to 40 %.
   */
  readonly runnerUpConfidence: number;
}

/** The node of every bone, where the map comes from, and how certain it is. */
export interface BoneMap {
  /** Node of every bone, −1 where the bone is absent; 55 entries in the order of BONES. */
  readonly nodes: Int32Array;
  /** Confidence per bone, 0…1; 1 where a format or the user declares the bone, 0 where it is absent. */
  readonly confidence: Float32Array;
  /**
   * Where the map comes from: the declaring format (`vrm1`), `given` by the user, or the naming convention that fits
   * best.
   */
  readonly from: string;
  /**
   * Explanation per bone, null where the bone is absent. Only in maps that were found, not in declared or user-supplied
   * ones.
   */
  readonly choices?: readonly (BoneChoice | null)[];
}

/** What a format (VRM 0.x, VRM 1.0, VRMA, EXT_skeleton_humanoid, drafts of KHR_character) declares about a humanoid. */
export interface DeclaredHumanoid {
  /** The declaring format; `points` for a skeleton that was made for joint positions. */
  readonly format: 'vrm0' | 'vrm1' | 'vrma' | 'ext' | 'khr' | 'points';
  /** Node of the skeleton per bone, −1 where the bone is absent. */
  readonly nodes: Int32Array;
  /**
   * Direction that the character faces in its reference pose; null where the format names the bones but declares no
   * pose.
   */
  readonly facing: '+Z' | '-Z' | null;
  /** The reference pose, local, 10 floats per node; the rest pose by default. */
  readonly pose?: Float64Array;
  /**
   * Rotation from the axes of the file to those in which `facing` is given and +Y is up; unit quaternion xyzw. Identity
   * by default.
   */
  readonly axesRotation?: Float64Array;
  /**
   * Height of the ground in those axes, units of the file, if the feet are on it; otherwise the lowest foot is the
   * ground. Without this value the ground is y = 0, wherever the feet are.
   */
  readonly ground?: number;
}

/**
 * How a reference pose was obtained: declared by the format, `given` by the user, a pose of the file as it is, or
 * estimated.
 */
export type ReferenceKind = 'declared' | 'given' | 'bind' | 'node' | 'frame' | 'estimated';

/** Limbs whose deviation from a T-pose is reported. */
export const LIMBS = [
  'leftArm',
  'rightArm',
  'leftHand',
  'rightHand',
  'leftFingers',
  'rightFingers',
  'leftLeg',
  'rightLeg',
] as const;
/**
 * A limb whose deviation from a T-pose is reported.
 *
 * @useDeclaredType
 */
export type Limb = (typeof LIMBS)[number];

/** Body parts that the T-pose estimator aligns one by one. */
const POSED_PARTS = [
  'trunk',
  ...SIDES.flatMap(
    (side) => [`${side}Arm`, `${side}Palm`, `${side}Fingers`, `${side}Thumb`, `${side}Leg`, `${side}Foot`] as const,
  ),
  'eyes',
  'jaw',
] as const;
/**
 * A body part that the T-pose estimator aligns.
 *
 * @useDeclaredType
 */
export type PosedPart = (typeof POSED_PARTS)[number];

/** How one body part was aligned by the T-pose estimator. */
export interface PartFinding {
  /** The body part. */
  readonly part: PosedPart;
  /** Confidence, 0…1; 1 where the joints are unambiguous. */
  readonly confidence: number;
  /** The evidence in plain words: `knuckles of 2 fingers`, `elbow bent by 34° shows the roll`. */
  readonly reason: string;
}

/** The T-pose that every world delta is measured from. Canonical frame (facing +Z, up +Y), meters. */
export interface ReferencePose {
  /** How the pose was obtained. */
  readonly kind: ReferenceKind;
  /**
   * The pose of the file that was used or estimated from: `vrm0` (the declared pose), `bind`, `node`, `frame:0`, or the
   * name of a file.
   */
  readonly from: string;
  /** World rotation per bone, xyzw; identity where the bone is absent. */
  readonly rotations: Float64Array;
  /** World position per bone, xyz; zero where the bone is absent. */
  readonly positions: Float64Array;
  /** Degrees that each limb deviates from a T-pose, the worst of its bones; only limbs that are present. */
  readonly deviationDegrees: Readonly<Partial<Record<Limb, number>>>;
  /** The same for the pose that the estimator started from. */
  readonly startDeviationDegrees: Readonly<Partial<Record<Limb, number>>>;
  /** How each present body part was aligned; only in estimated poses. */
  readonly findings?: readonly PartFinding[];
}

/**
 * The reference pose that a format declares, as it is, with the heights measured in it.
 *
 * @inline
 */
export interface DeclaredPose {
  /** The declaring format. */
  readonly format: DeclaredHumanoid['format'];
  /** The declared pose. */
  readonly reference: ReferencePose;
  /** Height of the ground, canonical frame, meters. */
  readonly ground: number;
  /** Height of the pelvis (the middle of both hip joints) above the ground, meters. */
  readonly hipsHeight: number;
  /** Height of the highest joint above the ground, meters. */
  readonly height: number;
}

/** A skeleton with known bones and a reference pose: everything that retargeting needs. */
export interface Humanoid {
  /** The skeleton, as in the file. */
  readonly skeleton: Skeleton;
  /** Node of every bone. */
  readonly map: BoneMap;
  /** The T-pose that motion is measured from. */
  readonly reference: ReferencePose;
  /**
   * The declared pose, where `reference` is that pose straightened. Between a VRM Animation and a VRM, motion is
   * measured from it.
   */
  readonly declaredPose?: DeclaredPose;
  /**
   * The pose of the file that the reference pose was taken or estimated from, local, 10 floats per node. It gives limb
   * lengths and the transforms of nodes between bones. Null when it is the rest pose. A character whose rest pose
   * differs from its bind pose is retargeted with this pose.
   */
  readonly basePose: Float64Array | null;
  /**
   * F: rotates directions from the axes of the file to the canonical frame (facing +Z, up +Y); unit quaternion xyzw.
   */
  readonly frame: Float64Array;
  /** Meters per unit of length of the file. */
  readonly metersPerUnit: number;
  /** Height of the ground, canonical frame, meters. */
  readonly ground: number;
  /** Height of the pelvis (the middle of both hip joints) above the ground in the reference pose, meters. */
  readonly hipsHeight: number;
  /** Height of the highest joint above the ground in the reference pose, meters. */
  readonly height: number;
  /** What is unusual about the character. */
  readonly issues: readonly Issue[];
}

/** User-supplied nodes by bone name, as in a bone map file: the name of a node or its index in the file; null for a bone that is absent. */
export type BoneAssignments = Readonly<Partial<Record<BoneName, string | number | null>>>;
