import type { Clip } from '../../animation/clip.ts';
import { sampleClip } from '../../animation/sample.ts';
import { bindPose, localToModelMatrices, localToModelRotations } from '../../skeleton/pose.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';

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

/** The pose in which the skins were bound; null for a skeleton without bind matrices. */
export function bindModelPose(skeleton: Skeleton): ModelPose | null {
  const local = bindPose(skeleton);
  return local === null ? null : modelPose('bind', skeleton.parents, local);
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
