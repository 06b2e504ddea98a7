import type { Issue } from '../../core/report/issue.ts';

/** One number per frame of a joint: a position in the unit of the file, or a rotation in degrees. */
export type BvhChannel = 'Xposition' | 'Yposition' | 'Zposition' | 'Xrotation' | 'Yrotation' | 'Zrotation';

export const BVH_CHANNELS: readonly BvhChannel[] = [
  'Xposition',
  'Yposition',
  'Zposition',
  'Xrotation',
  'Yrotation',
  'Zrotation',
];

export function axisOf(channel: BvhChannel): 0 | 1 | 2 {
  return channel[0] === 'X' ? 0 : channel[0] === 'Y' ? 1 : 2;
}

export function isPosition(channel: BvhChannel): boolean {
  return channel.endsWith('position');
}

export const BVH_CHANNELS_MAX = 6;

/** One block of the HIERARCHY section. */
export interface BvhJoint {
  /** The word that opens the block: `ROOT`, `JOINT`, or `End Site` (the tip of its parent). */
  readonly kind: 'root' | 'joint' | 'end';
  /** Can contain spaces, repeat, or be empty. End Sites rarely have one. */
  readonly name: string;
  /** Index of the parent block, −1 for a root; always less than the index of the joint. */
  readonly parent: number;
  /** OFFSET: xyz from the parent, in the unit of the file. */
  readonly offset: Float64Array;
  /** In file order, which is the order in which rotations are multiplied. */
  readonly channels: readonly BvhChannel[];
  /** Column of its first channel in a frame. */
  readonly column: number;
}

/** The MOTION section. */
export interface BvhMotion {
  /** Number of complete frames, counted from the numbers, not taken from the header. */
  readonly frameCount: number;
  /** Seconds from frame to frame: finite, above 0. */
  readonly frameTime: number;
  /** `frameCount` rows with one finite number per channel, joint after joint. */
  readonly values: Float64Array;
}

/** A BVH file without conversions, with joints, children and channels in file order. */
export interface BvhTree {
  /** Depth first, as in the file; End Sites included. */
  readonly joints: readonly BvhJoint[];
  /** Numbers in a frame: the channels of all joints together. */
  readonly channelCount: number;
  /** Null when the file has no MOTION section. */
  readonly motion: BvhMotion | null;
  /** Unusual parts of the text, and how they were read. */
  readonly issues: readonly Issue[];
}

/** Words of joints in the file. */
export const KIND_WORDS = { root: 'ROOT', joint: 'JOINT', end: 'End Site' } as const;
