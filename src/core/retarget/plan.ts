/**
 * Deciding once, per pair of humanoids, how every bone of the target follows the source.
 *
 * World-space retargeting (Wicked Engine, "Animation Retargeting"): what moves is the world delta from the reference pose,
 * `D(b) = W_s(b) · W̄_s(b)⁻¹`, and the target shows `W_t(b) = D(b) · W̄_t(b)`, so its local rotation is
 * `q_t(b) = W_t(p)⁻¹ · W_t(b)`, p its parent node. With a = the nearest bone above b on the target and R the rest rotations of the
 * nodes between a and p,
 *
 *     q_t(b) = [R⁻¹ · W̄_t(a)⁻¹ · W̄_s(a)] · [W_s(a)⁻¹ · W_s(b)] · [W̄_s(b)⁻¹ · W̄_t(b)]
 *
 * Left and right bracket are constants. The middle one is a product of local rotations of the source along the path from a
 * to b: usually one, the rotation of b itself. Nothing is decomposed per key, and no world rotation is computed.
 */

import { BONE_COUNT, BONE_PARENTS, BONES, type BoneName } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { type Issue, issue } from '../report/issue.ts';
import { commonAncestor } from '../skeleton/topology.ts';
import { RETARGET_DEFAULTS, type RetargetOptions } from './options.ts';

/** How the translation of a bone follows its source: `t_t = base + linear · (t_s − origin)` of the two local translations. */
export interface TranslationPlan {
  readonly bone: number;
  readonly sourceNode: number;
  readonly targetNode: number;
  /** 3×3, column-major. */
  readonly linear: Float64Array;
  readonly origin: Float64Array;
  readonly base: Float64Array;
}

/** How the scale of a bone follows its source. */
export interface ScalePlan {
  readonly sourceNode: number;
  readonly targetNode: number;
  /** Turns axes of the target bone into axes of the source bone, in the reference pose; xyzw. */
  readonly turn: Float64Array;
  readonly sourceRest: Float64Array;
  readonly targetRest: Float64Array;
}

/** How the hips travel: `p_t = base + factor · (p_s − origin)`, canonical frame, metres. */
export interface HipsPlan {
  readonly sourceNode: number;
  readonly targetNode: number;
  /** Nodes above the source hips, from its parent to the root. */
  readonly sourceAncestors: Int32Array;
  /** Model position of the source hips (file axes and unit) → p_s − p̄_s, canonical frame, metres: 3×3 column-major and offset. */
  readonly sourceLinear: Float64Array;
  readonly sourceOrigin: Float64Array;
  /** Metres that the target travels per metre of the source. */
  readonly factor: number;
  /** p_t − p̄_t, canonical frame, metres → local translation of the target hips: 3×3 column-major. */
  readonly targetLinear: Float64Array;
  /** Local translation of the target hips in its reference pose. */
  readonly targetBase: Float64Array;
}

/** Everything that was decided about a pair of humanoids. Plain data: can be posted to a worker, printed, kept. */
export interface RetargetPlan {
  readonly sourceParents: Int32Array;
  /** Rest pose of the source, local, 10 floats a node: the value of every node that a clip leaves alone. */
  readonly sourceRest: Float64Array;
  /** Rest pose of the target, local, 10 floats a node. */
  readonly targetRest: Float64Array;
  /** Bones of the target, parents first. Every list below has one entry per bone of this one. */
  readonly bones: Int32Array;
  readonly targetNodes: Int32Array;
  /** Index, in this list, of the bone above on the target's node tree; −1 where there is none. */
  readonly above: Int32Array;
  /** The source bone whose world delta the bone shows: itself, or the nearest bone above it that the source has. */
  readonly drivers: Int32Array;
  /** Entries of {@link pathNodes} of bone k: pathStart[k] … pathStart[k + 1]. */
  readonly pathStart: Int32Array;
  /** Source nodes whose local rotations are multiplied, in the order of the product. */
  readonly pathNodes: Int32Array;
  /** 1 where the local rotation enters inverted. */
  readonly pathInverted: Uint8Array;
  /** Constant left factor, xyzw a bone. */
  readonly left: Float64Array;
  /** Constant right factor, xyzw a bone. */
  readonly right: Float64Array;
  readonly rotation: boolean;
  readonly hips: HipsPlan | null;
  readonly translations: readonly TranslationPlan[];
  readonly scales: readonly ScalePlan[];
  /** Metres the target's hips travel per metre of the source's. */
  readonly hipsScale: number;
  readonly issues: readonly Issue[];
}

/** Rotation of a node of the rest pose in model space, canonical frame: the frame times the local rotations down to it. */
function restRotation(out: Float64Array, { skeleton, frame }: Humanoid, node: number): void {
  quat.identity(out, 0);
  for (let n = node; n >= 0; n = skeleton.parents[n]) quat.multiply(out, 0, skeleton.rest, 10 * n + 3, out, 0);
  quat.multiply(out, 0, frame, 0, out, 0);
  quat.normalize(out, 0, out, 0);
}

/** The bone at or above a node, −1 where there is none. */
function boneAtOrAbove(node: number, parents: Int32Array, boneOfNode: Int32Array): number {
  let n = node;
  while (n >= 0 && boneOfNode[n] < 0) n = parents[n];
  return n < 0 ? -1 : boneOfNode[n];
}

function bonesByNode({ skeleton, map }: Humanoid): Int32Array {
  const boneOfNode = new Int32Array(skeleton.parents.length).fill(-1);
  for (let bone = 0; bone < BONE_COUNT; bone++) if (map.nodes[bone] >= 0) boneOfNode[map.nodes[bone]] = bone;
  return boneOfNode;
}

/** The source bone that drives every bone: itself where the source has it, else the nearest one above it in the full tree. */
function driverOf(bone: number, sourceNodes: Int32Array): number {
  let driver = bone;
  while (driver >= 0 && sourceNodes[driver] < 0) driver = BONE_PARENTS[driver];
  return driver;
}

/** Appends the path of local rotations from node `from` (−1: the world) to node `to`: inverted up to their common ancestor, then down. */
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

/** 3×3 of a rotation times a factor, column-major. */
function scaledRotation(q: Float64Array, factor: number): Float64Array {
  const out = new Float64Array(9);
  for (let column = 0; column < 3; column++) {
    out[3 * column + column] = factor;
    vec3.rotate(out, 3 * column, q, 0, out, 3 * column);
  }
  return out;
}

/** Model matrix of a node of the rest pose. */
function restMatrix(out: Float64Array, { skeleton }: Humanoid, node: number): void {
  const local = new Float64Array(16);
  mat4.identity(out, 0);
  for (let n = node; n >= 0; n = skeleton.parents[n]) {
    mat4.compose(local, 0, skeleton.rest, 10 * n);
    mat4.multiply(out, 0, local, 0, out, 0);
  }
}

/** Columns of the linear part of an inverted matrix times a 3×3. */
function linearAfter(inverse: Float64Array, linear: Float64Array): Float64Array {
  const out = new Float64Array(9);
  for (let column = 0; column < 3; column++) mat4.transformDirection(out, 3 * column, inverse, 0, linear, 3 * column);
  return out;
}

function hipsFactor(source: Humanoid, target: Humanoid, hipsScale: 'auto' | 'none' | number): number {
  if (typeof hipsScale === 'number') return hipsScale;
  if (hipsScale === 'none') return 1;
  const least = 0.01;
  const usable = source.hipsHeight > least * source.height && target.hipsHeight > least * target.height;
  return usable ? target.hipsHeight / source.hipsHeight : 1;
}

function planHips(source: Humanoid, target: Humanoid, factor: number): HipsPlan | null {
  const sourceNode = source.map.nodes[0];
  const targetNode = target.map.nodes[0];
  const ancestors: number[] = [];
  for (let n = source.skeleton.parents[sourceNode]; n >= 0; n = source.skeleton.parents[n]) ancestors.push(n);

  const parentMatrix = new Float64Array(16);
  restMatrix(parentMatrix, target, target.skeleton.parents[targetNode]);
  const inverse = new Float64Array(16);
  if (!mat4.invertAffine(inverse, 0, parentMatrix, 0)) return null;
  const toFile = new Float64Array(4);
  quat.conjugate(toFile, 0, target.frame, 0);
  const targetBase = new Float64Array(3);
  vec3.scale(targetBase, 0, target.reference.positions, 0, 1 / target.metresPerUnit);
  vec3.rotate(targetBase, 0, toFile, 0, targetBase, 0);
  mat4.transformPoint(targetBase, 0, inverse, 0, targetBase, 0);
  return {
    sourceNode,
    targetNode,
    sourceAncestors: Int32Array.from(ancestors),
    sourceLinear: scaledRotation(source.frame, source.metresPerUnit),
    sourceOrigin: source.reference.positions.slice(0, 3),
    factor,
    targetLinear: linearAfter(inverse, scaledRotation(toFile, 1 / target.metresPerUnit)),
    targetBase,
  };
}

/** Reference rotation of the parent node of a bone's node: that of the bone above it, then the rest of the nodes between. */
function referenceParentRotation(out: Float64Array, humanoid: Humanoid, boneOfNode: Int32Array, node: number): void {
  const { skeleton, reference } = humanoid;
  const parent = skeleton.parents[node];
  const above = boneAtOrAbove(parent, skeleton.parents, boneOfNode);
  if (above < 0) {
    restRotation(out, humanoid, parent);
    return;
  }
  quat.identity(out, 0);
  for (let n = parent; boneOfNode[n] !== above; n = skeleton.parents[n])
    quat.multiply(out, 0, skeleton.rest, 10 * n + 3, out, 0);
  quat.multiply(out, 0, reference.rotations, 4 * above, out, 0);
  quat.normalize(out, 0, out, 0);
}

/** Length of one local unit of the children of a node, metres: the cube root of the volume that its rest matrix spans. */
function restScale(humanoid: Humanoid, node: number): number {
  const matrix = new Float64Array(16);
  restMatrix(matrix, humanoid, node);
  return Math.cbrt(Math.abs(mat4.determinant(matrix, 0))) * humanoid.metresPerUnit;
}

function planTranslation(
  source: Humanoid,
  target: Humanoid,
  bone: number,
  factor: number,
  sourceBones: Int32Array,
  targetBones: Int32Array,
): TranslationPlan {
  const sourceNode = source.map.nodes[bone];
  const targetNode = target.map.nodes[bone];
  const from = new Float64Array(4);
  const to = new Float64Array(4);
  referenceParentRotation(from, source, sourceBones, sourceNode);
  referenceParentRotation(to, target, targetBones, targetNode);
  quat.conjugate(to, 0, to, 0);
  quat.multiply(to, 0, to, 0, from, 0);
  const targetUnit = restScale(target, target.skeleton.parents[targetNode]);
  const ratio = targetUnit > 0 ? (factor * restScale(source, source.skeleton.parents[sourceNode])) / targetUnit : 0;
  return {
    bone,
    sourceNode,
    targetNode,
    linear: scaledRotation(to, ratio),
    origin: Float64Array.from(source.skeleton.rest.subarray(10 * sourceNode, 10 * sourceNode + 3)),
    base: Float64Array.from(target.skeleton.rest.subarray(10 * targetNode, 10 * targetNode + 3)),
  };
}

function planScale(source: Humanoid, target: Humanoid, bone: number): ScalePlan {
  const sourceNode = source.map.nodes[bone];
  const targetNode = target.map.nodes[bone];
  const turn = new Float64Array(4);
  quat.conjugate(turn, 0, source.reference.rotations, 4 * bone);
  quat.multiply(turn, 0, turn, 0, target.reference.rotations, 4 * bone);
  return {
    sourceNode,
    targetNode,
    turn,
    sourceRest: Float64Array.from(source.skeleton.rest.subarray(10 * sourceNode + 7, 10 * sourceNode + 10)),
    targetRest: Float64Array.from(target.skeleton.rest.subarray(10 * targetNode + 7, 10 * targetNode + 10)),
  };
}

function boneList(bones: readonly number[]): string {
  return bones.map((bone) => BONES[bone]).join(', ');
}

function reportMissing(source: Int32Array, target: Int32Array): Issue[] {
  const folded: number[] = [];
  const held: number[] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (source[bone] >= 0 && target[bone] < 0) folded.push(bone);
    if (source[bone] < 0 && target[bone] >= 0) held.push(bone);
  }
  const issues: Issue[] = [];
  if (folded.length > 0) {
    issues.push(
      issue('BONES_FOLDED', `The character lacks ${boneList(folded)}: their motion goes into the bones below them.`),
    );
  }
  if (held.length > 0) {
    issues.push(
      issue(
        'BONES_HELD',
        `The motion lacks ${boneList(held)}: these bones of the character keep their reference pose.`,
      ),
    );
  }
  return issues;
}

/** Bones of the target so that the nodes of parents come before those of their children. */
function targetOrder(target: Humanoid): number[] {
  const bones: number[] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) if (target.map.nodes[bone] >= 0) bones.push(bone);
  return bones.sort((a, b) => target.map.nodes[a] - target.map.nodes[b]);
}

/**
 * Plans the retargeting of any motion of `source` onto `target`.
 * Both must have hips: RangeError otherwise, and for a hips scale that is not a finite number.
 */
export function planRetarget(source: Humanoid, target: Humanoid, options: RetargetOptions = {}): RetargetPlan {
  const chosen = { ...RETARGET_DEFAULTS, ...options };
  for (const [who, { map }] of [
    ['source', source],
    ['target', target],
  ] as const) {
    if (!(map.nodes[0] >= 0))
      throw new RangeError(
        `planRetarget: the ${who} has no hips; every humanoid needs the bone ${'hips' satisfies BoneName}`,
      );
  }
  if (typeof chosen.hipsScale === 'number' && !Number.isFinite(chosen.hipsScale)) {
    throw new RangeError(`planRetarget: hipsScale is ${chosen.hipsScale}, expected a finite number, 'auto' or 'none'`);
  }
  const sourceBones = bonesByNode(source);
  const targetBones = bonesByNode(target);
  const bones = targetOrder(target);
  const drivers = bones.map((bone) => driverOf(bone, source.map.nodes));
  const above = new Int32Array(bones.length);
  const pathStart = new Int32Array(bones.length + 1);
  const pathNodes: number[] = [];
  const pathInverted: number[] = [];
  const left = new Float64Array(4 * bones.length);
  const right = new Float64Array(4 * bones.length);
  const parentRotation = new Float64Array(4);
  const inverse = new Float64Array(4);
  bones.forEach((bone, k) => {
    const node = target.map.nodes[bone];
    const driver = drivers[k];
    const boneAbove = boneAtOrAbove(target.skeleton.parents[node], target.skeleton.parents, targetBones);
    const aboveDriver = boneAbove < 0 ? -1 : driverOf(boneAbove, source.map.nodes);
    above[k] = boneAbove < 0 ? -1 : bones.indexOf(boneAbove);
    referenceParentRotation(parentRotation, target, targetBones, node);
    quat.conjugate(left, 4 * k, parentRotation, 0);
    // Without a bone above, the path starts at the world, and what turns the world is the frame of the source.
    if (aboveDriver < 0) quat.multiply(left, 4 * k, left, 4 * k, source.frame, 0);
    else quat.multiply(left, 4 * k, left, 4 * k, source.reference.rotations, 4 * aboveDriver);
    quat.conjugate(inverse, 0, source.reference.rotations, 4 * driver);
    quat.multiply(right, 4 * k, inverse, 0, target.reference.rotations, 4 * bone);
    appendPath(
      aboveDriver < 0 ? -1 : source.map.nodes[aboveDriver],
      source.map.nodes[driver],
      source.skeleton.parents,
      pathNodes,
      pathInverted,
    );
    pathStart[k + 1] = pathNodes.length;
  });
  const hipsScale = hipsFactor(source, target, chosen.hipsScale);
  const matched = bones.filter((bone) => source.map.nodes[bone] >= 0);
  return {
    sourceParents: source.skeleton.parents,
    sourceRest: Float64Array.from(source.skeleton.rest),
    targetRest: Float64Array.from(target.skeleton.rest),
    bones: Int32Array.from(bones),
    targetNodes: Int32Array.from(bones, (bone) => target.map.nodes[bone]),
    above,
    drivers: Int32Array.from(drivers),
    pathStart,
    pathNodes: Int32Array.from(pathNodes),
    pathInverted: Uint8Array.from(pathInverted),
    left,
    right,
    rotation: chosen.rotation,
    hips: chosen.hipsTranslation ? planHips(source, target, hipsScale) : null,
    translations: chosen.translation
      ? matched
          .filter((bone) => bone !== 0)
          .map((bone) => planTranslation(source, target, bone, hipsScale, sourceBones, targetBones))
      : [],
    scales: chosen.scale ? matched.map((bone) => planScale(source, target, bone)) : [],
    hipsScale,
    issues: reportMissing(source.map.nodes, target.map.nodes),
  };
}
