import type { Floats } from '../../math/floats.ts';
import { CLOSE, FREE_EXTENSION, TRUNK_IN_AIR } from '../constants.ts';
import { findGroundOfHips, findGrounds } from './ground.ts';
import type { LiveCharacter, LiveFoot, LiveLeg, LiveState } from './live-state.ts';
import { entryPoint, entryPosition, poseEntries, ROWS_STRIDE } from './partial-pose.ts';
import { lowestOfSole } from './sole-points.ts';
import { LOOK_AHEAD } from './track-hips.ts';
import { lowestOfTrunk } from './trunk-points.ts';

/** Heights relative to the leg: above the first, a sole of the source does not touch the ground; above the second, one of the target is far from it. */
const SOLE_LIMIT = 1.1 * CLOSE;
const SOLE_FAR = 0.05;
/** An upright character with its hips above this height, relative to the reference pose, has no spine or head on the ground. */
const HIGH_HIPS = 0.6;
/** Cosine of the angle up to which hips are upright. */
const UPRIGHT = 0.3;
/** Sum of what is remembered of a hand, in meters, meters per second and weights, below which it is nothing. */
const STILL = 1e-5;

const joints = new Float64Array(9);
const measured = new Float64Array(2);
const height = new Float64Array(1);

/** Writes the height of a sole of the source above the ground; a limit for a foot that is high in the air and does not touch. */
function readSourceSole({ now, memory, source }: LiveFoot, { pose, floor }: LiveCharacter): void {
  const limit = SOLE_LIMIT * source.length;
  const ground = floor + memory.sourceGround;
  const ankle = pose.matrices[ROWS_STRIDE * source.entries[2] + 7] - ground;
  if (ankle - source.reach > limit && memory.touching === 0) {
    now.sourceClearance = limit;
    return;
  }
  lowestOfSole(height, source.points, pose.matrices);
  now.sourceClearance = height[0] - ground;
}

/** Writes the height of a sole of the target above the ground; a lower bound for a foot that is high in the air and does not touch. */
function readTargetSole(foot: LiveFoot, { target: { pose, floor }, hips, isFresh }: LiveState): void {
  const { now, memory, source, target } = foot;
  const ground = floor + memory.ground;
  const bound = pose.matrices[ROWS_STRIDE * target.entries[2] + 7] - ground - target.reach;
  // How far the hips are moved is known from the last frame.
  const isFar = !isFresh && bound > SOLE_FAR * target.length + Math.abs(hips.offset);
  if (isFar && memory.touching === 0 && now.sourceClearance >= SOLE_LIMIT * source.length) {
    now.targetClearance = bound;
    return;
  }
  lowestOfSole(height, target.points, pose.matrices);
  now.targetClearance = height[0] - ground;
}

/** Tells whether spine or head may be below the limit. */
function mayUpperTouch({ pose, hips, hipsUp, hipsHeight, trunk, trunkLimit }: LiveCharacter, ground: number): boolean {
  const { matrices } = pose;
  const m = ROWS_STRIDE * hips + 4;
  const hipsAt = matrices[m + 3];
  if (hipsAt - trunk.upperReach > trunkLimit[0]) return false;
  if (hipsAt - ground < HIGH_HIPS * hipsHeight) return true;
  const x = matrices[m];
  const y = matrices[m + 1];
  const z = matrices[m + 2];
  const up = x * hipsUp[0] + y * hipsUp[1] + z * hipsUp[2];
  // The length of the row is the scale of the hips.
  return up < UPRIGHT * Math.sqrt(x * x + y * y + z * z);
}

/** Writes the heights of the trunks above the ground; that of the source is Infinity where it is not near the ground; only where it is, that of the target is needed. */
function readTrunks(live: LiveState, sourceLocal: Floats, targetLocal: Floats): void {
  const { plan, source, target, hips } = live;
  let isNear = plan.mode === 'ground';
  if (!isNear) {
    hips.fall = LOOK_AHEAD * Math.max(0, -hips.sourceVelocity);
    const limit = source.legLength * TRUNK_IN_AIR + hips.fall;
    const ground = source.floor + hips.sourceGround;
    source.trunkLimit[0] = ground + limit;
    const isUpper = mayUpperTouch(source, ground);
    const posed = live.hands.length > 0 ? source.armsEnd : source.legsEnd;
    if (isUpper) poseEntries(source.pose, sourceLocal, posed, source.pose.nodes.length);
    lowestOfTrunk(height, source.trunk, source.pose.matrices, source.trunkLimit, isUpper);
    const clearance = height[0] - ground;
    isNear = clearance < limit;
    hips.sourceClearance = isNear ? clearance : Number.POSITIVE_INFINITY;
  }
  if (!isNear) return;
  poseEntries(target.pose, targetLocal, target.legsEnd, target.pose.nodes.length);
  lowestOfTrunk(height, target.trunk, target.pose.matrices, target.trunkLimit, true);
  hips.targetClearance = height[0] - target.floor - hips.ground;
}

/** Writes hip, knee and ankle of a leg to `joints`, ball and heel to `ends` at `t`, and to `measured` its length and how far it is stretched. */
function readLeg(
  joints: Float64Array,
  ends: Float64Array,
  t: number,
  { entries, ends: points }: LiveLeg,
  matrices: Float64Array,
): void {
  const hip = ROWS_STRIDE * entries[0];
  const knee = ROWS_STRIDE * entries[1];
  const foot = ROWS_STRIDE * entries[2];
  const hx = matrices[hip + 3];
  const hy = matrices[hip + 7];
  const hz = matrices[hip + 11];
  const kx = matrices[knee + 3];
  const ky = matrices[knee + 7];
  const kz = matrices[knee + 11];
  const ax = matrices[foot + 3];
  const ay = matrices[foot + 7];
  const az = matrices[foot + 11];
  joints[0] = hx;
  joints[1] = hy;
  joints[2] = hz;
  joints[3] = kx;
  joints[4] = ky;
  joints[5] = kz;
  joints[6] = ax;
  joints[7] = ay;
  joints[8] = az;
  entryPoint(ends, t, matrices, entries[2], points, 0);
  entryPoint(ends, t + 3, matrices, entries[2], points, 3);
  const thigh = (kx - hx) * (kx - hx) + (ky - hy) * (ky - hy) + (kz - hz) * (kz - hz);
  const shin = (ax - kx) * (ax - kx) + (ay - ky) * (ay - ky) + (az - kz) * (az - kz);
  const leg = (ax - hx) * (ax - hx) + (ay - hy) * (ay - hy) + (az - hz) * (az - hz);
  const length = Math.sqrt(thigh) + Math.sqrt(shin);
  measured[0] = length;
  measured[1] = length > 0 ? Math.sqrt(leg) / length : 0;
}

function readFoot(foot: LiveFoot, live: LiveState): void {
  const { source, target, ends, now } = foot;
  readLeg(joints, ends, 0, source, live.source.pose.matrices);
  now.sourceExtension = measured[1];
  readLeg(foot.joints, ends, 6, target, live.target.pose.matrices);
  now.length = measured[0];
  now.extension = measured[1];
  findGrounds(foot, live);
  now.freeExtension = Math.min(1, Math.max(FREE_EXTENSION, now.sourceExtension, now.extension));
  readSourceSole(foot, live.source);
  readTargetSole(foot, live);
}

/** Tells whether a hand is still away from plain retargeting. */
function isMoved({ memory }: LiveFoot): boolean {
  const { shift, shiftVelocity, touching, avoided, activity } = memory;
  const moves = Math.abs(shift[0]) + Math.abs(shift[1]) + Math.abs(shiftVelocity[0]) + Math.abs(shiftVelocity[1]);
  return touching + avoided + activity + moves > STILL;
}

/** Tells whether a hand of the source may be close to the ground. Over ground with heights it always may. */
function mayHandTouch({ source: { entries, reach, length } }: LiveFoot, live: LiveState): boolean {
  if (live.sourceGround !== null || live.ground !== null) return true;
  const { pose, floor } = live.source;
  return pose.matrices[ROWS_STRIDE * entries[2] + 7] - reach - floor < SOLE_LIMIT * length;
}

/** Reads where the hands of the source are, and while they are low, or the target is on its way back from there, all that is read of feet. */
function readHands(live: LiveState, targetLocal: Floats): void {
  const { source, target, hands } = live;
  let areLow = false;
  for (let k = 0; k < hands.length; k++) {
    readLeg(joints, hands[k].ends, 0, hands[k].source, source.pose.matrices);
    areLow ||= mayHandTouch(hands[k], live) || (live.wereHandsLow && isMoved(hands[k]));
  }
  live.areHandsLow = areLow;
  if (!areLow) return;
  poseEntries(target.pose, targetLocal, target.legsEnd, target.armsEnd);
  for (let k = 0; k < hands.length; k++) readFoot(hands[k], live);
}

/**
 * Reads the pose of both characters. `live`: the contacts; receives what is seen. `sourceLocal`: local pose of the source, 10 floats per node.
 * `targetLocal`: local pose of the target after plain retargeting, 10 floats per node.
 */
export function observe(live: LiveState, sourceLocal: Floats, targetLocal: Floats): void {
  const { source, target, feet, hands, hipsPositions } = live;
  poseEntries(source.pose, sourceLocal, 1, hands.length > 0 ? source.armsEnd : source.legsEnd);
  poseEntries(target.pose, targetLocal, 1, target.legsEnd);
  entryPosition(hipsPositions, 0, source.pose.matrices, source.hips);
  entryPosition(hipsPositions, 3, target.pose.matrices, target.hips);
  findGroundOfHips(live);
  for (let k = 0; k < feet.length; k++) readFoot(feet[k], live);
  readHands(live, targetLocal);
  readTrunks(live, sourceLocal, targetLocal);
}
