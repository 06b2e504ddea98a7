/** Extracts humanoid clips: motion relative to the reference pose, independent of a skeleton. */
import type { Clip } from '../animation/clip.ts';
import { type CanonicalRig, createCanonicalRig, PELVIS_HEIGHT } from '../humanoid/canonical-rig.ts';
import { describeHumanoid } from '../humanoid/describe-humanoid.ts';
import { isHipsHeightUsable } from '../humanoid/hips-height.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { type HumanoidClip, toHumanoidClip } from '../humanoid/humanoid-clip.ts';
import type { RetargetOptions } from './options.ts';
import { planRetarget } from './plan-retarget.ts';
import type { RetargetPlan } from './plan-types.ts';
import { type ClipOptions, retargetClip } from './retarget-clip.ts';

/** How the clips of a humanoid become humanoid clips. */
interface ExtractPlan {
  /** The bones of the source with their canonical axes. */
  readonly rig: CanonicalRig;
  /** The rig as a humanoid. */
  readonly humanoid: Humanoid;
  /** From the source to the rig. */
  readonly plan: RetargetPlan;
}

/**
 * Describes a canonical rig as a humanoid, so that it can be a source or a target. Throws RangeError if the rig lacks a bone that a humanoid needs.
 */
export function describeCanonicalRig(rig: CanonicalRig): Humanoid {
  const { skeleton, declared } = rig;
  const { humanoid, reason } = describeHumanoid(skeleton, { declared, metersPerUnit: 1 });
  if (humanoid === null) {
    throw new RangeError(
      `describeCanonicalRig: the rig is not a humanoid: ${reason} Create it with createCanonicalRig.`,
    );
  }
  return humanoid;
}

/**
 * Plans the extraction of any clip of `source`. The path of the pelvis is kept in meters, as the translation of hips that are where those of an
 * adult are; the clip stores their height, so that it can be scaled to another character later.
 *
 * @param source The humanoid that moves.
 * @param options What to extract; omitted options have their defaults.
 * @returns The plan, for all clips of the source.
 * @throws RangeError If the source has no hips.
 * @example
 * const plan = planExtract(source);
 * const walk = extractClip(plan, clip);
 */
export function planExtract(source: Humanoid, options: Omit<RetargetOptions, 'hipsScale'> = {}): ExtractPlan {
  const { map, hipsHeight, height } = source;
  const bones = Array.from(map.nodes.keys()).filter((bone) => map.nodes[bone] >= 0);
  const rig = createCanonicalRig(bones, isHipsHeightUsable(hipsHeight, height) ? hipsHeight / PELVIS_HEIGHT : null);
  const humanoid = describeCanonicalRig(rig);
  return { rig, humanoid, plan: planRetarget(source, humanoid, options) };
}

/**
 * Extracts a clip of the source as a humanoid clip. Keys, times and interpolation are kept where one rotation drives a bone, as by
 * {@link retargetClip}.
 *
 * @param plan From {@link planExtract}.
 * @param clip A clip of the source.
 * @param options Name and key rate of the new clip.
 * @returns The humanoid clip.
 * @throws RangeError If `fps` is not a positive number, or a track animates a node that the source does not have.
 * @example
 * const walk = extractClip(planExtract(source), clip, { fps: 30 });
 */
export function extractClip(plan: ExtractPlan, clip: Clip, options: ClipOptions = {}): HumanoidClip {
  return toHumanoidClip(plan.rig, retargetClip(plan.plan, clip, options));
}
