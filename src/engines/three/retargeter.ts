/** One three.js character doing what another does, frame by frame. */
import { type Retargeter, retargeterOf } from '../scene/retargeter.ts';
import { type Character, targetOf } from './humanoid-of.ts';
import { readTransform } from './read-scene.ts';
import type { PairOptions } from './retarget-clip.ts';

/**
 * What {@link retargetClip} does for clips, for whatever moves the source: a mixer that blends, physics, motion capture. Make it while both
 * characters are at rest; then call `update()` every frame, after the source has moved. Only bones of the target are written, and the
 * position of its hips.
 *
 * @throws RangeError where a root holds no humanoid or several, and for options that make no sense.
 */
export function createRetargeter(source: Character, target: Character, options: PairOptions = {}): Retargeter {
  const { source: sourceOptions = {}, target: targetOptions = {}, ...channels } = options;
  const from = targetOf(source, sourceOptions);
  const to = targetOf(target, targetOptions);
  return retargeterOf(
    {
      humanoid: from.humanoid,
      issues: from.issues,
      isPlaced: (node) => from.placed.has(from.objects[node]),
      read: (pose, at, node) => readTransform(pose, at, from.objects[node]),
    },
    {
      humanoid: to.humanoid,
      issues: to.issues,
      translate: (node, pose, at) => to.objects[node].position.set(pose[at], pose[at + 1], pose[at + 2]),
      rotate: (node, pose, at) => to.objects[node].quaternion.set(pose[at], pose[at + 1], pose[at + 2], pose[at + 3]),
      scale: (node, pose, at) => to.objects[node].scale.set(pose[at], pose[at + 1], pose[at + 2]),
    },
    channels,
  );
}
