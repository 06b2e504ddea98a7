/** Tracks of bones and joints that hang elsewhere in the node tree than at the place that they belong to. */
import type { Clip, Track } from '../animation/clip.ts';
import { sampleClip } from '../animation/sample.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import type { RetargetPlan } from './retarget-plan.ts';
import { retargetPose } from './retarget-pose.ts';
import { type Resampling, resampled } from './target-track.ts';

/** Attached bones stay within this of the end of their limb, relative to their distance from their parent node. */
const TOLERANCE = 1e-4;

/** Attached joints turn within this of the bone that they follow, radians. */
const TURN_TOLERANCE = (0.005 * Math.PI) / 180;

/**
 * A resampled translation track for every attachment, where a limb ends depends on every bone above it, and a rotation track for
 * joints that are no bones.
 */
export function attachmentTracks(plan: RetargetPlan, clip: Clip, fps: number | undefined): Track[] {
  if (plan.attachments.length === 0) return [];
  const sourceLocal = plan.sourceRest.slice();
  const targetLocal = plan.targetRest.slice();
  const poseAt = (time: number): Float64Array => {
    sampleClip(clip, time, sourceLocal);
    return retargetPose(plan, sourceLocal, targetLocal);
  };
  const { tracks, duration } = clip;
  return plan.attachments.flatMap(({ targetNode, turn }) => {
    const place = (time: number, out: Floats, o: number): void => vec3.copy(out, o, poseAt(time), 10 * targetNode);
    const size = vec3.length(plan.targetRest, 10 * targetNode) || 1;
    const translation: Resampling = { path: 'translation', tracks, tolerance: TOLERANCE * size, evaluate: place };
    const moved = resampled(targetNode, translation, duration, fps);
    if (turn === null) return [moved];
    const facing = (time: number, out: Floats, o: number): void => quat.copy(out, o, poseAt(time), 10 * targetNode + 3);
    const rotation: Resampling = { path: 'rotation', tracks, tolerance: TURN_TOLERANCE, evaluate: facing };
    return [moved, resampled(targetNode, rotation, duration, fps)];
  });
}
