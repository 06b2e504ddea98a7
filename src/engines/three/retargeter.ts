import { createSceneRetargeter, type LiveOptions, type Retargeter } from '../scene/retargeter.ts';
import { resolveTarget, type ThreeCharacter } from './create-humanoid.ts';
import { readTransform } from './read-scene.ts';
import type { ThreePairOptions } from './retarget-animation-clip.ts';

/**
 * Creates a retargeter that applies the current pose of one character to another, whatever animates the source: a blending mixer, physics, motion
 * capture. Create it while both characters are in their rest pose, then call `update()` every frame, after the source has moved. It writes only the
 * bones of the target and the position of its hips. Feet keep their contacts with the ground as they do in the source; see the option `contacts`.
 *
 * @param source The character that has the motion: a root, a VRM, or a result of `createHumanoid`.
 * @param target The character that receives it.
 * @param options Facts about both characters, retargeting options, and how contacts are kept.
 * @returns The retargeter.
 * @throws RangeError when a root has no humanoid or several, and for an invalid option.
 * @example
 * const retargeter = createRetargeter(walk.scene, hero.scene);
 * // Every frame:
 * mixer.update(delta);
 * retargeter.update(delta);
 */
export function createRetargeter(
  source: ThreeCharacter,
  target: ThreeCharacter,
  options: ThreePairOptions & LiveOptions = {},
): Retargeter {
  const { source: sourceOptions = {}, target: targetOptions = {}, ...channels } = options;
  const from = resolveTarget(source, sourceOptions);
  const to = resolveTarget(target, targetOptions);
  return createSceneRetargeter(
    {
      humanoid: from.humanoid,
      issues: from.issues,
      describeSurface: from.describeSurface,
      isIgnored: (node) => from.ignoredRoots.has(from.objects[node]),
      read: (pose, at, node) => readTransform(pose, at, from.objects[node]),
    },
    {
      humanoid: to.humanoid,
      issues: to.issues,
      describeSurface: to.describeSurface,
      translate: (node, pose, at) => to.objects[node].position.set(pose[at], pose[at + 1], pose[at + 2]),
      rotate: (node, pose, at) => to.objects[node].quaternion.set(pose[at], pose[at + 1], pose[at + 2], pose[at + 3]),
      scale: (node, pose, at) => to.objects[node].scale.set(pose[at], pose[at + 1], pose[at + 2]),
    },
    channels,
  );
}
