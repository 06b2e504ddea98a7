/** Writes the new pose: legs that reach their goals, and raised hips. */
import type { Floats } from '../../math/floats.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { retargetDetachedJoint } from '../../retarget/detached/retarget-detached-joint.ts';
import { applyLinear } from '../../retarget/transform-point.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../skeleton/skeleton.ts';
import { solveLeg } from '../legs/solve-leg.ts';
import { easeAll } from '../paths/ease.ts';
import { HIPS, type LiveFoot, type LiveState, MEMORY, NOW, TIME } from './live-state.ts';
import { fromEntryAxes, toEntryAxes } from './partial-pose.ts';

/** Distance, relative to the leg, from which on a foot counts fully as moved. */
const MOVED_FOOT = 0.005;
/** An offset of a foot from its hips below this, meters, is rounding. */
const NO_OFFSET = 1e-8;

const hinge = new Float64Array(3);
const goal = new Float64Array(3);
const eased = new Float64Array(1);
const solved = new Float64Array(8);
const change = new Float64Array(3);
const knee = new Float64Array(4);
const moved = new Float64Array(3);

/** Sets `goal`: the ankle, softly within reach. The leg is solved with the hips where they were; what remains is the offset of the foot relative to them. */
function reachGoal({ now, joints, goal: wanted }: LiveFoot, hips: Float64Array): void {
  const x = wanted[0] - joints[0];
  const y = wanted[1] - joints[1] - hips[HIPS.offset];
  const z = wanted[2] - joints[2];
  const extension = Math.sqrt(x * x + y * y + z * z) / now[NOW.length];
  const start = now[NOW.freeExtension];
  const room = 1 - start;
  let factor = 1;
  // The same as softReach, whose result would be boxed where it is not inlined.
  if (extension > start)
    factor = (room > 0 ? start + room * (1 - Math.exp((start - extension) / room)) : 1) / extension;
  goal[0] = joints[0] + x * factor;
  goal[1] = joints[1] + y * factor;
  goal[2] = joints[2] + z * factor;
}

/** Updates how much a foot is being moved around this time; tells whether it is moved now. */
function updateActivity({ joints, target, memory }: LiveFoot, { time, isFresh }: LiveState): boolean {
  const x = goal[0] - joints[6];
  const y = goal[1] - joints[7];
  const z = goal[2] - joints[8];
  const distance = Math.sqrt(x * x + y * y + z * z);
  eased[0] = distance / (MOVED_FOOT * target.length);
  easeAll(eased, 1);
  const wanted = eased[0];
  const isRising = wanted > memory[MEMORY.activity];
  const step = isFresh ? 1 : time[isRising ? TIME.attack : TIME.release];
  memory[MEMORY.activity] += (wanted - memory[MEMORY.activity]) * step;
  return distance > NO_OFFSET;
}

/**
 * Changes the local rotation of a node so that its model rotation changes by a rotation of the canonical frame, or by its inverse where `sign` is −1. What its parent has
 * been rotated by is part of that rotation.
 */
function changeRotation(
  local: Floats,
  node: number,
  matrices: Float64Array,
  parent: number,
  rotation: Float64Array,
  r: number,
  sign: number,
): void {
  toEntryAxes(change, 0, matrices, parent, rotation, r);
  const at = POSE_STRIDE * node + PATH_OFFSET.rotation;
  const ax = sign * change[0];
  const ay = sign * change[1];
  const az = sign * change[2];
  const aw = rotation[r + 3];
  const bx = local[at];
  const by = local[at + 1];
  const bz = local[at + 2];
  const bw = local[at + 3];
  const x = aw * bx + ax * bw + ay * bz - az * by;
  const y = aw * by - ax * bz + ay * bw + az * bx;
  const z = aw * bz + ax * by - ay * bx + az * bw;
  const w = aw * bw - ax * bx - ay * by - az * bz;
  const squared = x * x + y * y + z * z + w * w;
  if (!(squared > 0)) return;
  const factor = 1 / Math.sqrt(squared);
  local[at] = x * factor;
  local[at + 1] = y * factor;
  local[at + 2] = z * factor;
  local[at + 3] = w * factor;
}

function moveFoot(foot: LiveFoot, live: LiveState, local: Floats): void {
  const { entries, hinge: axis } = foot.target;
  const { nodes, parents, matrices } = live.target.pose;
  reachGoal(foot, live.hips);
  if (!updateActivity(foot, live)) return;
  const thigh = entries[0];
  const shin = entries[1];
  const ankle = entries[2];
  fromEntryAxes(hinge, 0, matrices, thigh, axis, 0);
  solveLeg(solved, foot.joints, goal, hinge, foot.memory, MEMORY.activity);
  changeRotation(local, nodes[thigh], matrices, parents[thigh], solved, 0, 1);
  // Below the thigh, the knee has to make up for its rotation.
  if (foot.isShinConnected) quat.conjugate(knee, 0, solved, 0);
  else quat.identity(knee, 0);
  quat.multiply(knee, 0, knee, 0, solved, 4);
  changeRotation(local, nodes[shin], matrices, parents[shin], knee, 0, 1);
  if (foot.isFootConnected) changeRotation(local, nodes[ankle], matrices, parents[ankle], solved, 4, -1);
}

/**
 * Writes the new pose.
 *
 * @param live The contacts, after `trackHips`.
 * @param local Local pose of the target after plain retargeting, 10 floats per node; changed in place.
 */
export function moveFeet(live: LiveState, local: Floats): void {
  const { plan, feet, hips } = live;
  for (let k = 0; k < feet.length; k++) moveFoot(feet[k], live, local);
  if (plan.retarget.hips !== null && hips[HIPS.offset] !== 0) {
    moved[0] = 0;
    moved[1] = hips[HIPS.offset];
    moved[2] = 0;
    applyLinear(moved, 0, plan.retarget.hips.targetLinear, moved, 0);
    const at = POSE_STRIDE * plan.retarget.hips.targetNode;
    vec3.add(local, at, local, at, moved, 0);
  }
  const { detachedJoints } = plan.retarget;
  for (let k = 0; k < detachedJoints.length; k++) retargetDetachedJoint(local, detachedJoints[k]);
}
