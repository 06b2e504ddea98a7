import { OptionError } from '../option-error.ts';
import type { ChosenClip } from './choose-clips.ts';

/** Maximum number of frames of one resampled clip: one hour at 60 fps. */
const MAX_FRAMES = 216_000;
/** Maximum number of keys of one resampled clip, if the file does not have many itself: 9 minutes of 60 joints at 60 fps. */
const MAX_KEYS = 2_000_000;
/** Keys per key of the file that are also allowed. */
const KEYS_PER_KEY = 8;

function checkKeys(fps: number, { name, duration, clips }: ChosenClip['clip']): void {
  const tracks = clips.flatMap((clip) => clip.tracks);
  const keys = tracks.reduce((sum, { times }) => sum + times.length, 0);
  const most = Math.max(MAX_KEYS, KEYS_PER_KEY * keys);
  if (tracks.length * duration * fps <= most) return;
  const message = `The clip ${JSON.stringify(name)} has ${tracks.length} tracks of ${duration} s, which is more than ${most} keys at ${fps} fps; choose a lower rate or trim the clip`;
  throw new OptionError('fps', message);
}

/**
 * Rejects frame rates that are out of range or give too many frames. `fps`: frames per second; undefined keeps the keys of the motion. Throws
 * OptionError (`fps`) for a rate outside 0…1000, and for a clip of more than 216000 frames at that rate, or of more than 2 million keys and eight
 * times those of the file.
 */
export function checkFrameRate(fps: number | undefined, chosen: readonly ChosenClip[]): void {
  if (fps === undefined) return;
  if (!(fps > 0 && fps <= 1000)) {
    throw new OptionError('fps', `The frame rate is ${fps}; expected a number above 0, up to 1000`);
  }
  for (const { clip } of chosen) {
    if (clip.duration * fps > MAX_FRAMES) {
      const message = `The clip ${JSON.stringify(clip.name)} lasts ${clip.duration} s, which is more than ${MAX_FRAMES} frames at ${fps} fps; choose a lower rate or trim the clip`;
      throw new OptionError('fps', message);
    }
    checkKeys(fps, clip);
  }
}
