/** Follows the feet of both characters from frame to frame: plants, offsets over the ground, heights. */
import {
  CLOSE,
  ENTER_HEIGHT,
  ENTER_SPEED,
  FOOT_IN_AIR,
  FOOT_ON_GROUND,
  LEAVE_HEIGHT,
  LEAVE_SPEED,
  LOST,
  RESTING,
  SUNK,
  SWINGING,
  TOUCHING,
} from '../constants.ts';
import { easeAll } from '../paths/ease.ts';
import type { LiveCharacter, LiveFoot, LiveState } from './live-state.ts';

/** Weights of touching below this become 0. */
const NO_TOUCH = 1e-4;
/** Rate, per second, with which a foot in the air returns to plain retargeting. */
const RETURN_RATE = 10;
/** Seconds in which this return stops when the foot comes close to the ground. */
const STOP_TIME = 0.03;
/** Offsets relative to the leg: up to the first a foot stays locked, from the second on it is not. */
const LOCK_RADIUS = 0.1;
const UNLOCK_RADIUS = 0.2;
const LARGEST_OFFSET = 0.3;

/** Factors of values that are eased from one limit to another. */
const PER_CLOSENESS = 1 / (TOUCHING - CLOSE);
const PER_DEPTH = 1 / (SUNK - LOST);
const PER_RISE = 1 / (RESTING - SWINGING);
const PER_HEIGHT = 1 / (FOOT_ON_GROUND - FOOT_IN_AIR);
const PER_RADIUS = 1 / (LOCK_RADIUS - UNLOCK_RADIUS);
const PER_SWING = 1 / (SWINGING - RESTING);
const PER_DISTANCE = 1 / (FOOT_ON_GROUND - TOUCHING);

const eased = new Float64Array(5);

/** Tells whether the ball (at 0) or the heel (at 3) is planted: low and slow, with hysteresis. */
function isPlanted(
  { source, ends, velocities, memory }: LiveFoot,
  { floor }: LiveCharacter,
  at: number,
  was: boolean,
): boolean {
  const height = ends[at + 1] - floor - memory.sourceGround - (at === 0 ? source.ballHeight : 0);
  if (height > (was ? LEAVE_HEIGHT : ENTER_HEIGHT) * source.length) return false;
  const x = velocities[at];
  const z = velocities[at + 2];
  const limit = (was ? LEAVE_SPEED : ENTER_SPEED) * source.length;
  return x * x + z * z < limit * limit;
}

/** Sets `eased` at 3 and 4 so that their product, eased, tells how much a foot swings past the other one, which is lower; as `swingsPast` does for clips. */
function compareFeet({ source, ends, velocities, memory }: LiveFoot, other: LiveFoot): void {
  const perLength = 1 / source.length;
  const own = Math.min(ends[1] - source.ballHeight, ends[4]) - memory.sourceGround;
  const ofOther = Math.min(other.ends[1] - other.source.ballHeight, other.ends[4]) - other.memory.sourceGround;
  let least = Number.POSITIVE_INFINITY;
  for (let a = 0; a < 6; a += 3) {
    for (let b = 0; b < 6; b += 3) {
      const x = velocities[a] - other.velocities[b];
      const z = velocities[a + 2] - other.velocities[b + 2];
      least = Math.min(least, x * x + z * z);
    }
  }
  eased[3] = ((own - ofOther) * perLength - TOUCHING) * PER_DISTANCE;
  eased[4] = (Math.sqrt(least) * perLength - RESTING) * PER_SWING;
}

/** Updates how much the sole touches the ground. */
function trackTouch(foot: LiveFoot, { feet, time, isFresh }: LiveState): void {
  const { source, velocities, now, memory } = foot;
  const perLength = 1 / source.length;
  const height = now.sourceClearance * perLength;
  const rising = Math.min(Math.abs(velocities[1]), Math.abs(velocities[4])) * perLength;
  eased[0] = (height - CLOSE) * PER_CLOSENESS;
  eased[1] = (height - LOST) * PER_DEPTH;
  eased[2] = (rising - SWINGING) * PER_RISE;
  eased[3] = 0;
  eased[4] = 0;
  for (let k = 0; !source.isArm && k < feet.length; k++) if (feet[k] !== foot) compareFeet(foot, feet[k]);
  easeAll(eased, 5);
  // Hands are often close to what they do not rest on.
  const isSlow = source.isArm ? 0 : eased[2] * (1 - eased[3] * eased[4]);
  const isStill = foot.isToePlanted || foot.isHeelPlanted ? 1 : isSlow;
  now.closeness = source.isArm ? eased[0] * eased[1] : 1;
  const touches = eased[0] * eased[1] * isStill;
  // A foot comes and goes with its height; a hand stops and starts at once.
  const ofHand = touches > memory.touching ? time.attack : time.release;
  const step = isFresh ? 1 : source.isArm ? ofHand : time.touch;
  const touching = memory.touching + (touches - memory.touching) * step;
  memory.touching = touching > NO_TOUCH ? touching : 0;
}

/**
 * Updates the horizontal offset of a foot from plain retargeting. On the ground it absorbs the difference between plain retargeting and the path of the
 * source; in the air it returns to zero.
 */
function trackShift(foot: LiveFoot, live: LiveState): void {
  const { plan, time, hipsPositions, formerHips } = live;
  const { source, ends, formerEnds, memory } = foot;
  const { shift, shiftVelocity } = memory;
  const floor = live.source.floor + memory.sourceGround;
  const dt = time.seconds;
  const factor = plan.retarget.hipsScale;
  const isHipsFixed = plan.retarget.hips === null;
  const ballHeight = (ends[1] + formerEnds[1]) / 2 - floor - source.ballHeight;
  const heelHeight = (ends[4] + formerEnds[4]) / 2 - floor;
  const perLength = 1 / source.length;
  eased[0] = (ballHeight * perLength - FOOT_IN_AIR) * PER_HEIGHT;
  eased[1] = (heelHeight * perLength - FOOT_IN_AIR) * PER_HEIGHT;
  easeAll(eased, 2);
  const isOnHeel = foot.isHeelPlanted && !foot.isToePlanted;
  const ball = isOnHeel ? 0 : eased[0];
  const heel = eased[1] * (1 - ball);
  const kept = ball + heel;
  const ofHeel = kept > 0 ? heel / kept : 0;
  let locked = 0;
  if (plan.mode === 'lock') {
    const wanted = foot.isToePlanted || foot.isHeelPlanted ? 1 : 0;
    memory.locked += (wanted - memory.locked) * time.lock;
    const x = shift[0];
    const z = shift[1];
    eased[0] = (Math.sqrt(x * x + z * z) / foot.target.length - UNLOCK_RADIUS) * PER_RADIUS;
    easeAll(eased, 1);
    locked = memory.locked * eased[0];
  }
  const damping = 2 * RETURN_RATE * (1 - kept) + kept * (1 / STOP_TIME);
  const pull = RETURN_RATE * RETURN_RATE * (1 - kept);
  const slowing = 1 / (1 + dt * damping + dt * dt * pull);
  const most = LARGEST_OFFSET * foot.target.length;
  for (let c = 0; c < 2; c++) {
    const axis = 2 * c;
    const ofBall = ends[6 + axis] - formerEnds[6 + axis];
    const ofHeelEnd = ends[9 + axis] - formerEnds[9 + axis];
    const moved = (1 - ofHeel) * ofBall + ofHeel * ofHeelEnd;
    // Where the hips of the target stay in place, the ground moves with those of the source.
    const ground = isHipsFixed ? hipsPositions[axis] - formerHips[axis] : 0;
    const byBall = ends[axis] - formerEnds[axis];
    const byHeel = ends[3 + axis] - formerEnds[3 + axis];
    const wanted = factor * ((1 - ofHeel) * byBall + ofHeel * byHeel - ground);
    shift[c] -= kept * (moved - (1 - locked) * wanted);
    shiftVelocity[c] = (shiftVelocity[c] - dt * pull * shift[c]) * slowing;
    shift[c] += dt * shiftVelocity[c];
    shift[c] = Math.min(most, Math.max(-most, shift[c]));
  }
}

function trackVelocities({ ends, formerEnds, velocities }: LiveFoot, { time, isFresh }: LiveState): void {
  const dt = time.seconds;
  if (isFresh || !(dt > 0)) return;
  const rate = 1 / dt;
  const part = time.velocity;
  for (let c = 0; c < 6; c++) velocities[c] += ((ends[c] - formerEnds[c]) * rate - velocities[c]) * part;
}

/** Finds how far the foot has to be raised so that its sole is as high as that of the source. */
function findLift({ now }: LiveFoot, { plan: { mode, retarget } }: LiveState): void {
  const clearance = now.targetClearance;
  now.lift =
    mode === 'ground'
      ? Math.max(0, -clearance)
      : Math.max(retarget.hipsScale * now.sourceClearance - clearance, -Math.max(0, clearance));
}

function trackHipsVelocity({ hips, hipsPositions, formerHips, time, isFresh }: LiveState): void {
  const dt = time.seconds;
  if (isFresh || !(dt > 0)) return;
  const velocity = (hipsPositions[1] - formerHips[1]) / dt;
  hips.sourceVelocity += (velocity - hips.sourceVelocity) * time.velocity;
}

function trackFoot(foot: LiveFoot, live: LiveState): void {
  foot.isToePlanted = isPlanted(foot, live.source, 0, foot.isToePlanted);
  foot.isHeelPlanted = isPlanted(foot, live.source, 3, foot.isHeelPlanted);
  trackTouch(foot, live);
  if (!live.isFresh && live.plan.mode !== 'ground') trackShift(foot, live);
  findLift(foot, live);
}

export function trackFeet(live: LiveState): void {
  const { feet, hands } = live;
  trackHipsVelocity(live);
  for (let k = 0; k < feet.length; k++) trackVelocities(feet[k], live);
  for (let k = 0; k < feet.length; k++) trackFoot(feet[k], live);
  for (let k = 0; k < hands.length; k++) trackVelocities(hands[k], live);
  for (let k = 0; live.areHandsLow && k < hands.length; k++) {
    // Where those of the target were is not known.
    if (!live.wereHandsLow) for (let c = 6; c < 12; c++) hands[k].formerEnds[c] = hands[k].ends[c];
    trackFoot(hands[k], live);
  }
}
