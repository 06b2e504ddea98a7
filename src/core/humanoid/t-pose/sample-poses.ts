/** Samples a motion at a few times, for what only the whole motion shows: its ground, its up axis, its mean pose. */
import type { Clip } from '../../animation/clip.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { frameTimes, type ModelPose, sampleModelPose } from './model-pose.ts';

/** Default number of samples. */
const DEFAULT_COUNT = 48;

/**
 * Samples a clip at evenly distributed frames.
 *
 * @param skeleton The skeleton that the clip animates.
 * @param clip The clip.
 * @param maxCount Maximum number of poses; shorter clips give all their frames.
 * @returns Poses in the order of time.
 */
export function* samplePoses(skeleton: Skeleton, clip: Clip, maxCount: number = DEFAULT_COUNT): Generator<ModelPose> {
  const times = frameTimes(clip);
  const step = Math.max(1, Math.ceil(times.length / maxCount));
  for (let frame = 0; frame < times.length; frame += step) {
    yield sampleModelPose(skeleton, clip, times[frame], `frame:${frame}`);
  }
}
