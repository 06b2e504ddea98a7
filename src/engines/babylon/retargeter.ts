import type { Quaternion } from '@babylonjs/core/Maths/math.vector.js';
import { PATH_OFFSET } from '../../core/skeleton/skeleton.ts';
import { listWrittenNodes } from '../scene/plan-nodes.ts';
import { createSceneRetargeter, type LiveOptions, type Retargeter } from '../scene/retargeter.ts';
import { type BabylonCharacter, resolveTarget } from './create-humanoid.ts';
import { mirrorRotation, mirrorTranslation } from './handedness.ts';
import { readTransform } from './read-scene.ts';
import type { BabylonPairOptions } from './retarget-animation-group.ts';

/**
 * Creates a retargeter that applies the current pose of one character to another, whatever animates the source: blended groups, physics, motion
 * capture. Create it while both characters are in their rest pose, then call `update()` every frame, after the source has moved. It writes only the
 * bones of the target and the position of its hips. Feet keep their contacts with the ground as they do in the source; see the option `contacts`.
 *
 * @param source The character that has the motion: a node, a skeleton, or a result of `createHumanoid`.
 * @param target The character that receives it.
 * @param options Facts about both characters, retargeting options, and how contacts are kept.
 * @returns The retargeter.
 * @throws RangeError when a root has no humanoid or several, and for an invalid option.
 * @example
 * const retargeter = createRetargeter(walkRoot, heroRoot);
 * scene.onAfterAnimationsObservable.add(() => retargeter.update(scene.deltaTime / 1000));
 */
export function createRetargeter(
  source: BabylonCharacter,
  target: BabylonCharacter,
  options: BabylonPairOptions & LiveOptions = {},
): Retargeter {
  const { source: sourceOptions = {}, target: targetOptions = {}, ...channels } = options;
  const from = resolveTarget(source, sourceOptions);
  const to = resolveTarget(target, targetOptions);
  const rotationOut = new Float64Array(4);
  const retargeter = createSceneRetargeter(
    {
      humanoid: from.humanoid,
      issues: from.issues,
      describeSurface: from.describeSurface,
      isIgnored: (node) => from.nodes[node] === from.root,
      read: (pose, at, node) => {
        readTransform(pose, at, from.nodes[node]);
        if (!from.mirrored) return;
        mirrorTranslation(pose, at);
        mirrorRotation(pose, at + PATH_OFFSET.rotation);
      },
    },
    {
      humanoid: to.humanoid,
      issues: to.issues,
      describeSurface: to.describeSurface,
      translate: (node, pose, at) => {
        const z = to.mirrored ? -pose[at + 2] : pose[at + 2];
        to.nodes[node].position.set(pose[at], pose[at + 1], z);
      },
      rotate: (node, pose, at) => {
        for (let c = 0; c < 4; c++) rotationOut[c] = pose[at + c];
        if (to.mirrored) mirrorRotation(rotationOut, 0);
        (to.nodes[node].rotationQuaternion as Quaternion).set(
          rotationOut[0],
          rotationOut[1],
          rotationOut[2],
          rotationOut[3],
        );
      },
      scale: (node, pose, at) => to.nodes[node].scaling.set(pose[at], pose[at + 1], pose[at + 2]),
    },
    channels,
  );
  const { rotation } = listWrittenNodes(retargeter.plan);
  for (const node of rotation) to.nodes[node].rotationQuaternion ??= to.nodes[node].rotation.toQuaternion();
  return retargeter;
}
