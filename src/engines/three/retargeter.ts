/** One three.js character doing what another does, frame by frame. */
import type { Issue } from '../../core/report/issue.ts';
import { planRetarget } from '../../core/retarget/plan.ts';
import type { RetargetPlan } from '../../core/retarget/retarget-plan.ts';
import { retargetPose } from '../../core/retarget/retarget-pose.ts';
import { restPose } from '../../core/skeleton/pose.ts';
import { readNodesOf, writtenNodesOf } from '../scene/pose-transfer.ts';
import { type Character, targetOf } from './humanoid-of.ts';
import { readTransform } from './read-scene.ts';
import type { PairOptions } from './retarget-clip.ts';

/** Keeps a character in the pose of another. */
export interface Retargeter {
  readonly plan: RetargetPlan;
  readonly issues: readonly Issue[];
  /** Takes the pose that the source shows now, and puts the target into it. Allocates nothing. */
  update(): void;
}

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
  const plan = planRetarget(from.humanoid, to.humanoid, channels);
  const sourceLocal = restPose(from.humanoid.skeleton);
  const targetLocal = restPose(to.humanoid.skeleton);
  const read = readNodesOf(plan).filter((node) => !from.placed.has(from.objects[node]));
  const written = writtenNodesOf(plan);
  return {
    plan,
    issues: [...from.issues, ...to.issues, ...plan.issues],
    update() {
      for (let k = 0; k < read.length; k++) readTransform(sourceLocal, 10 * read[k], from.objects[read[k]]);
      retargetPose(plan, sourceLocal, targetLocal);
      for (let k = 0; k < written.rotation.length; k++) {
        const at = 10 * written.rotation[k] + 3;
        const { quaternion } = to.objects[written.rotation[k]];
        quaternion.set(targetLocal[at], targetLocal[at + 1], targetLocal[at + 2], targetLocal[at + 3]);
      }
      for (let k = 0; k < written.translation.length; k++) {
        const at = 10 * written.translation[k];
        to.objects[written.translation[k]].position.set(targetLocal[at], targetLocal[at + 1], targetLocal[at + 2]);
      }
      for (let k = 0; k < written.scale.length; k++) {
        const at = 10 * written.scale[k] + 7;
        to.objects[written.scale[k]].scale.set(targetLocal[at], targetLocal[at + 1], targetLocal[at + 2]);
      }
    },
  };
}
