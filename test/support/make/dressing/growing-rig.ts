/** A rig that joints are added to, with the frame of its trunk, in which they are placed. */
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { BONE, type BoneName } from '../../../../src/core/humanoid/bones.ts';
import { bindModelPose, frameTimes, sampleModelPose } from '../../../../src/core/humanoid/t-pose/model-pose.ts';
import * as mat4 from '../../../../src/core/math/mat4.ts';
import { bindPose, restPose } from '../../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../../src/core/skeleton/skeleton.ts';
import { minus, plus, product, read, times, type Vector } from '../../reference/plain.ts';

/** A rig and the acceptable nodes of its bones. */
export interface Dressable {
  readonly name: string;
  readonly skeleton: Skeleton;
  readonly clip: Clip | null;
  /** Acceptable nodes of each bone, −1 for an absent bone. All −1 for a rig that is not a humanoid. */
  readonly right: readonly (readonly number[])[];
}

/** Joints that clothes and props are attached to, and the size and the directions of the trunk in the dressing pose. */
export interface Figure {
  readonly hips: number;
  readonly chest: number;
  readonly head: number;
  /** Both hands, the left first. */
  readonly hands: readonly [number, number];
  /** Unit directions, model space. */
  readonly up: Vector;
  readonly left: Vector;
  readonly front: Vector;
  /** Lengths in units of the file. */
  readonly trunk: number;
  readonly leg: number;
  readonly arm: number;
}

/** A rig in the making. Parents may come after their children. */
export interface GrowingRig {
  readonly parents: number[];
  readonly joints: number[];
  /** Local poses, 10 floats per node: the rest pose, the bind pose (null without one), and the pose for dressing. */
  readonly rest: number[];
  readonly bind: number[] | null;
  readonly pose: number[];
  readonly right: number[][];
  clip: Clip | null;
}

/** Copies a rig. It is dressed in its bind pose; without one in the first frame of its clip or at rest. */
export function growRig({ skeleton, clip, right }: Dressable): GrowingRig {
  const bind = bindPose(skeleton);
  const hasFrames = clip !== null && frameTimes(clip).length > 0;
  const pose = bindModelPose(skeleton) ?? (hasFrames ? sampleModelPose(skeleton, clip, frameTimes(clip)[0], '') : null);
  return {
    parents: Array.from(skeleton.parents),
    joints: Array.from(skeleton.joints),
    rest: Array.from(restPose(skeleton)),
    bind: bind === null ? null : Array.from(bind),
    pose: Array.from(pose?.local ?? restPose(skeleton)),
    right: right.map((nodes) => [...nodes]),
    clip,
  };
}

/** Computes the model-space matrix of a node, 16 floats. */
export function matrixOf(parents: readonly number[], local: readonly number[], node: number): Float64Array {
  const out = new Float64Array(16);
  mat4.compose(out, 0, local, 10 * node);
  for (let above = parents[node]; above >= 0; above = parents[above]) {
    const one = new Float64Array(16);
    mat4.compose(one, 0, local, 10 * above);
    mat4.multiply(out, 0, one, 0, Float64Array.from(out), 0);
  }
  return out;
}

/** Returns the position of a node in the dressing pose, model space. */
export function at(rig: GrowingRig, node: number): Vector {
  return read(matrixOf(rig.parents, rig.pose, node), 12, 3);
}

/** Lists the local poses of a rig. */
export function posesOf({ rest, bind, pose }: GrowingRig): number[][] {
  return bind === null ? [rest, pose] : [rest, bind, pose];
}

/** Appends a joint at a position of the dressing pose; returns its node. */
export function appendJoint(rig: GrowingRig, parent: number, position: Vector, isJoint = true): number {
  const inverse = new Float64Array(16);
  const local = new Float64Array(3);
  if (mat4.invertAffine(inverse, 0, matrixOf(rig.parents, rig.pose, parent), 0)) {
    mat4.transformPoint(local, 0, inverse, 0, position, 0);
  }
  for (const pose of posesOf(rig)) pose.push(...local, 0, 0, 0, 1, 1, 1, 1);
  rig.parents.push(parent);
  rig.joints.push(isJoint && rig.joints.includes(1) ? 1 : 0);
  return rig.parents.length - 1;
}

/** Inserts a joint without rotation between a node and its parent, at a fraction of the way; returns the new node. */
export function insertJoint(rig: GrowingRig, node: number, fraction: number): number {
  const above = rig.parents[node];
  for (const pose of posesOf(rig)) {
    const way = pose.slice(10 * node, 10 * node + 3);
    pose.push(...times(way, fraction), 0, 0, 0, 1, 1, 1, 1);
    for (let c = 0; c < 3; c++) pose[10 * node + c] = way[c] * (1 - fraction);
  }
  rig.parents.push(above);
  rig.joints.push(rig.joints[node]);
  const inserted = rig.parents.length - 1;
  rig.parents[node] = inserted;
  if (rig.clip !== null) {
    const tracks = rig.clip.tracks.map((track) => {
      if (track.target !== node || track.path !== 'translation') return track;
      return { ...track, values: Float64Array.from(track.values, (value) => value * (1 - fraction)) };
    });
    rig.clip = { ...rig.clip, tracks };
  }
  return inserted;
}

const unitOf = (v: Vector): Vector => times(v, 1 / (Math.hypot(...v) || 1));
const crossOf = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Measures the trunk of a humanoid in the dressing pose. */
export function figureOf(rig: GrowingRig): Figure {
  const node = (bone: BoneName): number => rig.right[BONE[bone]][0];
  const middle = (bone: 'UpperLeg' | 'UpperArm'): Vector =>
    times(plus(at(rig, node(`left${bone}`)), at(rig, node(`right${bone}`))), 0.5);
  const rise = minus(middle('UpperArm'), middle('UpperLeg'));
  const up = unitOf(rise);
  const across = plus(
    minus(at(rig, node('leftUpperLeg')), at(rig, node('rightUpperLeg'))),
    minus(at(rig, node('leftUpperArm')), at(rig, node('rightUpperArm'))),
  );
  const front = unitOf(crossOf(across, up));
  const far = (a: BoneName, b: BoneName): number => Math.hypot(...minus(at(rig, node(a)), at(rig, node(b))));
  const chest = (['upperChest', 'chest', 'spine'] as const).map(node).find((found) => found >= 0);
  return {
    hips: node('hips'),
    chest: chest as number,
    head: node('head'),
    hands: [node('leftHand'), node('rightHand')],
    up,
    left: crossOf(up, front),
    front,
    trunk: Math.hypot(...rise),
    leg: far('leftUpperLeg', 'leftLowerLeg') + far('leftLowerLeg', 'leftFoot'),
    arm: far('leftUpperArm', 'leftLowerArm') + far('leftLowerArm', 'leftHand'),
  };
}

/** Scales the offsets of nodes from their parents, in all poses and in the clip. */
export function scaleOffsets(rig: GrowingRig, nodes: ReadonlySet<number>, factor: number): void {
  for (const pose of posesOf(rig)) {
    for (const node of nodes) for (let c = 0; c < 3; c++) pose[10 * node + c] *= factor;
  }
  if (rig.clip === null) return;
  const tracks = rig.clip.tracks.map((track) => {
    if (!nodes.has(track.target) || track.path !== 'translation') return track;
    return { ...track, values: Float64Array.from(track.values, (value) => value * factor) };
  });
  rig.clip = { ...rig.clip, tracks };
}

/** Rotates a node about its own position in one local pose; `turn` is a rotation in model space. */
export function rotateNode(rig: GrowingRig, pose: number[], node: number, turn: Vector): void {
  let above: Vector = [0, 0, 0, 1];
  for (let parent = rig.parents[node]; parent >= 0; parent = rig.parents[parent]) {
    above = product(read(pose, 10 * parent + 3, 4), above);
  }
  const back = [-above[0], -above[1], -above[2], above[3]];
  const local = product(back, turn, above, read(pose, 10 * node + 3, 4));
  for (let c = 0; c < 4; c++) pose[10 * node + 3 + c] = local[c];
}

/** Mirrors a point at the plane in the middle of the trunk. */
export function mirroredPoint(point: Vector, middle: Vector, left: Vector): Vector {
  const off = minus(point, middle).reduce((sum, value, c) => sum + value * left[c], 0);
  return minus(point, times(left, 2 * off));
}

/** Converts right, up and front components to model space. */
export function direction({ left, up, front }: Figure, toLeft: number, toUp: number, toFront: number): Vector {
  return plus(plus(times(left, toLeft), times(up, toUp)), times(front, toFront));
}
