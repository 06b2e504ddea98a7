import type { Clip } from '../../core/animation/clip.ts';
import { isConstantTrack } from '../../core/animation/is-constant-track.ts';
import { type ModelPose, toModelPose } from '../../core/humanoid/t-pose/model-pose.ts';
import { upperMedian } from '../../core/math/median.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { bindPose, restPose } from '../../core/skeleton/pose.ts';
import { PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../../core/skeleton/skeleton.ts';
import type { OpenFile } from '../open-file.ts';

/** Collects the local transforms of the bind pose, else of the rest pose, by node name; the first of equal names. */
function transformsByName(skeleton: Skeleton): Map<string, Float64Array> {
  const local = bindPose(skeleton) ?? restPose(skeleton);
  const transforms = new Map<string, Float64Array>();
  for (const [node, name] of skeleton.names.entries()) {
    if (name !== '' && !transforms.has(name))
      transforms.set(name, local.slice(POSE_STRIDE * node, POSE_STRIDE * (node + 1)));
  }
  return transforms;
}

/** Returns the nodes that a motion translates: hips and roots, whose rest translation is that of any moment in files without a pose at rest. */
function translatedNodes(motion: Clip | null): Set<number> {
  const tracks = motion?.tracks.filter((track) => track.path === 'translation' && !isConstantTrack(track)) ?? [];
  return new Set(tracks.map(({ target }) => target));
}

/** Returns how many times longer the limbs of one pose are than those of another: the median over nodes; 1 without limbs. */
function lengthRatio(pairs: readonly (readonly [own: number, other: number])[]): number {
  return upperMedian(pairs.flatMap(([own, other]) => (own > 0 && other > 0 ? [own / other] : []))) ?? 1;
}

/**
 * Transfers the pose of a file to a skeleton by node names: every node whose name the file has gets its local rotation in the bind pose of that
 * file, else in its rest pose. Nodes that the motion translates get their translation too, so that all motions of a rig have the same heights.
 * Other nodes keep their rest pose. Of several skeletons in the file, the one with the most common names is used. `motion`: a motion of the
 * skeleton; null without. Returns the pose, null without common names, and `matched`: 1 for every node whose name exists in the other file.
 */
export function poseFromFile(
  skeleton: Skeleton,
  file: OpenFile,
  motion: Clip | null,
): { pose: ModelPose; matched: Uint8Array } | null {
  let best = new Map<string, Float64Array>();
  let most = 0;
  for (const { skeleton: other } of file.asset.skeletons) {
    const transforms = transformsByName(other);
    const count = skeleton.names.filter((name) => transforms.has(name)).length;
    if (count <= most) continue;
    best = transforms;
    most = count;
  }
  if (most === 0) return null;
  const local = restPose(skeleton);
  const matched = new Uint8Array(skeleton.names.length);
  const moving = translatedNodes(motion);
  const lengths: [number, number][] = [];
  for (const [node, name] of skeleton.names.entries()) {
    const transform = best.get(name);
    if (transform === undefined) continue;
    const start = node * POSE_STRIDE;
    local.set(transform.subarray(PATH_OFFSET.rotation, PATH_OFFSET.rotation + 4), start + PATH_OFFSET.rotation);
    matched[node] = 1;
    if (!moving.has(node)) lengths.push([vec3.length(local, start), vec3.length(transform, 0)]);
  }
  const ratio = lengthRatio(lengths);
  for (const node of moving) {
    const transform = best.get(skeleton.names[node]);
    if (transform !== undefined) vec3.scale(local, node * POSE_STRIDE, transform, 0, ratio);
  }
  return { pose: toModelPose(file.name, skeleton.parents, local), matched };
}
