/**
 * Plans the translation of the pelvis: `p_t = p̄_t + k · (p_s − p̄_s)`, canonical frame, meters, with p the middle of both hip joints. The node
 * that carries the target gets the translation that brings its pelvis there, wherever that node is.
 */
import { BONE, presentParent } from '../humanoid/bones.ts';
import { isHipsHeightUsable } from '../humanoid/hips-height.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { pelvisBones, pelvisPosition } from '../humanoid/pelvis.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';
import { commonAncestor } from '../skeleton/topology.ts';
import { carrierBone } from './carrier-bone.ts';
import { driverOf } from './driver-bones.ts';
import { restMatrix } from './node-transforms.ts';
import type { HipsArm, HipsPlan } from './plan-types.ts';

/** Returns a rotation times a factor as a matrix. */
export function scaledRotation(q: Float64Array, factor: number): Float64Array {
  const out = new Float64Array(9);
  for (let column = 0; column < 3; column++) {
    out[3 * column + column] = factor;
    vec3.rotate(out, 3 * column, q, 0, out, 3 * column);
  }
  return out;
}

/** Shorter vectors than this, relative to the hips height, are noise of bind matrices and move nothing. */
const NOISE = 1e-6;

/** Multiplies the linear part of a 4×4 by a 3×3. */
function linearAfter(inverse: Float64Array, linear: Float64Array): Float64Array {
  const out = new Float64Array(9);
  for (let column = 0; column < 3; column++) mat4.transformDirection(out, 3 * column, inverse, 0, linear, 3 * column);
  return out;
}

/** Returns the hips height, meters; without a usable one the height of the character, or 1. */
function usableHeight({ hipsHeight, height }: Humanoid): number {
  if (isHipsHeightUsable(hipsHeight, height)) return hipsHeight;
  return height > 0 ? height : 1;
}

/** Lists the nodes from a node up to below `top`; with `top` −1 up to the root. */
function nodesBelow(parents: Int32Array, node: number, top: number): Int32Array {
  const nodes: number[] = [];
  for (let n = node; n >= 0 && n !== top; n = parents[n]) nodes.push(n);
  return Int32Array.from(nodes);
}

/** Collects vectors that rotate with bones of the source. */
function createArms(source: Humanoid): {
  add(bone: number, vector: Float64Array): void;
  list(least: number): HipsArm[];
} {
  const sums = new Map<number, Float64Array>();
  return {
    add(bone, vector) {
      const driver = driverOf(bone, source.map.nodes);
      const sum = sums.get(driver) ?? new Float64Array(3);
      vec3.add(sum, 0, sum, 0, vector, 0);
      sums.set(driver, sum);
    },
    list: (least) =>
      Array.from(sums).flatMap(([driver, reference]): HipsArm[] => {
        if (vec3.length(reference, 0) <= least) return [];
        const vector = new Float64Array(3);
        const toBone = quat.conjugated(source.reference.rotations, 4 * driver);
        vec3.rotate(vector, 0, toBone, 0, reference, 0);
        return [{ nodes: nodesBelow(source.skeleton.parents, source.map.nodes[driver], -1), vector, reference }];
      }),
  };
}

/** Returns the vector from one reference position of a humanoid to another. */
function between(from: ArrayLike<number>, to: ArrayLike<number>, scale = 1): Float64Array {
  return Float64Array.from([0, 1, 2], (axis) => scale * (to[axis] - from[axis]));
}

/**
 * Plans the translation of the target pelvis. `factor`: meters of the target per meter of the source. `motion`: whether rotations are retargeted; whether
 * the hips joints are followed instead of the pelvis, as VRMC_vrm_animation defines; whether the translations of the legs are retargeted too, so that
 * the pelvis is where the hips would have it.
 */
export function planHips(
  source: Humanoid,
  target: Humanoid,
  factor: number,
  motion: { readonly rotation: boolean; readonly joint: boolean; readonly legs: boolean },
): HipsPlan | null {
  const { parents } = source.skeleton;
  const hipsOf = ({ reference }: Humanoid): Float64Array => reference.positions.slice(0, 3);
  const pelvisOf = ({ map, reference }: Humanoid): Float64Array => pelvisPosition(map.nodes, reference.positions);
  const followsHips = motion.joint || motion.legs;
  const joints = (followsHips ? [BONE.hips] : pelvisBones(source.map.nodes)).map((bone) => source.map.nodes[bone]);
  const top = joints.length === 1 ? parents[joints[0]] : commonAncestor(parents, joints[0], joints[1]);

  const carrier = carrierBone(target);
  const targetNode = target.map.nodes[carrier];
  const positionOf = (bone: number): Float64Array => target.reference.positions.slice(3 * bone, 3 * bone + 3);
  const arms = createArms(source);
  if (motion.rotation) {
    if (!motion.joint) arms.add(BONE.hips, between(pelvisOf(target), hipsOf(target)));
    if (!motion.joint && motion.legs) arms.add(BONE.hips, between(hipsOf(source), pelvisOf(source), factor));
    for (let bone = carrier, above = presentParent(bone, target.map.nodes); above >= 0; ) {
      arms.add(above, between(positionOf(above), positionOf(bone)));
      bone = above;
      above = presentParent(bone, target.map.nodes);
    }
  }

  const parentMatrix = new Float64Array(MATRIX_STRIDE);
  restMatrix(parentMatrix, target, target.skeleton.parents[targetNode]);
  const inverse = new Float64Array(MATRIX_STRIDE);
  if (!mat4.invertAffine(inverse, 0, parentMatrix, 0)) return null;
  const toFile = quat.conjugated(target.frame);
  const targetBase = positionOf(carrier);
  vec3.scale(targetBase, 0, targetBase, 0, 1 / target.metersPerUnit);
  vec3.rotate(targetBase, 0, toFile, 0, targetBase, 0);
  mat4.transformPoint(targetBase, 0, inverse, 0, targetBase, 0);
  const targetLinear = linearAfter(inverse, scaledRotation(toFile, 1 / target.metersPerUnit));
  return {
    sourceNode: source.map.nodes[BONE.hips],
    targetNode,
    sourceJoints: joints.map((node) => nodesBelow(parents, node, top)),
    sourceAncestors: nodesBelow(parents, top, -1),
    frame: source.frame,
    sourceLinear: scaledRotation(source.frame, source.metersPerUnit),
    sourceOrigin: followsHips ? hipsOf(source) : pelvisOf(source),
    factor,
    arms: arms.list(NOISE * usableHeight(target)),
    targetLinear,
    targetBase,
    targetHeight: usableHeight(target) * vec3.length(targetLinear, 3),
  };
}
