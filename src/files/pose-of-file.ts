/** The rest pose of one file as the reference pose of another: for motions that come without a usable rest of their own. */
import { type ModelPose, modelPose } from '../core/humanoid/reference/model-pose.ts';
import { bindPose, restPose } from '../core/skeleton/pose.ts';
import { POSE_STRIDE, type Skeleton } from '../core/skeleton/skeleton.ts';
import type { OpenFile } from './open.ts';

/** A pose for a skeleton and the nodes that got their rotation from the other file. */
export interface BorrowedPose {
  readonly pose: ModelPose;
  /** 1 per node that the other file names. */
  readonly matched: Uint8Array;
}

/** Local rotations of the bind pose of a skeleton, else of its rest pose, by node name; of equal names the first. */
function rotationsByName(skeleton: Skeleton): Map<string, Float64Array> {
  const local = bindPose(skeleton) ?? restPose(skeleton);
  const rotations = new Map<string, Float64Array>();
  for (const [node, name] of skeleton.names.entries()) {
    if (name === '' || rotations.has(name)) continue;
    rotations.set(name, local.slice(node * POSE_STRIDE + 3, node * POSE_STRIDE + 7));
  }
  return rotations;
}

/**
 * The pose of `skeleton` in which every node that `file` has too, by name, stands with the local rotation it has in the bind
 * pose of that file, else in its rest pose; other nodes stand as they rest. Of several skeletons of the file the one with
 * most names in common is taken. Null when no name is in common.
 */
export function poseOfFile(skeleton: Skeleton, file: OpenFile): BorrowedPose | null {
  let best = new Map<string, Float64Array>();
  let most = 0;
  for (const { skeleton: other } of file.asset.skeletons) {
    const rotations = rotationsByName(other);
    const count = skeleton.names.filter((name) => rotations.has(name)).length;
    if (count <= most) continue;
    best = rotations;
    most = count;
  }
  if (most === 0) return null;
  const local = restPose(skeleton);
  const matched = new Uint8Array(skeleton.names.length);
  for (const [node, name] of skeleton.names.entries()) {
    const rotation = best.get(name);
    if (rotation === undefined) continue;
    local.set(rotation, node * POSE_STRIDE + 3);
    matched[node] = 1;
  }
  return { pose: modelPose(file.name, skeleton.parents, local), matched };
}
