import type { ChosenClip } from './choose-clips.ts';
import { OptionError } from './option-error.ts';

/** Frames of one clip when a frame rate is asked for: an hour at 60 fps. */
const MOST_FRAMES = 216_000;

/** OptionError for a frame rate that is none, or that makes too many frames of a clip. */
export function checkFrameRate(fps: number | undefined, chosen: readonly ChosenClip[]): void {
  if (fps === undefined) return;
  if (!(fps > 0 && fps <= 1000))
    throw new OptionError('fps', `${fps} is no frame rate; expected a number above 0, up to 1000`);
  for (const { clip } of chosen) {
    if (clip.duration * fps <= MOST_FRAMES) continue;
    const message = `the clip ${JSON.stringify(clip.name)} is ${clip.duration} s long: at ${fps} fps that is more than ${MOST_FRAMES} frames`;
    throw new OptionError('fps', message);
  }
}
