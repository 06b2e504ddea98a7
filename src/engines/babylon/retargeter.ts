/** One Babylon.js character doing what another does, frame by frame. */
import type { Quaternion } from '@babylonjs/core/Maths/math.vector.js';
import type { Issue } from '../../core/report/issue.ts';
import { planRetarget } from '../../core/retarget/plan.ts';
import type { RetargetPlan } from '../../core/retarget/retarget-plan.ts';
import { retargetPose } from '../../core/retarget/retarget-pose.ts';
import { restPose } from '../../core/skeleton/pose.ts';
import { readNodesOf, writtenNodesOf } from '../scene/pose-transfer.ts';
import { mirrorRotation, mirrorTranslation } from './handedness.ts';
import { type Character, targetOf } from './humanoid-of.ts';
import { readTransform } from './read-scene.ts';
import type { PairOptions } from './retarget-animation-group.ts';

/** Keeps a character in the pose of another. */
export interface Retargeter {
  readonly plan: RetargetPlan;
  readonly issues: readonly Issue[];
  /** Takes the pose that the source shows now, and puts the target into it. Allocates nothing. */
  update(): void;
}

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
  const plan = planRetarget(from.humanoid, to.humanoid, channels);
  const sourceLocal = restPose(from.humanoid.skeleton);
  const targetLocal = restPose(to.humanoid.skeleton);
  const shown = new Float64Array(10);
  const read = readNodesOf(plan).filter((node) => from.nodes[node] !== from.root);
  const written = writtenNodesOf(plan);
  for (const node of written.rotation) to.nodes[node].rotationQuaternion ??= to.nodes[node].rotation.toQuaternion();
  return {
    plan,
    issues: [...from.issues, ...to.issues, ...plan.issues],
    update() {
      for (let k = 0; k < read.length; k++) {
        const at = 10 * read[k];
        readTransform(sourceLocal, at, from.nodes[read[k]]);
        if (!from.mirrored) continue;
        mirrorTranslation(sourceLocal, at);
        mirrorRotation(sourceLocal, at + 3);
      }
      retargetPose(plan, sourceLocal, targetLocal);
      for (let k = 0; k < written.rotation.length; k++) {
        const at = 10 * written.rotation[k] + 3;
        for (let c = 0; c < 4; c++) shown[c] = targetLocal[at + c];
        if (to.mirrored) mirrorRotation(shown, 0);
        (to.nodes[written.rotation[k]].rotationQuaternion as Quaternion).set(shown[0], shown[1], shown[2], shown[3]);
      }
      for (let k = 0; k < written.translation.length; k++) {
        const at = 10 * written.translation[k];
        const z = to.mirrored ? -targetLocal[at + 2] : targetLocal[at + 2];
        to.nodes[written.translation[k]].position.set(targetLocal[at], targetLocal[at + 1], z);
      }
      for (let k = 0; k < written.scale.length; k++) {
        const at = 10 * written.scale[k] + 7;
        to.nodes[written.scale[k]].scaling.set(targetLocal[at], targetLocal[at + 1], targetLocal[at + 2]);
      }
    },
  };
}
