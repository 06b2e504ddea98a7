import { OptionError } from '../option-error.ts';
import type { ChosenClip } from './choose-clips.ts';

/** Maximum number of frames of one resampled clip: one hour at 60 fps. */
const MAX_FRAMES = 216_000;

/**
 * Rejects frame rates that are out of range or give too many frames.
 *
 * @param fps Frames per second; undefined keeps the keys of the motion.
 * @param chosen The clips to resample.
 * @throws OptionError (`fps`) for a rate outside 0…1000, and for a clip of more than 216000 frames at that rate.
 */
export function checkFrameRate(fps: number | undefined, chosen: readonly ChosenClip[]): void {
  if (fps === undefined) return;
  if (!(fps > 0 && fps <= 1000)) {
    throw new OptionError('fps', `The frame rate is ${fps}; expected a number above 0, up to 1000`);
  }
  for (const { clip } of chosen) {
    if (clip.duration * fps <= MAX_FRAMES) continue;
    const message = `The clip ${JSON.stringify(clip.name)} lasts ${clip.duration} s, which is more than ${MAX_FRAMES} frames at ${fps} fps; choose a lower rate or trim the clip`;
    throw new OptionError('fps', message);
  }
}
