/** What a procedural character consists of: its rig options, its skeleton, and the ground truth about it. */
import type { Skeleton } from '../../core/skeleton/skeleton.ts';
import type { Figure } from '../figure/figure.ts';
import type { Pose } from '../figure/pose.ts';
import type { Posture } from '../figure/posture.ts';
import type { Proportions } from '../figure/proportions.ts';
import type { Axes } from './axes.ts';
import type { NamingName } from './naming.ts';
import type { ExtraJoints, OptionalBones } from './rig.ts';

/** A node above the hips. It does not move the character: the local transform of the hips compensates for it, as in exported files. */
export interface ArmatureNode {
  readonly name: string;
  /** Local translation in the unit of its parent; 0 by default. */
  readonly translation?: readonly [number, number, number];
  readonly rotation?: readonly [number, number, number, number];
  readonly scale?: number;
  /** Whether the skin lists it as a joint. */
  readonly joint?: boolean;
}

export type PoseChoice = Posture | ((figure: Figure) => Pose);

export interface CharacterOptions {
  readonly name?: string;
  readonly proportions?: Proportions;
  readonly without?: readonly OptionalBones[];
  readonly extras?: readonly ExtraJoints[];
  readonly naming?: NamingName;
  readonly axes?: Axes;
  /** Bind pose; the T-pose by default. */
  readonly bindPose?: PoseChoice;
  /** Rest pose of the nodes in the file; the bind pose by default. */
  readonly restPose?: PoseChoice;
  /** Whether the character has a skin; true by default. Without one the skeleton has no bind pose, but the axes still follow `bindPose`. */
  readonly skin?: boolean;
  /** Meters per unit of the file: 1 by default, 0.01 for centimeters. */
  readonly metersPerUnit?: number;
  /** Nodes above the hips, root first. */
  readonly armature?: readonly ArmatureNode[];
  /** Degrees about the up axis from +Z (from −Y where +Z is up) towards the left; 180 faces −Z. */
  readonly facing?: number;
  /** Up axis of the file; `+Y` by default. */
  readonly up?: '+Y' | '+Z';
}

export interface NodeTransform {
  readonly rotation: Float64Array;
  readonly position: Float64Array;
  readonly scale: number;
}

export interface DemoCharacter {
  readonly name: string;
  /** T-pose joint positions, independent of the rig. */
  readonly figure: Figure;
  /** Nodes with their rest pose, and with their bind pose where the character has a skin. */
  readonly skeleton: Skeleton;
  /** Node of every bone; −1 where the bone is absent. */
  readonly bones: Int32Array;
  /** Bone whose world delta moves each node: its own bone, else that of its parent; −1 above the hips. */
  readonly motionBones: Int32Array;
  /** For a joint between two bones of the trunk: the child bone, whose delta may be blended in; else −1. */
  readonly blendBones: Int32Array;
  /** T-pose position of every node, xyz, canonical frame, meters; 0 for the armature. */
  readonly joints: Float64Array;
  /** T-pose world rotation of every node, xyzw, canonical frame; 0 for the armature. */
  readonly axes: Float64Array;
  /** World transforms of the nodes above the hips, root first. */
  readonly armature: readonly NodeTransform[];
  readonly bindPose: Pose;
  readonly restPose: Pose;
  /** Rotation F from the axes of the file into the canonical frame, xyzw. */
  readonly frame: Float64Array;
  readonly metersPerUnit: number;
}
