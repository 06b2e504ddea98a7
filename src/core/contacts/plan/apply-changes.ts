import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { retargetDetachedJoint } from '../../retarget/detached/retarget-detached-joint.ts';
import { applyLinear } from '../../retarget/transform-point.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../skeleton/skeleton.ts';
import type { LegFrames } from '../frames/character-frames.ts';
import { solveLeg } from '../legs/solve-leg.ts';
import type { ContactPlan } from './contact-plan.ts';

export interface FootOffsets {
  /** The leg after plain retargeting. */
  readonly frames: LegFrames;
  /** Offset of the foot from plain retargeting: xyz per frame, canonical frame, meters. */
  readonly offsets: Float64Array;
  /** Height of its lowest point above the ground without its vertical offset, meters per frame. */
  readonly clearance: Float64Array;
  /** How much the foot is being moved around this time, 0…1 per frame. */
  readonly activity: Float64Array;
}

export interface Changes {
  /** How much the hips are raised: meters per frame. */
  readonly raise: Float64Array;
  readonly feet: readonly FootOffsets[];
}

/** An offset of a foot from its hips below this, meters, is rounding. */
const NO_OFFSET = 1e-12;

const joints = new Float64Array(9);
const hinge = new Float64Array(3);
const goal = new Float64Array(3);
const solved = new Float64Array(8);
const toModel = new Float64Array(4);
const change = new Float64Array(4);
const thigh = new Float64Array(4);
const shin = new Float64Array(4);
const foot = new Float64Array(4);
const parent = new Float64Array(4);
const moved = new Float64Array(3);

/** Multiplies the local rotations of a node and its ancestors: its model rotation. */
function modelRotation(out: Float64Array, parents: Int32Array, local: Float64Array, node: number): void {
  quat.identity(out, 0);
  for (let at = node; at >= 0; at = parents[at]) {
    quat.multiply(out, 0, local, POSE_STRIDE * at + PATH_OFFSET.rotation, out, 0);
  }
  quat.normalize(out, 0, out, 0);
}

/** Writes the local rotation with which a node has a model rotation. */
function setModelRotation(parents: Int32Array, local: Float64Array, node: number, rotation: Float64Array): void {
  modelRotation(parent, parents, local, parents[node]);
  quat.conjugate(parent, 0, parent, 0);
  const at = POSE_STRIDE * node + PATH_OFFSET.rotation;
  quat.multiply(local, at, parent, 0, rotation, 0);
  quat.normalize(local, at, local, at);
}

/** Applies a rotation of the canonical frame, at `k` in `solved`, to a model rotation. */
function rotateModel(rotation: Float64Array, frame: Float64Array, k: number): void {
  quat.conjugate(toModel, 0, frame, 0);
  quat.multiply(change, 0, toModel, 0, solved, k);
  quat.multiply(change, 0, change, 0, frame, 0);
  quat.multiply(rotation, 0, change, 0, rotation, 0);
}

/**
 * Moves hips and feet in one pose. The feet keep their world rotation; non-bone nodes keep their local transform. `local`: local pose after plain
 * retargeting, 10 floats per node; changed in place.
 */
export function applyChanges(local: Float64Array, plan: ContactPlan, { raise, feet }: Changes, frame: number): void {
  const { retarget, target } = plan;
  const { parents } = target.skeleton;
  const { hips } = retarget;
  for (let k = 0; k < feet.length; k++) {
    const { frames, offsets, activity } = feet[k];
    const { leg } = frames;
    const at = 3 * frame;
    // The leg is solved with the hips where they were; what remains is the offset of the foot relative to the hips.
    vec3.copy(goal, 0, offsets, at);
    goal[1] -= raise[frame];
    if (vec3.length(goal, 0) <= NO_OFFSET) continue;
    vec3.copy(joints, 0, frames.hip, at);
    vec3.copy(joints, 3, frames.knee, at);
    vec3.copy(joints, 6, frames.ankle, at);
    vec3.copy(hinge, 0, frames.hinge, at);
    vec3.add(goal, 0, joints, 6, goal, 0);
    solveLeg(solved, joints, goal, hinge, activity, frame);
    modelRotation(foot, parents, local, leg.foot);
    modelRotation(thigh, parents, local, leg.thigh);
    modelRotation(shin, parents, local, leg.shin);
    rotateModel(thigh, target.frame, 0);
    rotateModel(shin, target.frame, 4);
    setModelRotation(parents, local, leg.thigh, thigh);
    setModelRotation(parents, local, leg.shin, shin);
    setModelRotation(parents, local, leg.foot, foot);
  }
  if (hips !== null && raise[frame] !== 0) {
    vec3.set(moved, 0, 0, raise[frame], 0);
    applyLinear(moved, 0, hips.targetLinear, moved, 0);
    vec3.add(local, POSE_STRIDE * hips.targetNode, local, POSE_STRIDE * hips.targetNode, moved, 0);
  }
  for (let k = 0; k < retarget.detachedJoints.length; k++) retargetDetachedJoint(local, retarget.detachedJoints[k]);
}
