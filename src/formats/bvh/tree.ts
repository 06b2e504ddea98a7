import type { Issue } from '../../core/report/issue.ts';

/** One number that a joint takes in every frame: a position in the file's unit, a rotation in degrees. */
export type BvhChannel = 'Xposition' | 'Yposition' | 'Zposition' | 'Xrotation' | 'Yrotation' | 'Zrotation';

/** All channels that there are. */
export const BVH_CHANNELS: readonly BvhChannel[] = [
  'Xposition',
  'Yposition',
  'Zposition',
  'Xrotation',
  'Yrotation',
  'Zrotation',
];

/** 0 x, 1 y, 2 z. */
export function axisOf(channel: BvhChannel): 0 | 1 | 2 {
  return channel[0] === 'X' ? 0 : channel[0] === 'Y' ? 1 : 2;
}

/** Whether a channel is a position; else it is a rotation. */
export function isPosition(channel: BvhChannel): boolean {
  return channel.endsWith('position');
}

/** The most channels that one joint may have. */
export const BVH_CHANNELS_MAX = 6;

/** One block of the HIERARCHY section. */
export interface BvhJoint {
  /** The word that opens the block: `ROOT`, `JOINT`, or `End Site` (the tip of its parent). */
  readonly kind: 'root' | 'joint' | 'end';
  /** May hold spaces, may repeat, may be empty; End Sites seldom have one. */
  readonly name: string;
  /** Index of the block around it, −1 for a root; always less than the joint's own index. */
  readonly parent: number;
  /** xyz from the parent, in the file's unit. */
  readonly offset: Float64Array;
  /** In the order of the file, which is the order in which rotations are multiplied. */
  readonly channels: readonly BvhChannel[];
  /** Column of its first channel in a frame. */
  readonly column: number;
}

/** The MOTION section. */
export interface BvhMotion {
  /** Whole frames that the numbers make, whatever the header says. */
  readonly frameCount: number;
  /** Seconds from frame to frame: finite, above 0. */
  readonly frameTime: number;
  /** `frameCount` rows of one finite number a channel, joint after joint. */
  readonly values: Float64Array;
}

/** A BVH file as it is written: nothing converted, the order of joints, children and channels kept. */
export interface BvhTree {
  /** Depth first, as in the file; End Sites included. */
  readonly joints: readonly BvhJoint[];
  /** Numbers in a frame: the channels of all joints together. */
  readonly channelCount: number;
  /** Null when the file has no MOTION section. */
  readonly motion: BvhMotion | null;
  /** What was odd about the text, and how it was taken. */
  readonly issues: readonly Issue[];
}
