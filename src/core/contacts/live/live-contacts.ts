/** Keeps contacts frame by frame: no allocation, no exception. */
import type { Side } from '../../humanoid/bones.ts';
import type { Floats } from '../../math/floats.ts';
import { reflectPose } from '../../skeleton/reflections.ts';
import type { ContactPlan } from '../plan/contact-plan.ts';
import { createLiveState } from './create-live-state.ts';
import { type LiveFoot, type LiveState, NO_MEMORY, STILL_HIPS } from './live-state.ts';
import { moveFeet } from './move-feet.ts';
import { observe } from './observe.ts';
import { trackFeet } from './track-feet.ts';
import { trackHips } from './track-hips.ts';

/** Whether a foot of the source is planted in this frame. */
interface LivePlant {
  /** The side. */
  readonly side: Side;
  /** Whether the ball is planted. */
  readonly isToePlanted: boolean;
  /** Whether the heel is planted. */
  readonly isHeelPlanted: boolean;
}

/** Contacts of a pair of characters, frame by frame. It keeps the memory of one performance: create one per pair that is animated together. */
export interface LiveContacts {
  /** How contacts are kept. */
  readonly plan: ContactPlan;
  /** The feet that both characters have; updated in every frame. */
  readonly feet: readonly LivePlant[];
  /**
   * Makes a retargeted pose touch the ground as its source does. Call it for every frame, in the order of time. Neither allocates nor throws.
   *
   * @param sourcePose Pose of the source: 10 floats per node, local space.
   * @param targetPose The same pose of the target after `retargetPose`: 10 floats per node, local space; changed in place.
   * @param seconds Time since the last frame, in the time of the motion; 0 for the same frame again. After more than a quarter of a second memory is reset.
   */
  update(sourcePose: Floats, targetPose: Floats, seconds: number): void;
  /** Forgets what was before. Call it when another motion starts without a blend. Jumps of the pose that no character can do are noticed without it. */
  reset(): void;
}

/** What is below both characters. Without heights it is a plane: the ground of the reference pose. */
export interface LiveGround {
  /**
   * Returns the height of the ground below the target at a place, in meters above the ground of its reference pose. `x` is to the left of the character, `z` to its
   * front, in meters, from where the reference pose stands; hips that walk away take them along. Not finite is 0. It is called up to 17 times per frame, and must not throw.
   */
  readonly ground?: (x: number, z: number) => number;
  /** The same below the source, whose motion goes over stairs, slopes or onto a seat. */
  readonly sourceGround?: (x: number, z: number) => number;
}

/** A longer time between two frames, seconds, is a jump. */
const LONGEST_STEP = 0.25;
/** Faster movements than this, leg lengths per second, are jumps: of the hips over the ground, and of a foot relative to the hips … */
const JUMP_SPEED = 25;
/** … if they are also longer than this, leg lengths. */
const JUMP_DISTANCE = 0.3;

/** Tells whether a point moved, relative to another one, further than a character can. */
function hasJumped(
  now: Float64Array,
  before: Float64Array,
  origin: Float64Array,
  formerOrigin: Float64Array,
  limit: Float64Array,
): boolean {
  const x = now[0] - before[0] - origin[0] + formerOrigin[0];
  const y = now[1] - before[1] - origin[1] + formerOrigin[1];
  const z = now[2] - before[2] - origin[2] + formerOrigin[2];
  return x * x + y * y + z * z > limit[0] * limit[0];
}

const nowhere = new Float64Array(3);
const limit = new Float64Array(1);

/** Moves where a foot was as the hips have moved since. */
function moveFormerEnds({ formerEnds }: LiveFoot, { hipsPositions, formerHips }: LiveState): void {
  for (let c = 0; c < 12; c++) {
    const of = (c % 3) + (c < 6 ? 0 : 3);
    formerEnds[c] += hipsPositions[of] - formerHips[of];
  }
}

/**
 * Notices jumps of the source. Where the hips jump but the legs do not, the character was moved as a whole, and its feet with it. Where the legs jump,
 * memory is reset.
 */
function noticeJumps(live: LiveState): void {
  const { hipsPositions: hips, formerHips, feet, hands, source, time } = live;
  limit[0] = source.legLength * Math.max(JUMP_DISTANCE, JUMP_SPEED * time.seconds);
  for (let k = 0; k < feet.length; k++) {
    const { ends, formerEnds } = feet[k];
    if (hasJumped(ends, formerEnds, hips, formerHips, limit)) live.isFresh = true;
  }
  if (!hasJumped(hips, formerHips, nowhere, nowhere, limit)) return;
  for (let k = 0; k < feet.length; k++) moveFormerEnds(feet[k], live);
  for (let k = 0; k < hands.length; k++) moveFormerEnds(hands[k], live);
  for (let c = 0; c < 6; c++) formerHips[c] = hips[c];
}

/** Seconds over which velocities are averaged, so that the noise of a sensor is no velocity. */
const VELOCITY_TIME = 0.01;
/** Seconds over which touching is smoothed. */
const TOUCH_TIME = 0.03;
/** Seconds in which a lock sets in and ends. */
const LOCK_TIME = 0.05;
/** Seconds in which a leg takes part in a movement, and in which it forgets it. */
const ATTACK_TIME = 0.04;
const RELEASE_TIME = 0.15;
/** Seconds in which a swinging foot that has avoided the floor comes back. */
const AVOIDING_TIME = 0.06;

/** Sets the time since the last frame, and what depends on it alone. */
function setTime(live: LiveState, seconds: number): void {
  const { time } = live;
  const step = Math.abs(seconds);
  const isUsable = step <= LONGEST_STEP;
  if (!isUsable) live.isFresh = true;
  const used = isUsable ? step : 0;
  if (used === time.seconds) return;
  time.seconds = used;
  time.velocity = 1 - Math.exp(-used / VELOCITY_TIME);
  time.touch = 1 - Math.exp(-used / TOUCH_TIME);
  time.lock = 1 - Math.exp(-used / LOCK_TIME);
  time.attack = 1 - Math.exp(-used / ATTACK_TIME);
  time.release = 1 - Math.exp(-used / RELEASE_TIME);
  time.avoided = Math.exp(-used / AVOIDING_TIME);
}

function forgetFoot(foot: LiveFoot): void {
  const { memory, velocities } = foot;
  Object.assign(memory, NO_MEMORY);
  memory.shift.fill(0);
  memory.shiftVelocity.fill(0);
  velocities.fill(0);
  foot.isToePlanted = false;
  foot.isHeelPlanted = false;
}

/** Forgets what was before. */
function forget({ feet, hands, hips }: LiveState): void {
  Object.assign(hips, STILL_HIPS);
  for (let k = 0; k < feet.length; k++) forgetFoot(feet[k]);
  for (let k = 0; k < hands.length; k++) forgetFoot(hands[k]);
}

/** Remembers where a foot is for the next frame, which overwrites where it was; tells whether its memory has numbers only. */
function rememberFoot(foot: LiveFoot): boolean {
  const { memory, ends } = foot;
  foot.ends = foot.formerEnds;
  foot.formerEnds = ends;
  return Number.isFinite(memory.shift[0] + memory.shift[1] + memory.touching + memory.activity);
}

/** Remembers this frame for the next one. What is not a number would stay in the memory, so it is forgotten. */
function remember(live: LiveState): void {
  const { feet, hands, hips } = live;
  let areNumbers = Number.isFinite(hips.offset);
  for (let k = 0; k < feet.length; k++) areNumbers = rememberFoot(feet[k]) && areNumbers;
  for (let k = 0; k < hands.length; k++) areNumbers = rememberFoot(hands[k]) && areNumbers;
  live.wereHandsLow = live.areHandsLow;
  const { hipsPositions } = live;
  live.hipsPositions = live.formerHips;
  live.formerHips = hipsPositions;
  live.isFresh = !areNumbers;
}

function updateContacts(live: LiveState, sourcePose: Floats, targetPose: Floats, seconds: number): void {
  if (!live.isUsable) return;
  setTime(live, seconds);
  if (live.isFresh) forget(live);
  observe(live, sourcePose, targetPose);
  if (!live.isFresh) {
    noticeJumps(live);
    if (live.isFresh) {
      forget(live);
      observe(live, sourcePose, targetPose);
    }
  }
  trackFeet(live);
  trackHips(live);
  moveFeet(live, targetPose);
  remember(live);
}

/**
 * Creates contacts that are kept frame by frame, for motions that are not known in advance: feet, hands that rest on the ground, and the trunk of characters that sit, kneel or lie. For
 * whole clips use `applyContacts`: it sees what comes and is smoother.
 *
 * @param plan From `planContacts`.
 * @param ground Heights of ground that is no plane, as an engine or the floors of a motion give them.
 * @returns The contacts, with the memory of one performance.
 * @experimental
 * @example
 * const retarget = planRetarget(source, target);
 * const contacts = createLiveContacts(planContacts(retarget, source, target, { targetSurface }));
 * // Every frame:
 * retargetPose(retarget, sourcePose, targetPose);
 * contacts.update(sourcePose, targetPose, seconds);
 */
export function createLiveContacts(plan: ContactPlan, { ground, sourceGround }: LiveGround = {}): LiveContacts {
  const live = createLiveState(plan, sourceGround ?? null, ground ?? null);
  const { sourceSigns, targetSigns } = plan.retarget;
  const straightSource = sourceSigns === null ? null : new Float64Array(sourceSigns.length);
  return {
    plan,
    feet: live.feet,
    update(sourcePose, targetPose, seconds) {
      if (straightSource !== null && sourceSigns !== null) reflectPose(straightSource, sourcePose, sourceSigns);
      if (targetSigns !== null) reflectPose(targetPose, targetPose, targetSigns);
      updateContacts(live, straightSource ?? sourcePose, targetPose, seconds);
      if (targetSigns !== null) reflectPose(targetPose, targetPose, targetSigns);
    },
    reset() {
      live.isFresh = true;
    },
  };
}
