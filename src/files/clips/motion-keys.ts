/** Decides which keys clips of outputs have. */
import type { Clip } from '../../core/animation/clip.ts';
import { frameKeysOf } from '../../core/animation/frame-times.ts';
import { linearKeys } from '../../core/animation/linear-keys.ts';
import { unionTimes } from '../../core/animation/resample.ts';
import { EXACT_TOLERANCE, LINEAR_TOLERANCE } from '../../core/animation/resample-tolerance.ts';
import { restDiagonal } from '../../core/deform/extents.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';

import type { Skeleton } from '../../core/skeleton/skeleton.ts';
import type { OutputKeys } from '../outputs/output-format.ts';
import type { ClipEdits } from './clip-edits.ts';

/** What the keys of a result depend on. */
export interface KeySource {
  /** The motion that the result was made from, trimmed and at its new speed. */
  readonly motion: Clip;
  /** Keys per second of a result that was resampled; undefined for the keys of the motion. */
  readonly fps: number | undefined;
  /** Keys that the output can hold. */
  readonly keys: OutputKeys;
}

/**
 * Gives a result few LINEAR keys, within 0.1° of a rotation, 0.2° of a world rotation and 1e-4 of the height at any time. Keys of glTF and USD that were kept stay
 * as they are where the output can hold them. Outputs with a value per frame are sampled from the exact motion.
 *
 * @param humanoid The skeleton as a humanoid; null for other skeletons.
 */
export function withMotionKeys(
  skeleton: Skeleton,
  humanoid: Humanoid | null,
  clip: Clip,
  { motion, fps, keys }: KeySource,
  { keys: wanted = 'linear' }: ClipEdits,
): Clip {
  if (fps !== undefined || clip.tracks.length === 0) return clip;
  const frames = frameKeysOf(motion);
  const timed = frames === null ? clip : { ...clip, keyTimes: frames };
  if (wanted === 'exact' || keys === 'frames') return timed;
  // Readers of FBX and BVH make the keys themselves, and recordings have one in every frame.
  const isBaked = motion.keyTimes !== undefined;
  // Frames of a BVH that is not retargeted are data, of which only what lies between others is left out.
  const isConverted = clip === motion && clip.tracks.every(({ interpolation }) => interpolation === 'LINEAR');
  const tracks = linearKeys(skeleton, clip.tracks, {
    tolerance: isConverted ? EXACT_TOLERANCE : LINEAR_TOLERANCE,
    size: humanoid?.height || restDiagonal(skeleton),
    converts: isBaked || keys !== 'any' ? ['CUBICSPLINE'] : [],
    keyTimes: motion.keyTimes ?? unionTimes(motion.tracks.map(({ times }) => times)),
    isBaked,
    sharesTimes: keys === 'shared',
  });
  // A motion that was not retargeted and keeps its keys needs no other key times.
  return clip === motion && tracks.every((track, k) => track === clip.tracks[k]) ? clip : { ...timed, tracks };
}
