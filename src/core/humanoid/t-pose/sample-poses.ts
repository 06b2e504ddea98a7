/** Samples a motion at a few times, for what only the whole motion shows: its ground, its up axis, its mean pose. */
import type { Clip } from '../../animation/clip.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { frameTimes, type ModelPose, sampleModelPose } from './model-pose.ts';

const DEFAULT_COUNT = 48;

/**
 * Samples a clip at evenly distributed times from its first to its last frame. Frames themselves may be closer together where the motion is
 * fast, which would weigh that part of the motion more.
 */
export function* samplePoses(skeleton: Skeleton, clip: Clip, maxCount: number = DEFAULT_COUNT): Generator<ModelPose> {
  const times = frameTimes(clip);
  const count = Math.min(maxCount, times.length);
  for (let k = 0; k < count; k++) {
    const time = count === 1 ? times[0] : times[0] + ((times[times.length - 1] - times[0]) * k) / (count - 1);
    yield sampleModelPose(skeleton, clip, time, `${time} s`);
  }
}
