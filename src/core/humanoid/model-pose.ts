import type { Clip } from '../animation/clip.ts';
import { sampleClip } from '../animation/sample.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { bindPose, localToModelMatrices, localToModelRotations } from '../skeleton/pose.ts';
import { POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';

/** A pose in model space of the file. */
export interface ModelPose {
  /** Where it comes from: `bind`, `node`, `frame:0` … */
  readonly from: string;
  /** The same pose, local: 10 floats a node. */
  readonly local: Float64Array;
  /** World rotation per node, xyzw: the product of the local rotations, scale left out. */
  readonly rotations: Float64Array;
  /** Position per node, xyz. */
  readonly positions: Float64Array;
}

/** Rotations and positions of a local pose (10 floats a node) in model space. */
export function modelPose(from: string, parents: Int32Array, local: Float64Array): ModelPose {
  const count = parents.length;
  const rotations = new Float64Array(4 * count);
  localToModelRotations(rotations, parents, local);
  const matrices = new Float64Array(16 * count);
  localToModelMatrices(matrices, parents, local);
  const positions = new Float64Array(3 * count);
  for (let node = 0; node < count; node++) {
    for (let axis = 0; axis < 3; axis++) positions[3 * node + axis] = matrices[16 * node + 12 + axis];
  }
  return { from, local, rotations, positions };
}

/** The rest pose of the nodes; of a BVH its zero pose. */
export function nodePose(skeleton: Skeleton): ModelPose {
  return modelPose('node', skeleton.parents, Float64Array.from(skeleton.rest));
}

/** Bind transforms nearer to the rest than these are the rest: inverse bind matrices are float32, often in centimetres. */
const SAME_ANGLE = 5e-5;
const SAME_LENGTH = 5e-5;

/** Replaces what of a local transform is the rest, but for noise, by the rest itself. */
function snapToRest(local: Float64Array, rest: Floats, at: number): void {
  const near = vec3.distance(local, at, rest, at) <= SAME_LENGTH * vec3.length(rest, at);
  if (near) vec3.copy(local, at, rest, at);
  if (quat.angleBetween(local, at + 3, rest, at + 3) <= SAME_ANGLE) quat.copy(local, at + 3, rest, at + 3);
  if (vec3.distance(local, at + 7, rest, at + 7) <= SAME_LENGTH * vec3.length(rest, at + 7)) {
    vec3.copy(local, at + 7, rest, at + 7);
  }
}

/**
 * The pose in which the skins were bound; null for a skeleton without bind matrices. Where it differs from the rest pose by no more than
 * noise it is the rest pose, exactly.
 */
export function bindModelPose(skeleton: Skeleton): ModelPose | null {
  const local = bindPose(skeleton);
  if (local === null) return null;
  for (let at = 0; at < local.length; at += POSE_STRIDE) snapToRest(local, skeleton.rest, at);
  return modelPose('bind', skeleton.parents, local);
}

/** Times of the frames of a clip: the keys of the track that has most of them. */
export function frameTimes(clip: Clip): ArrayLike<number> {
  let times: ArrayLike<number> = [];
  for (const track of clip.tracks) if (track.times.length > times.length) times = track.times;
  return times;
}

/** The pose of a clip at a time, nodes that it does not animate at rest. */
export function clipPose(skeleton: Skeleton, clip: Clip, time: number, from: string): ModelPose {
  const local = Float64Array.from(skeleton.rest);
  sampleClip(clip, time, local);
  return modelPose(from, skeleton.parents, local);
}
