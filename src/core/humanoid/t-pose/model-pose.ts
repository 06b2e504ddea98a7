import type { Clip } from '../../animation/clip.ts';
import { sampleClip } from '../../animation/sample.ts';
import * as vec3 from '../../math/vec3.ts';
import { bindPose, localToModelRotations, modelMatrices, modelPositions } from '../../skeleton/pose.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';

/**
 * A pose in model space: axes and units of the file.
 *
 * @inline
 */
export interface ModelPose {
  /** Where the pose comes from: `bind`, `node`, `frame:0` or the name of a file. */
  readonly from: string;
  /** The same pose in local space, 10 floats per node. */
  readonly local: Float64Array;
  /** World rotation per node, xyzw: the product of the local rotations, without scale. */
  readonly rotations: Float64Array;
  /** Position per node, xyz. */
  readonly positions: Float64Array;
}

/**
 * A node this near to its parent, relative to its distance from the origin, is where its parent is: files have the rounding of float32 (6e-8), bind matrices a few times that, and
 * rounding would decide its direction. Far from the origin, where files of doubles are still exact, it is at most this part of a segment of the rig.
 */
const COINCIDENT = 1e-6;
const COINCIDENT_SEGMENT = 1e-3;

/** Converts a local pose to model space. `local` is kept, not copied; `from` is for reports. */
export function toModelPose(from: string, parents: Int32Array, local: Float64Array): ModelPose {
  const count = parents.length;
  const rotations = new Float64Array(4 * count);
  localToModelRotations(rotations, parents, local);
  const positions = new Float64Array(3 * count);
  modelPositions(positions, modelMatrices(parents, local));
  const lengths = Float64Array.from(parents, (parent, node) => {
    return parent < 0 ? 0 : vec3.distance(positions, 3 * node, positions, 3 * parent);
  });
  // The upper quartile: half of the nodes may be groups at joints, and one may be far away.
  const most = COINCIDENT_SEGMENT * lengths.slice().sort()[(3 * count) >> 2];
  for (const [node, parent] of parents.entries()) {
    const tolerance = Math.min(most, COINCIDENT * vec3.length(positions, 3 * node));
    if (parent >= 0 && lengths[node] <= tolerance) vec3.copy(positions, 3 * node, positions, 3 * parent);
  }
  return { from, local, rotations, positions };
}

/** Computes the rest pose of a skeleton; for a BVH this is its zero pose. Returns the rest pose in model space. */
export function restModelPose(skeleton: Skeleton): ModelPose {
  return toModelPose('node', skeleton.parents, Float64Array.from(skeleton.rest));
}

/** Computes the bind pose of a skeleton. Returns the bind pose in model space; null for a skeleton without bind matrices. */
export function bindModelPose(skeleton: Skeleton): ModelPose | null {
  const local = bindPose(skeleton);
  return local === null ? null : toModelPose('bind', skeleton.parents, local);
}

/** Lists the frame times of a clip: the key times of the track with the most keys. Returns seconds, ascending; empty for a clip without tracks. */
export function frameTimes(clip: Clip): ArrayLike<number> {
  let times: ArrayLike<number> = [];
  for (const track of clip.tracks) if (track.times.length > times.length) times = track.times;
  return times;
}

/** Samples a clip at a time. Nodes without tracks keep their rest pose. Returns the pose in model space. */
export function sampleModelPose(skeleton: Skeleton, clip: Clip, time: number, from: string): ModelPose {
  const local = Float64Array.from(skeleton.rest);
  sampleClip(clip, time, local);
  return toModelPose(from, skeleton.parents, local);
}
