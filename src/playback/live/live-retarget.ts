/** Retargets poses as they arrive: mocap streams, ragdolls, procedural motion. */
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { Issue } from '../../core/report/issue.ts';
import type { RetargetOptions } from '../../core/retarget/options.ts';
import { planRetarget } from '../../core/retarget/plan-retarget.ts';
import type { RetargetPlan } from '../../core/retarget/plan-types.ts';
import { retargetPose } from '../../core/retarget/retarget-pose.ts';
import { restPose } from '../../core/skeleton/pose.ts';

/** A source pose and the target pose that follows it. */
export interface LiveRetarget {
  /** The retargeting plan of the pair. */
  readonly plan: RetargetPlan;
  /** What the plan could not map directly. */
  readonly issues: readonly Issue[];
  /** The pose of the source, at first its rest pose: 10 floats per node, local space. Write the nodes that move, then call `update`. */
  readonly sourcePose: Float64Array;
  /** The pose of the target: 10 floats per node, local space. Nodes that the plan does not drive keep what you write to them. */
  readonly targetPose: Float64Array;
  /** Retargets `sourcePose` to `targetPose`. Neither allocates nor throws. */
  update(): void;
}

/**
 * Creates a live retargeting: plans once, then retargets one pose per call without allocation. The poses equal those of `retargetClip` with
 * the same options.
 *
 * @param source The humanoid whose poses arrive.
 * @param target The humanoid that follows.
 * @param options Retargeting options.
 * @returns The two poses and `update`.
 * @throws RangeError If a humanoid has no hips, or `hipsScale` is a number that is not finite.
 * @example
 * const live = createLiveRetarget(suit, hero);
 * // For every frame of the stream:
 * setModelRotations(live.sourcePose, suit.skeleton.parents, rotations);
 * live.update();
 */
export function createLiveRetarget(source: Humanoid, target: Humanoid, options: RetargetOptions = {}): LiveRetarget {
  const plan = planRetarget(source, target, options);
  const sourcePose = restPose(source.skeleton);
  const targetPose = restPose(target.skeleton);
  return {
    plan,
    issues: plan.issues,
    sourcePose,
    targetPose,
    update() {
      retargetPose(plan, sourcePose, targetPose);
    },
  };
}
