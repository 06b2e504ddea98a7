/** The pose of one file as the reference pose of another, for motions without a usable rest pose. */
import { type ModelPose, toModelPose } from '../../core/humanoid/t-pose/model-pose.ts';
import { bindPose, restPose } from '../../core/skeleton/pose.ts';
import { PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../../core/skeleton/skeleton.ts';
import type { OpenFile } from '../open-file.ts';

/** A pose that was transferred by node names. */
export interface TransferredPose {
  /** The pose of all nodes, model space. */
  readonly pose: ModelPose;
  /** 1 for every node whose name exists in the other file. */
  readonly matched: Uint8Array;
}

/** Collects the local rotations of the bind pose, else of the rest pose, by node name; the first of equal names. */
function rotationsByName(skeleton: Skeleton): Map<string, Float64Array> {
  const local = bindPose(skeleton) ?? restPose(skeleton);
  const rotations = new Map<string, Float64Array>();
  for (const [node, name] of skeleton.names.entries()) {
    if (name === '' || rotations.has(name)) continue;
    const start = node * POSE_STRIDE + PATH_OFFSET.rotation;
    rotations.set(name, local.slice(start, start + 4));
  }
  return rotations;
}

/**
 * Transfers the pose of a file to a skeleton by node names: every node whose name the file has gets its local rotation in the bind pose of that
 * file, else in its rest pose. Other nodes keep their rest pose. Of several skeletons in the file, the one with the most common names is used.
 *
 * @param skeleton The skeleton to pose.
 * @param file The file with the pose.
 * @returns The pose; null without common names.
 */
export function poseFromFile(skeleton: Skeleton, file: OpenFile): TransferredPose | null {
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
    local.set(rotation, node * POSE_STRIDE + PATH_OFFSET.rotation);
    matched[node] = 1;
  }
  return { pose: toModelPose(file.name, skeleton.parents, local), matched };
}
