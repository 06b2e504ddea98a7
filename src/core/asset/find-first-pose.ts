import { type FirstPose, findFirstPoseOfClip } from '../animation/first-pose.ts';
import type { AssetClip } from './asset.ts';

/**
 * Finds a pose at the start of an animation that is no part of its motion, such as the T-pose in the first frame of many recordings: from it at
 * least one joint jumps by 15° or more, 8 times further than any joint moves in the four frames after it. Returns when the motion begins (seconds)
 * and the jump (radians); null where it begins in the first frame.
 */
export function findFirstPose({ clips }: AssetClip): FirstPose | null {
  let found: FirstPose | null = null;
  for (const clip of clips) {
    const pose = findFirstPoseOfClip(clip);
    if (pose !== null && (found === null || pose.end > found.end)) found = pose;
  }
  return found;
}
