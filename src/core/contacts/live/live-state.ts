/** Types of live contacts: what is decided once per pair, and what changes from frame to frame. */
import type { Side } from '../../humanoid/bones.ts';
import type { ContactPlan } from '../plan/contact-plan.ts';
import type { PartialPose } from './partial-pose.ts';
import type { SolePoints } from './sole-points.ts';
import type { TrunkPoints } from './trunk-points.ts';

export type GroundHeight = (x: number, z: number) => number;

/** One leg of one character, or an arm, which bears it as a leg does. Entries are those of its {@link PartialPose}. */
export interface LiveLeg {
  readonly isArm: boolean;
  /** Entries of upper leg, lower leg and foot. */
  readonly entries: Int32Array;
  /** Toe joint and heel in the space of the foot: xyz each. */
  readonly ends: Float64Array;
  /** Height of the ball above the ground when the foot is flat on it, meters. */
  readonly ballHeight: number;
  /** The axis of the knee, to the left of the character, in the space of the upper leg; xyz, unit. */
  readonly hinge: Float64Array;
  /** Length of thigh and shin, meters. */
  readonly length: number;
  readonly points: SolePoints;
  /** Distance of the furthest of them from the ankle, meters. */
  readonly reach: number;
}

export interface LiveCharacter {
  /** The posed part of its skeleton. */
  readonly pose: PartialPose;
  /** Entries before this one are posed in every frame … */
  readonly legsEnd: number;
  /** … so are those of the arms of the source, before this one, and those of the target when hands are low; the others when the trunk may be on the ground. */
  readonly armsEnd: number;
  /** Entry of the hips. */
  readonly hips: number;
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

interface FootNow {
  /** Heights of the two soles above the ground, meters. */
  sourceClearance: number;
  targetClearance: number;
  /** How far the two legs are stretched: distance from hip to ankle relative to their length. */
  sourceExtension: number;
  extension: number;
  /** Length of thigh and shin of the target in this pose, meters. */
  length: number;
  /** The extension that the leg of the target may have: that of either character, or a little less than straight. */
  freeExtension: number;
  /** How close the sole of the source is to the ground, 0…1: hands further from it do not avoid it. */
  closeness: number;
  /** Vertical offset from plain retargeting that the sole wants, and that it gets, meters. */
  lift: number;
  raised: number;
}

/** A foot of which nothing is known yet. */
export const NOTHING_SEEN: FootNow = {
  sourceClearance: 0,
  targetClearance: 0,
  sourceExtension: 0,
  extension: 0,
  length: 0,
  freeExtension: 0,
  closeness: 0,
  lift: 0,
  raised: 0,
};

interface FootMemory {
  /** Horizontal offset of the foot from plain retargeting, x and z, meters, and its velocity. */
  readonly shift: Float64Array;
  readonly shiftVelocity: Float64Array;
  /** How much the sole is kept at the height of that of the source, 0…1. */
  touching: number;
  /** Height by which a swinging foot has just avoided the floor, meters. */
  avoided: number;
  /** How much the foot is being moved around this time, 0…1. */
  activity: number;
  /** How much the foot is locked, 0…1. */
  locked: number;
  /** Heights of the ground below the foot of the source and of the target, above that of the reference pose, meters. */
  sourceGround: number;
  ground: number;
}
export const NO_MEMORY: Omit<FootMemory, 'shift' | 'shiftVelocity'> = {
  touching: 0,
  avoided: 0,
  activity: 0,
  locked: 0,
  sourceGround: 0,
  ground: 0,
};

/** A foot of both characters, or a hand. */
export interface LiveFoot {
  readonly side: Side;
  readonly source: LiveLeg;
  readonly target: LiveLeg;
  /** Whether the lower leg is below the upper leg in the node tree of the target. */
  readonly isShinConnected: boolean;
  /** Whether the foot is below the lower leg in the node tree of the target. */
  readonly isFootConnected: boolean;
  /** Whether ball and heel of the source are planted. */
  isToePlanted: boolean;
  isHeelPlanted: boolean;
  /** Toe joint and heel of the source, then of the target after plain retargeting: xyz each, canonical frame, meters. */
  ends: Float64Array;
  /** The same in the last frame. */
  formerEnds: Float64Array;
  /** Velocities of ball and heel of the source: xyz each, meters per second. */
  readonly velocities: Float64Array;
  /** Hip, knee and ankle of the target after plain retargeting: xyz each. */
  readonly joints: Float64Array;
  /** Where the ankle goes, xyz. */
  readonly goal: Float64Array;
  readonly now: FootNow;
  readonly memory: FootMemory;
}

/** Hips and trunk. */
export interface LiveHips {
  /** How much the hips are raised, and its velocity, meters. */
  raise: number;
  raiseVelocity: number;
  /** How much they are lowered because a leg is too short, and its velocity. */
  drop: number;
  dropVelocity: number;
  /** Heights of the lowest points of the two trunks above the ground, meters. */
  sourceClearance: number;
  targetClearance: number;
  /** How much the trunk of the source is on the ground, 0…1. */
  onGround: number;
  /** The sum of raise and drop, meters. */
  offset: number;
  /** Vertical velocity of the hips of the source, meters per second. */
  sourceVelocity: number;
  /** How far the hips must be lowered so that all feet on the ground are within reach, meters. */
  neededDrop: number;
  /** How far the hips of the source are expected to fall soon, meters. */
  fall: number;
  /** Heights of the ground below the hips of the source and of the target, above that of the reference pose, meters. */
  sourceGround: number;
  ground: number;
}
export const STILL_HIPS: LiveHips = {
  raise: 0,
  raiseVelocity: 0,
  drop: 0,
  dropVelocity: 0,
  sourceClearance: 0,
  targetClearance: 0,
  onGround: 0,
  offset: 0,
  sourceVelocity: 0,
  neededDrop: 0,
  fall: 0,
  sourceGround: 0,
  ground: 0,
};

/** The time since the last frame, and what depends on it alone. */
interface FrameTime {
  seconds: number;
  /** Part of a change that is taken over in this time: for velocities, touching, locks, legs that begin to move, and legs that rest again. */
  velocity: number;
  touch: number;
  lock: number;
  attack: number;
  release: number;
  /** Part of an avoided height that is left after this time. */
  avoided: number;
}
export const NO_TIME: FrameTime = { seconds: 0, velocity: 0, touch: 0, lock: 0, attack: 0, release: 0, avoided: 0 };

/** Contacts of a pair of characters that are animated together. */
export interface LiveState {
  readonly plan: ContactPlan;
  readonly source: LiveCharacter;
  readonly target: LiveCharacter;
  readonly feet: readonly LiveFoot[];
  /** The hands that both characters have and that may rest on the ground. */
  readonly hands: readonly LiveFoot[];
  /** Whether hands of the source are near the ground, or those of the target on their way back from it; otherwise the latter are not looked at. */
  areHandsLow: boolean;
  /** The same in the last frame. */
  wereHandsLow: boolean;
  readonly hips: LiveHips;
  /** Positions of both hips joints in this frame and in the last one: source, target; xyz each. */
  hipsPositions: Float64Array;
  /** See {@link hipsPositions}. */
  formerHips: Float64Array;
  readonly time: FrameTime;
  /** Heights of the ground below the source; null for a plane. */
  readonly sourceGround: GroundHeight | null;
  /** Heights of the ground below the target; null for a plane. */
  readonly ground: GroundHeight | null;
  /** Whether both characters have a ground to touch. */
  readonly isUsable: boolean;
  /** Whether the next frame starts anew, without memory. */
  isFresh: boolean;
}
