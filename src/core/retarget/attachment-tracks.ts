/** Translation tracks of bones that hang elsewhere in the node tree than at the end of their limb. */
import type { Clip, Track } from '../animation/clip.ts';
import { sampleClip } from '../animation/sample.ts';
import type { Floats } from '../math/floats.ts';
import * as vec3 from '../math/vec3.ts';
import type { RetargetPlan } from './retarget-plan.ts';
import { retargetPose } from './retarget-pose.ts';
import { resampled } from './target-track.ts';

/** Attached bones stay within this of the end of their limb, relative to their distance from their parent node. */
const TOLERANCE = 1e-4;

/** One resampled translation track an attachment: where a limb ends depends on every bone above it. */
export function attachmentTracks(plan: RetargetPlan, clip: Clip, fps: number | undefined): Track[] {
  if (plan.attachments.length === 0) return [];
  const sourceLocal = plan.sourceRest.slice();
  const targetLocal = plan.targetRest.slice();
  return plan.attachments.map(({ targetNode }) => {
    const evaluate = (time: number, out: Floats, o: number): void => {
      sampleClip(clip, time, sourceLocal);
      retargetPose(plan, sourceLocal, targetLocal);
      vec3.copy(out, o, targetLocal, 10 * targetNode);
    };
    const tolerance = TOLERANCE * (vec3.length(plan.targetRest, 10 * targetNode) || 1);
    return resampled(targetNode, { path: 'translation', tracks: clip.tracks, tolerance, evaluate }, clip.duration, fps);
  });
}
