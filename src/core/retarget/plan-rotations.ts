/**
 * Plans the rotation of every bone.
 *
 * World-space retargeting (Wicked Engine, "Animation Retargeting") transfers the world delta from the reference pose,
 * `D(b) = W_s(b) · W̄_s(b)⁻¹`: the target shows `W_t(b) = D(b) · W̄_t(b)`. W is a world rotation, a bar marks the reference pose, s the
 * source and t the target. The local rotation is `q_t(b) = W_t(p)⁻¹ · W_t(b)` with p the parent node. With a the nearest bone above b in
 * the target and R the product of the rest rotations of the nodes between a and b (p included),
 *
 *     q_t(b) = [R⁻¹ · W̄_t(a)⁻¹ · W̄_s(a)] · [W_s(a)⁻¹ · W_s(b)] · [W̄_s(b)⁻¹ · W̄_t(b)]
 *
 * The left and the right bracket are constants. The middle one is a product of local rotations of the source along the path from a to b:
 * usually one factor, the rotation of b itself. No matrix is decomposed and no world rotation is computed per key.
 */
import { BONE_COUNT } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { boneAtOrAbove, mapNodesToBones } from '../humanoid/node-bones.ts';
import * as quat from '../math/quat.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';
import { commonAncestor } from '../skeleton/topology.ts';
import { driverOf } from './driver-bones.ts';
import { sandwichMatrix } from './map-keys.ts';
import { referenceParentRotation } from './node-transforms.ts';
import type { RetargetPlan } from './plan-types.ts';

/** The part of a plan that is about rotations. */
type RotationPlan = Pick<
  RetargetPlan,
  | 'bones'
  | 'targetNodes'
  | 'above'
  | 'drivers'
  | 'pathStart'
  | 'pathNodes'
  | 'pathInverted'
  | 'left'
  | 'right'
  | 'keyMatrices'
>;

/** Appends the path from node `from` (−1: the world) to node `to`: inverted up to their common ancestor, then down. */
function appendPath(from: number, to: number, parents: Int32Array, nodes: number[], inverted: number[]): void {
  const meet = from < 0 ? -1 : commonAncestor(parents, from, to);
  for (let n = from; n >= 0 && n !== meet; n = parents[n]) {
    nodes.push(n);
    inverted.push(1);
  }
  const down: number[] = [];
  for (let n = to; n !== meet; n = parents[n]) down.push(n);
  for (let k = down.length - 1; k >= 0; k--) {
    nodes.push(down[k]);
    inverted.push(0);
  }
}

/** Lists the bones of the target so that parent nodes come before their children. */
function sortBones(target: Humanoid): number[] {
  const bones: number[] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) if (target.map.nodes[bone] >= 0) bones.push(bone);
  return bones.sort((a, b) => target.map.nodes[a] - target.map.nodes[b]);
}

/** Plans the rotation of every bone of the target. */
export function planRotations(source: Humanoid, target: Humanoid): RotationPlan {
  const targetBones = mapNodesToBones(target.map.nodes, target.skeleton.parents.length);
  const bones = sortBones(target);
  const drivers = bones.map((bone) => driverOf(bone, source.map.nodes));
  const above = new Int32Array(bones.length);
  const pathStart = new Int32Array(bones.length + 1);
  const pathNodes: number[] = [];
  const pathInverted: number[] = [];
  const left = new Float64Array(4 * bones.length);
  const right = new Float64Array(4 * bones.length);
  const keyMatrices = new Float64Array(MATRIX_STRIDE * bones.length);
  const rotation = new Float64Array(4);
  for (const [k, bone] of bones.entries()) {
    const node = target.map.nodes[bone];
    const driver = drivers[k];
    const boneAbove = boneAtOrAbove(target.skeleton.parents, targetBones, target.skeleton.parents[node]);
    const driverAbove = boneAbove < 0 ? -1 : driverOf(boneAbove, source.map.nodes);
    above[k] = bones.indexOf(boneAbove);
    referenceParentRotation(rotation, target, targetBones, node);
    quat.conjugate(left, 4 * k, rotation, 0);
    // Without a bone above, the path starts at the world: the frame of the source is its rotation.
    if (driverAbove < 0) quat.multiply(left, 4 * k, left, 4 * k, source.frame, 0);
    else quat.multiply(left, 4 * k, left, 4 * k, source.reference.rotations, 4 * driverAbove);
    quat.conjugate(rotation, 0, source.reference.rotations, 4 * driver);
    quat.multiply(right, 4 * k, rotation, 0, target.reference.rotations, 4 * bone);
    const from = driverAbove < 0 ? -1 : source.map.nodes[driverAbove];
    appendPath(from, source.map.nodes[driver], source.skeleton.parents, pathNodes, pathInverted);
    pathStart[k + 1] = pathNodes.length;
    if (pathStart[k + 1] - pathStart[k] === 1) {
      sandwichMatrix(keyMatrices, MATRIX_STRIDE * k, left, 4 * k, right, 4 * k, pathInverted[pathStart[k]] === 1);
    }
  }
  return {
    bones: Int32Array.from(bones),
    targetNodes: Int32Array.from(bones, (bone) => target.map.nodes[bone]),
    above,
    drivers: Int32Array.from(drivers),
    pathStart,
    pathNodes: Int32Array.from(pathNodes),
    pathInverted: Uint8Array.from(pathInverted),
    left,
    right,
    keyMatrices,
  };
}
