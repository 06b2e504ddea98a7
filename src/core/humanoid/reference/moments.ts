/** A few poses of a motion, for what only the whole of it shows: its ground, its up, its mean. */
import type { Clip } from '../../animation/clip.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { clipPose, frameTimes, type ModelPose } from './model-pose.ts';

/** Moments of a motion that are looked at. */
const MOMENTS = 48;

/** Poses of a clip at up to `most` moments, evenly over its frames. */
export function* moments(skeleton: Skeleton, clip: Clip, most: number = MOMENTS): Generator<ModelPose> {
  const times = frameTimes(clip);
  const step = Math.max(1, Math.ceil(times.length / most));
  for (let frame = 0; frame < times.length; frame += step) {
    yield clipPose(skeleton, clip, times[frame], `frame:${frame}`);
  }
}
