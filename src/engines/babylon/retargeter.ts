/** One Babylon.js character doing what another does, frame by frame. */
import type { Quaternion } from '@babylonjs/core/Maths/math.vector.js';
import { writtenNodesOf } from '../scene/pose-transfer.ts';
import { type Retargeter, retargeterOf } from '../scene/retargeter.ts';
import { mirrorRotation, mirrorTranslation } from './handedness.ts';
import { type Character, targetOf } from './humanoid-of.ts';
import { readTransform } from './read-scene.ts';
import type { PairOptions } from './retarget-animation-group.ts';

/**
 * What {@link retargetAnimationGroup} does for groups, for whatever moves the source: groups that blend, physics, motion capture. Make it
 * while both characters are at rest; then call `update()` every frame, after the source has moved
 * (`scene.onAfterAnimationsObservable`). Only bones of the target are written, and the position of its hips.
 *
 * @throws RangeError where a root holds no humanoid or several, and for options that make no sense.
 */
export function createRetargeter(source: Character, target: Character, options: PairOptions = {}): Retargeter {
  const { source: sourceOptions = {}, target: targetOptions = {}, ...channels } = options;
  const from = targetOf(source, sourceOptions);
  const to = targetOf(target, targetOptions);
  const shown = new Float64Array(4);
  const retargeter = retargeterOf(
    {
      humanoid: from.humanoid,
      issues: from.issues,
      isPlaced: (node) => from.nodes[node] === from.root,
      read: (pose, at, node) => {
        readTransform(pose, at, from.nodes[node]);
        if (!from.mirrored) return;
        mirrorTranslation(pose, at);
        mirrorRotation(pose, at + 3);
      },
    },
    {
      humanoid: to.humanoid,
      issues: to.issues,
      translate: (node, pose, at) => {
        const z = to.mirrored ? -pose[at + 2] : pose[at + 2];
        to.nodes[node].position.set(pose[at], pose[at + 1], z);
      },
      rotate: (node, pose, at) => {
        for (let c = 0; c < 4; c++) shown[c] = pose[at + c];
        if (to.mirrored) mirrorRotation(shown, 0);
        (to.nodes[node].rotationQuaternion as Quaternion).set(shown[0], shown[1], shown[2], shown[3]);
      },
      scale: (node, pose, at) => to.nodes[node].scaling.set(pose[at], pose[at + 1], pose[at + 2]),
    },
    channels,
  );
  const { rotation } = writtenNodesOf(retargeter.plan);
  for (const node of rotation) to.nodes[node].rotationQuaternion ??= to.nodes[node].rotation.toQuaternion();
  return retargeter;
}
