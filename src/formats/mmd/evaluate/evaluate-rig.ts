/** Evaluates a model at a frame as MikuMikuDance does: keys, bones that follow others, and IK, in the order of layers. Physics is left out. */
import * as quat from '../../../core/math/quat.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { placeBone } from './place-bone.ts';
import type { Rig, RigState } from './rig.ts';
import { solveIk } from './solve-ik.ts';

const rotation = new Float64Array(4);
const offset = new Float64Array(3);

/** Turns a rotation into one about a fixed axis by the same angle. */
function limitToAxis(out: Float64Array, o: number, axis: readonly number[]): void {
  const x = out[o];
  const y = out[o + 1];
  const z = out[o + 2];
  const w = out[o + 3];
  const sign = w < 0 ? -1 : 1;
  const along = (x * axis[0] + y * axis[1] + z * axis[2]) * sign;
  const sin = Math.hypot(x, y, z) * (along < 0 ? -1 : 1);
  quat.set(out, o, axis[0] * sin, axis[1] * sin, axis[2] * sin, w * sign);
}

/** Writes a rotation times a ratio: its angle is multiplied, by the shorter way. */
function scaleRotation(out: Float64Array, ratio: number): void {
  if (ratio === 1) return;
  const sign = out[3] < 0 ? -1 : 1;
  const sin = Math.hypot(out[0], out[1], out[2]);
  const angle = 2 * Math.atan2(sin, out[3] * sign) * ratio;
  const factor = sin > 1e-12 ? (Math.sin(angle / 2) / sin) * sign : 0;
  quat.set(out, 0, out[0] * factor, out[1] * factor, out[2] * factor, Math.cos(angle / 2));
}

function append({ appends, axes, restWorld }: Rig, state: RigState, bone: number): void {
  const own = appends[bone];
  if (own === null) return;
  const { source, ratio, isLocal } = own;
  const next = appends[source];
  if (own.rotates) {
    if (isLocal) quat.copy(rotation, 0, state.worldRotations, 4 * source);
    else if (next?.rotates === true) quat.copy(rotation, 0, state.appendRotations, 4 * source);
    else {
      quat.copy(rotation, 0, state.keyRotations, 4 * source);
      const axis = axes[source];
      if (axis !== null) limitToAxis(rotation, 0, axis);
    }
    if (!isLocal) quat.multiply(rotation, 0, state.ikRotations, 4 * source, rotation, 0);
    scaleRotation(rotation, ratio);
    quat.multiply(state.rotations, 4 * bone, state.rotations, 4 * bone, rotation, 0);
    quat.copy(state.appendRotations, 4 * bone, state.rotations, 4 * bone);
  }
  if (!own.moves) return;
  if (isLocal) vec3.subtract(offset, 0, state.worldPositions, 3 * source, restWorld, 3 * source);
  else vec3.copy(offset, 0, next?.moves === true ? state.appendOffsets : state.keyOffsets, 3 * source);
  vec3.addScaled(state.offsets, 3 * bone, state.offsets, 3 * bone, offset, 0, ratio);
  vec3.copy(state.appendOffsets, 3 * bone, state.offsets, 3 * bone);
}

/** Computes rotation and offset of a bone anew, and places it. */
function updateBone(rig: Rig, state: RigState, bone: number): void {
  quat.copy(state.rotations, 4 * bone, state.keyRotations, 4 * bone);
  vec3.copy(state.offsets, 3 * bone, state.keyOffsets, 3 * bone);
  const axis = rig.axes[bone];
  if (axis !== null) limitToAxis(state.rotations, 4 * bone, axis);
  append(rig, state, bone);
  placeBone(rig, state, bone);
}

/** Evaluates a rig. `state`: has the offsets and rotations of the keys; receives all others. `isOff`: 1 for IK bones that are switched off. */
export function evaluateRig(rig: Rig, state: RigState, isOff: Uint8Array): void {
  for (let at = 0; at < state.ikRotations.length; at += 4) quat.identity(state.ikRotations, at);
  if (rig.looksAhead) for (const bone of rig.order) updateBone(rig, state, bone);
  for (const bone of rig.steps) {
    updateBone(rig, state, bone);
    const ik = rig.iks[bone];
    if (ik === null || isOff[bone] === 1) continue;
    // A link that another IK bone has rotated starts anew.
    let isRotated = false;
    for (const { bone: link } of ik.links) {
      isRotated ||= state.ikRotations[4 * link + 3] !== 1;
      quat.identity(state.ikRotations, 4 * link);
    }
    if (isRotated) for (const moved of ik.moved) updateBone(rig, state, moved);
    solveIk(rig, state, ik, bone);
    for (const moved of ik.moved) updateBone(rig, state, moved);
  }
}
