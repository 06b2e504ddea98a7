import {
  DEEPEST_DROP,
  FOOT_WEIGHT,
  FREE_WEIGHT,
  HIPS_BENDING,
  HIPS_STIFFNESS,
  LIVE_TRUNK_WEIGHT,
  TRUNK_IN_AIR,
  TRUNK_ON_GROUND,
} from '../constants.ts';
import { easeAll } from '../paths/ease.ts';
import type { LiveFoot, LiveHips, LiveState } from './live-state.ts';

/** Seconds that a fall is looked ahead: the hips need some time to follow. */
export const LOOK_AHEAD = 0.1;
/** Rates, per second, with which the hips are lowered for a leg that is too short, and return. */
const LOWERING_RATE = 30;
const RETURN_RATE = 8;

const eased = new Float64Array(1);

/** Finds the vertical offset of a foot from plain retargeting, with the hips raised. It goes no deeper than the source, nor than plain retargeting. */
function raiseFoot({ now, memory }: LiveFoot, { plan: { mode, retarget }, hips, time }: LiveState): void {
  const clearance = now.targetClearance;
  const raise = hips.offset;
  if (mode === 'ground') {
    now.raised = Math.max(raise, -clearance);
    return;
  }
  const touching = memory.touching;
  const free = touching * now.lift + (1 - touching) * raise;
  const deepest = Math.min(0, Math.max(retarget.hipsScale * now.sourceClearance, clearance));
  const below = Math.max(0, deepest - clearance - free) * now.closeness;
  const avoided = Math.max(below, memory.avoided * time.avoided);
  memory.avoided = avoided;
  now.raised = free + Math.max(below, (1 - touching) * avoided);
}

/** Writes the goal of the ankle of a foot with the hips raised. */
function setGoal({ goal, joints, memory, now }: LiveFoot): void {
  goal[0] = joints[6] + memory.shift[0];
  goal[1] = joints[7] + now.raised;
  goal[2] = joints[8] + memory.shift[1];
}

function findRaise({ plan: { mode, retarget }, hips, feet, time, isFresh }: LiveState): void {
  const onTrunk = hips.onGround;
  const clearance = hips.targetClearance;
  let sum = LIVE_TRUNK_WEIGHT * onTrunk * onTrunk;
  let wanted = 0;
  if (sum > 0) {
    const height =
      mode === 'ground'
        ? Math.max(0, -clearance)
        : Math.max(retarget.hipsScale * hips.sourceClearance - clearance, -Math.max(0, clearance));
    wanted = sum * height;
  }
  const off = (1 - onTrunk) * (1 - onTrunk);
  if (mode !== 'ground') {
    for (let k = 0; k < feet.length; k++) {
      const touching = feet[k].memory.touching;
      const weight = FOOT_WEIGHT * touching * touching * off;
      sum += weight;
      wanted += weight * feet[k].now.lift;
    }
  }
  sum += FREE_WEIGHT * off;
  // In the air, as high above the ground as over a plane.
  wanted += FREE_WEIGHT * off * (hips.ground - retarget.hipsScale * hips.sourceGround);
  const goal = sum > 0 ? wanted / sum : 0;
  if (isFresh) {
    hips.raise = goal;
    hips.raiseVelocity = 0;
    return;
  }
  // A damped spring, stable for any step.
  const dt = time.seconds;
  const pull = Math.sqrt(sum / HIPS_BENDING);
  const damping = Math.sqrt(Math.max(HIPS_STIFFNESS / HIPS_BENDING + 2 * pull, 4 * pull));
  const velocity = hips.raiseVelocity - dt * pull * (hips.raise - goal);
  hips.raiseVelocity = velocity / (1 + dt * damping + dt * dt * pull);
  hips.raise += dt * hips.raiseVelocity;
}

/** Finds how far the hips must be lowered so that a foot on the ground is within reach; the most of all feet counts. */
function addNeededDrop(foot: LiveFoot, hips: LiveHips): void {
  const { joints, now, memory } = foot;
  const grounded = memory.touching * (1 - hips.onGround);
  if (!(grounded > 0)) return;
  const reach = now.freeExtension * now.length;
  const raise = hips.offset;
  const x = memory.shift[0];
  const y = now.raised - raise;
  const z = memory.shift[1];
  const dx = joints[0] - joints[6] - x;
  const dz = joints[2] - joints[8] - z;
  const horizontal = Math.min(dx * dx + dz * dz, reach * reach);
  const drop = joints[1] - joints[7] - y - Math.sqrt(reach * reach - horizontal);
  hips.neededDrop = Math.max(hips.neededDrop, grounded * drop);
}

function findDrop({ hips, feet, time, isFresh, target }: LiveState): void {
  hips.neededDrop = 0;
  for (let k = 0; k < feet.length; k++) addNeededDrop(feet[k], hips);
  const drop = Math.min(hips.neededDrop, DEEPEST_DROP * target.legLength);
  if (isFresh) {
    hips.drop = drop;
    hips.dropVelocity = 0;
    return;
  }
  const dt = time.seconds;
  const rate = drop > hips.drop ? LOWERING_RATE : RETURN_RATE;
  const pull = rate * rate;
  const velocity = hips.dropVelocity - dt * pull * (hips.drop - drop);
  hips.dropVelocity = velocity / (1 + 2 * dt * rate + dt * dt * pull);
  hips.drop += dt * hips.dropVelocity;
}

export function trackHips(live: LiveState): void {
  const { plan, source, hips, feet, hands } = live;
  const clearance = plan.mode === 'ground' ? hips.targetClearance : hips.sourceClearance;
  const expected = clearance - hips.fall;
  eased[0] = (expected / source.legLength - TRUNK_IN_AIR) / (TRUNK_ON_GROUND - TRUNK_IN_AIR);
  easeAll(eased, 1);
  hips.onGround = plan.mode === 'ground' ? (clearance < 0 ? 1 : 0) : eased[0];
  const canMove = plan.retarget.hips !== null;
  if (canMove) findRaise(live);
  hips.offset = hips.raise;
  for (let k = 0; k < feet.length; k++) raiseFoot(feet[k], live);
  if (canMove && plan.mode !== 'ground') {
    findDrop(live);
    hips.offset = hips.raise - hips.drop;
    for (let k = 0; k < feet.length; k++) raiseFoot(feet[k], live);
  }
  for (let k = 0; k < feet.length; k++) setGoal(feet[k]);
  for (let k = 0; live.areHandsLow && k < hands.length; k++) {
    raiseFoot(hands[k], live);
    setGoal(hands[k]);
  }
}
