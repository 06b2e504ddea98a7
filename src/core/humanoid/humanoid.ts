import type { Issue } from '../report/issue.ts';
import type { Skeleton } from '../skeleton/skeleton.ts';
import type { BoneName } from './bones.ts';

/** Why a node was taken for a bone, and which one came next. */
export interface BoneChoice {
  /** Plain words: what of its name and what of its place spoke for it. */
  readonly why: string;
  /** The next best node; −1 without. */
  readonly runnerUp: number;
  /** 0…1, as sure as that one would be. */
  readonly runnerUpConfidence: number;
}

/** Where a bone map comes from, and how sure it is. */
export interface BoneMap {
  /** Node of every bone, −1 where the bone is absent; 55 entries in the order of BONES. */
  readonly nodes: Int32Array;
  /** 0…1 per bone; 1 where a format or the caller declares it, 0 where absent. */
  readonly confidence: Float32Array;
  /** `declared` by the format, `given` by the caller, or the naming convention that fitted best. */
  readonly from: string;
  /** Why, per bone: null where the bone is absent. Only of maps that were found, not of declared or given ones. */
  readonly choices?: readonly (BoneChoice | null)[];
}

/** What a format (VRM 0.x, VRM 1.0, VRMA, EXT_skeleton_humanoid, drafts of KHR_character) says about a humanoid. */
export interface DeclaredHumanoid {
  readonly format: 'vrm0' | 'vrm1' | 'vrma' | 'ext' | 'khr';
  /** Node of the skeleton per bone, −1 where absent. */
  readonly nodes: Int32Array;
  /** The direction that the character faces in its reference pose; null where the format names the bones and says nothing of a pose. */
  readonly facing: '+Z' | '-Z' | null;
  /** The reference pose, local, 10 floats a node; the rest pose where missing. */
  readonly pose?: Float64Array;
  /** Turns the axes of the file into those that `facing` is in and +Y is up in, unit quaternion xyzw; they are the same where missing. */
  readonly turn?: Float64Array;
  /**
   * Height, in those axes, at which the ground is if feet stand there; else the lowest foot does. Where missing the ground is y = 0, whatever
   * feet say.
   */
  readonly ground?: number;
}

/** What a reference pose is: obeyed as declared, one of the file's poses taken as it is, or estimated from one of them. */
export type ReferenceKind = 'declared' | 'given' | 'bind' | 'node' | 'frame' | 'estimated';

/** The parts of the body whose deviation from T is reported. */
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
export type Limb = (typeof LIMBS)[number];

/** Parts of the body that the estimator of the reference pose decides about, one by one. */
export const POSED_PARTS = [
  'trunk',
  ...(['left', 'right'] as const).flatMap(
    (side) => [`${side}Arm`, `${side}Palm`, `${side}Fingers`, `${side}Thumb`, `${side}Leg`, `${side}Foot`] as const,
  ),
  'eyes',
  'jaw',
] as const;
export type PosedPart = (typeof POSED_PARTS)[number];

/** How sure the reference pose of a part of the body is, and what showed it. */
export interface PartFinding {
  readonly part: PosedPart;
  /** 0…1; 1 where the joints leave no doubt. */
  readonly confidence: number;
  /** Plain words: `knuckles of index and little finger`, `elbow bent by 34°`. */
  readonly reason: string;
}

/** The T-pose that every world delta is measured from. Canonical frame (facing +Z, up +Y), meters. */
export interface ReferencePose {
  readonly kind: ReferenceKind;
  /** The pose of the file it was taken or estimated from: `vrm0`, `bind`, `node`, `frame:0`, or a file. */
  readonly from: string;
  /** World rotation per bone, xyzw; identity where the bone is absent. */
  readonly rotations: Float64Array;
  /** World position per bone, xyz; zero where the bone is absent. */
  readonly positions: Float64Array;
  /** Degrees that the directions of a limb are off the T-pose, its worst bone; only limbs that are there. */
  readonly deviationDegrees: Readonly<Partial<Record<Limb, number>>>;
  /** The same for the pose that the estimator started from. */
  readonly startDeviationDegrees: Readonly<Partial<Record<Limb, number>>>;
  /** What was decided about every part of an estimated pose that is there; absent in all others. */
  readonly findings?: readonly PartFinding[];
}

/** A skeleton whose bones are known: everything that retargeting asks of a body. */
export interface Humanoid {
  readonly skeleton: Skeleton;
  readonly map: BoneMap;
  readonly reference: ReferencePose;
  /**
   * The pose of the file that the reference pose was taken or estimated from, local, 10 floats a node: the lengths of the limbs, and how
   * the nodes between bones stand. A character that rests in another pose than it was bound in is retargeted with this shape.
   * Null when that is the rest pose.
   */
  readonly shape: Float64Array | null;
  /** F: turns directions of the file's axes into the canonical frame (facing +Z, up +Y); unit quaternion xyzw. */
  readonly frame: Float64Array;
  /** Meters of one unit of length of the file. */
  readonly metersPerUnit: number;
  /** Height of the ground, canonical frame, meters. */
  readonly ground: number;
  /** Reference height of the hips above the ground, meters. */
  readonly hipsHeight: number;
  /** Reference height of the highest joint above the ground, meters. */
  readonly height: number;
  /** What was odd about it. */
  readonly issues: readonly Issue[];
}

/** Nodes by bone name, as a bone map file or a caller gives them: a node's name or its index in the file. */
export type GivenBones = Readonly<Partial<Record<BoneName, string | number>>>;
