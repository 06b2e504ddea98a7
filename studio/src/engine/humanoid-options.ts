import type { AssetSkeleton } from 'anyrig';
import type { HumanoidOptions, OpenFile } from 'anyrig/files';
import { toModelPose } from '../../../src/core/humanoid/t-pose/model-pose.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { POSE_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import type { PoseOption } from '../../../src/files/humanoid/describe-file-humanoid.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { entryOf } from './entries.ts';
import type { HumanoidEdits, NodeRotation, PoseEdit } from './protocol.ts';

const ROTATION_OFFSET = 3;

/** Puts rotations by glTF node into the rest pose of a skeleton. */
function editedPose({ skeleton, sourceNodes }: AssetSkeleton, rotations: readonly NodeRotation[]): PoseOption {
  const count = skeleton.parents.length;
  const local = restPose(skeleton);
  const byNode = new Map(rotations.map(({ node, rotation }) => [node, rotation]));
  for (let node = 0; node < count; node++) {
    const rotation = byNode.get(sourceNodes[node]);
    if (rotation !== undefined) local.set(rotation, node * POSE_STRIDE + ROTATION_OFFSET);
  }
  return toModelPose('studio', skeleton.parents, local);
}

/** `chosen`: the skeleton and the map that the user chose. */
function poseOption(file: OpenFile, pose: PoseEdit, chosen: HumanoidOptions): PoseOption | null {
  switch (pose.kind) {
    case 'auto':
      return null;
    case 'frame':
      return { frame: pose.frame };
    case 'file':
      return { file: entryOf(pose.file).file };
    case 'edited': {
      const part = file.asset.skeletons[chooseHumanoid(file, 'only', chosen).index];
      return part === undefined ? null : editedPose(part, pose.rotations);
    }
    default:
      return pose.kind;
  }
}

/** Converts what the user decided to options of the library. */
export function humanoidOptions(file: OpenFile, { skeleton, map, pose }: HumanoidEdits): HumanoidOptions {
  const chosen = { ...(skeleton === null ? {} : { skeleton }), ...(map === null ? {} : { map }) };
  const option = poseOption(file, pose, chosen);
  return { ...chosen, ...(option === null ? {} : { pose: option }) };
}
