/** Writes the new pose: legs, and arms of hands on the ground, that reach their goals, and raised hips. */
import type { Floats } from '../../math/floats.ts';
import * as vec3 from '../../math/vec3.ts';
import { retargetDetachedJoint } from '../../retarget/detached/retarget-detached-joint.ts';
import { applyLinear } from '../../retarget/transform-point.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../skeleton/skeleton.ts';
import { MOVED_FOOT } from '../constants.ts';
import { solveLeg } from '../legs/solve-leg.ts';
import { easeAll } from '../paths/ease.ts';
import { elbowAxis } from '../self-collision/elbow-axis.ts';
import type { LiveFoot, LiveHips, LiveState } from './live-state.ts';
import { fromEntryAxes, type PartialPose, toEntryAxes } from './partial-pose.ts';

/** An offset of a foot from its hips below this, meters, is rounding. */
const NO_OFFSET = 1e-8;

const hinge = new Float64Array(3);
const bend = new Float64Array(3);
const goal = new Float64Array(3);
const eased = new Float64Array(1);
const activity = new Float64Array(1);
const solved = new Float64Array(8);
const change = new Float64Array(3);
const rotation = new Float64Array(4);
const moved = new Float64Array(3);

/** Sets `goal`: the ankle, softly within reach. The leg is solved with the hips where they were; what remains is the offset of the foot relative to them. */
function reachGoal({ now, joints, goal: wanted }: LiveFoot, hips: LiveHips): void {
  const x = wanted[0] - joints[0];
  const y = wanted[1] - joints[1] - hips.offset;
  const z = wanted[2] - joints[2];
  const extension = Math.sqrt(x * x + y * y + z * z) / now.length;
  const start = now.freeExtension;
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
  const isRising = wanted > memory.activity;
  const step = isFresh ? 1 : isRising ? time.attack : time.release;
  memory.activity += (wanted - memory.activity) * step;
  return distance > NO_OFFSET;
}

/**
 * Changes the local rotation of the node of an entry so that its model rotation changes by `rotation`. What its parent has been rotated by is part of that rotation.
 */
function changeRotation(local: Floats, pose: PartialPose, entry: number): void {
  toEntryAxes(change, 0, pose, pose.parents[entry], rotation, 0);
  const at = POSE_STRIDE * pose.nodes[entry] + PATH_OFFSET.rotation;
  const ax = change[0];
  const ay = change[1];
  const az = change[2];
  const aw = rotation[3];
  const bx = local[at];
  const by = local[at + 1];
  const bz = local[at + 2];
  const bw = local[at + 3];
  const x = aw * bx + ax * bw + ay * bz - az * by;
  const y = aw * by - ax * bz + ay * bw + az * bx;
  const z = aw * bz + ax * by - ay * bx + az * bw;
  const w = aw * bw - ax * bx - ay * by - az * bz;
  // The product of unit quaternions is one, up to rounding. Values that are not a number stay out of the pose.
  if (!(x * x + y * y + z * z + w * w > 0)) return;
  local[at] = x;
  local[at + 1] = y;
  local[at + 2] = z;
  local[at + 3] = w;
}

/** Sets `hinge`, the axis of the reference pose, to that of an elbow as it is bent. */
function bendElbow(joints: Float64Array): void {
  let [upper, lower] = [0, 0];
  for (let c = 0; c < 3; c++) {
    const [a, b] = [(c + 1) % 3, (c + 2) % 3];
    bend[c] =
      (joints[3 + a] - joints[a]) * (joints[6 + b] - joints[3 + b]) -
      (joints[3 + b] - joints[b]) * (joints[6 + a] - joints[3 + a]);
    upper += (joints[3 + c] - joints[c]) * (joints[3 + c] - joints[c]);
    lower += (joints[6 + c] - joints[3 + c]) * (joints[6 + c] - joints[3 + c]);
  }
  const size = Math.sqrt(upper * lower);
  for (let c = 0; c < 3; c++) bend[c] = size > 0 ? bend[c] / size : 0;
  elbowAxis(hinge, 0, bend);
}

function moveFoot(foot: LiveFoot, live: LiveState, local: Floats): void {
  const { entries, hinge: axis } = foot.target;
  const { pose } = live.target;
  reachGoal(foot, live.hips);
  if (!updateActivity(foot, live)) return;
  const thigh = entries[0];
  fromEntryAxes(hinge, 0, pose, thigh, axis, 0);
  if (foot.target.isArm) bendElbow(foot.joints);
  activity[0] = foot.memory.activity;
  solveLeg(solved, foot.joints, goal, hinge, activity, 0);
  const tx = solved[0];
  const ty = solved[1];
  const tz = solved[2];
  const tw = solved[3];
  const sx = solved[4];
  const sy = solved[5];
  const sz = solved[6];
  const sw = solved[7];
  rotation[0] = tx;
  rotation[1] = ty;
  rotation[2] = tz;
  rotation[3] = tw;
  changeRotation(local, pose, thigh);
  if (foot.isShinConnected) {
    // Below the thigh, the knee has to make up for its rotation.
    rotation[0] = tw * sx - tx * sw - ty * sz + tz * sy;
    rotation[1] = tw * sy + tx * sz - ty * sw - tz * sx;
    rotation[2] = tw * sz - tx * sy + ty * sx - tz * sw;
    rotation[3] = tw * sw + tx * sx + ty * sy + tz * sz;
  } else {
    rotation[0] = sx;
    rotation[1] = sy;
    rotation[2] = sz;
    rotation[3] = sw;
  }
  changeRotation(local, pose, entries[1]);
  if (!foot.isFootConnected) return;
  rotation[0] = -sx;
  rotation[1] = -sy;
  rotation[2] = -sz;
  rotation[3] = sw;
  changeRotation(local, pose, entries[2]);
}

/** Writes the new pose. `local`: local pose of the target after plain retargeting, 10 floats per node; changed in place. */
export function moveFeet(live: LiveState, local: Floats): void {
  const { plan, feet, hands, hips } = live;
  for (let k = 0; k < feet.length; k++) moveFoot(feet[k], live, local);
  for (let k = 0; live.areHandsLow && k < hands.length; k++) moveFoot(hands[k], live, local);
  if (plan.retarget.hips !== null && hips.offset !== 0) {
    moved[0] = 0;
    moved[1] = hips.offset;
    moved[2] = 0;
    applyLinear(moved, 0, plan.retarget.hips.targetLinear, moved, 0);
    const at = POSE_STRIDE * plan.retarget.hips.targetNode;
    vec3.add(local, at, local, at, moved, 0);
  }
  const { detachedJoints } = plan.retarget;
  for (let k = 0; k < detachedJoints.length; k++) retargetDetachedJoint(local, detachedJoints[k]);
}
