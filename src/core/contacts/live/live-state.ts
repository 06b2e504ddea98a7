/** Types of live contacts: what is decided once per pair, and what changes from frame to frame. */
import type { Side } from '../../humanoid/bones.ts';
import type { ContactPlan } from '../plan/contact-plan.ts';
import type { PartialPose } from './partial-pose.ts';
import type { SolePoints } from './sole-points.ts';
import type { TrunkPoints } from './trunk-points.ts';

/** Returns the height of the ground at a place, see `LiveGround`. */
export type GroundHeight = (x: number, z: number) => number;

/** One leg of one character. Entries are those of its {@link PartialPose}. */
export interface LiveLeg {
  /** Entries of upper leg, lower leg and foot. */
  readonly entries: Int32Array;
  /** Toe joint and heel in the space of the foot: xyz each. */
  readonly tips: Float64Array;
  /** Height of the toe joint above the ground when the foot is flat on it, meters. */
  readonly ballHeight: number;
  /** The axis of the knee, to the left of the character, in the space of the upper leg; xyz, unit. */
  readonly hinge: Float64Array;
  /** Length of thigh and shin, meters. */
  readonly length: number;
  /** Points of the foot. */
  readonly points: SolePoints;
  /** Distance of the furthest of them from the ankle, meters. */
  readonly reach: number;
}

/** One of the two characters. */
export interface LiveCharacter {
  /** The posed part of its skeleton. */
  readonly pose: PartialPose;
  /** Entries before this one are posed in every frame; the others only when the trunk may be on the ground. */
  readonly legsEnd: number;
  /** Entry of the hips. */
  readonly hips: number;
  /** Points of trunk, head, thighs and knees. */
  readonly trunk: TrunkPoints;
  /** The direction that is up in the reference pose, in the axes of the hips; xyz. */
  readonly hipsUp: Float64Array;
  /** Height of the hips above the ground in the reference pose, meters. */
  readonly hipsHeight: number;
  /** Height of the ground, canonical frame, meters. */
  readonly floor: number;
  /** Length of the longer leg, meters. */
  readonly legLength: number;
  /** Height up to which the lowest point of the trunk is looked for, at 0, canonical frame, meters. */
  readonly trunkLimit: Float64Array;
}

/** Indices in {@link LiveFoot.now}. */
export const NOW = {
  /** Heights of the two soles above the ground, meters. */
  sourceClearance: 0,
  targetClearance: 1,
  /** How far the two legs are stretched: distance from hip to ankle relative to their length. */
  sourceExtension: 2,
  extension: 3,
  /** Length of thigh and shin of the target in this pose, meters. */
  length: 4,
  /** The extension that the leg of the target may have: that of either character, or a little less than straight. */
  freeExtension: 5,
  /** Vertical offset from plain retargeting that the sole wants, and that it gets, meters. */
  lift: 6,
  raised: 7,
} as const;

/** Indices in {@link LiveFoot.memory}. */
export const MEMORY = {
  /** Horizontal offset of the foot from plain retargeting, x and z, meters, and its velocity. */
  shift: 0,
  shiftVelocity: 2,
  /** How much the sole is kept at the height of that of the source, 0…1. */
  touching: 4,
  /** Height by which a swinging foot has just avoided the floor, meters. */
  avoided: 5,
  /** How much the foot is being moved around this time, 0…1. */
  activity: 6,
  /** How much the foot is locked, 0…1. */
  locked: 7,
  /** Heights of the ground below the foot of the source and of the target, above that of the reference pose, meters. */
  sourceGround: 8,
  ground: 9,
} as const;
/** Floats of {@link LiveFoot.memory}. */
export const MEMORY_SIZE = 10;

/** A foot of both characters. */
export interface LiveFoot {
  /** The side. */
  readonly side: Side;
  /** Its leg of the source. */
  readonly source: LiveLeg;
  /** Its leg of the target. */
  readonly target: LiveLeg;
  /** Whether the lower leg is below the upper leg in the node tree of the target. */
  readonly isShinConnected: boolean;
  /** Whether the foot is below the lower leg in the node tree of the target. */
  readonly isFootConnected: boolean;
  /** Whether the toe joint of the source is planted. */
  isToePlanted: boolean;
  /** Whether the heel of the source is planted. */
  isHeelPlanted: boolean;
  /** Toe joint and heel of the source, then of the target after plain retargeting: xyz each, canonical frame, meters. */
  tips: Float64Array;
  /** The same in the last frame. */
  formerTips: Float64Array;
  /** Velocities of toe joint and heel of the source: xyz each, meters per second. */
  readonly velocities: Float64Array;
  /** Hip, knee and ankle of the target after plain retargeting: xyz each. */
  readonly joints: Float64Array;
  /** Where the ankle goes, xyz. */
  readonly goal: Float64Array;
  /** Values of this frame, see {@link NOW}. */
  readonly now: Float64Array;
  /** Values that are remembered from frame to frame, see {@link MEMORY}. */
  readonly memory: Float64Array;
}

/** Indices in {@link LiveState.hips}. */
export const HIPS = {
  /** How much the hips are raised, and its velocity, meters. */
  raise: 0,
  raiseVelocity: 1,
  /** How much they are lowered because a leg is too short, and its velocity. */
  drop: 2,
  dropVelocity: 3,
  /** Heights of the lowest points of the two trunks above the ground, meters. */
  sourceClearance: 4,
  targetClearance: 5,
  /** How much the trunk of the source is on the ground, 0…1. */
  onGround: 6,
  /** The sum of raise and drop, meters. */
  offset: 7,
  /** Vertical velocity of the hips of the source, meters per second. */
  sourceVelocity: 8,
  /** How far the hips of the source are expected to fall soon, meters. */
  fall: 10,
  /** How far the hips must be lowered so that all feet on the ground are within reach, meters. */
  neededDrop: 9,
  /** Heights of the ground below the hips of the source and of the target, above that of the reference pose, meters. */
  sourceGround: 11,
  ground: 12,
} as const;

/** Indices in {@link LiveState.time}. */
export const TIME = {
  /** Seconds since the last frame. */
  seconds: 0,
  /** Part of a change that is taken over in this time: for velocities, touching, locks, legs that begin to move, and legs that rest again. */
  velocity: 1,
  touch: 2,
  lock: 3,
  attack: 4,
  release: 5,
  /** Part of an avoided height that is left after this time. */
  avoided: 6,
} as const;

/** Contacts of a pair of characters that are animated together. */
export interface LiveState {
  /** How contacts are kept. */
  readonly plan: ContactPlan;
  /** The character that moves. */
  readonly source: LiveCharacter;
  /** The character that follows. */
  readonly target: LiveCharacter;
  /** The feet that both characters have. */
  readonly feet: readonly LiveFoot[];
  /** Values of hips and trunk, see {@link HIPS}. */
  readonly hips: Float64Array;
  /** Positions of both hips joints in this frame and in the last one: source, target; xyz each. */
  hipsPositions: Float64Array;
  /** See {@link hipsPositions}. */
  formerHips: Float64Array;
  /** Values of the time since the last frame, see {@link TIME}. */
  readonly time: Float64Array;
  /** Heights of the ground below the source; null for a plane. */
  readonly sourceGround: GroundHeight | null;
  /** Heights of the ground below the target; null for a plane. */
  readonly ground: GroundHeight | null;
  /** Whether both characters have a ground to touch. */
  readonly isUsable: boolean;
  /** Whether the next frame starts anew, without memory. */
  isFresh: boolean;
}
