import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import { type Clip, PATH_WIDTH, type Track } from './clip.ts';
import { uniformTimes } from './resample.ts';
import { sampleTrack } from './sample.ts';

/** Flips quaternions into the hemisphere of their predecessor, so that players without sign handling take the shorter arc. */
export function alignSigns(values: Floats): void {
  for (let i = 4; i < values.length; i += 4) {
    if (quat.dot(values, i - 4, values, i) >= 0) continue;
    for (let c = i; c < i + 4; c++) values[c] = -values[c];
  }
}

/**
 * Resamples a clip at a constant frame rate: LINEAR keys at frame / `fps` seconds and at the duration, with neighboring quaternions in the same
 * hemisphere. STEP tracks keep their keys, because a frame grid would shift their jumps.
 *
 * @param clip The clip; it is not changed.
 * @param fps Frames per second.
 * @returns The resampled clip.
 * @throws RangeError for an invalid frame rate or duration.
 */
export function resampleClip(clip: Clip, fps: number): Clip {
  const times = uniformTimes(clip.duration, fps);
  const { keyTimes: _keyTimes, ...resampled } = clip;
  return { ...resampled, tracks: clip.tracks.map((track) => resampleTrack(track, times)) };
}

function resampleTrack(track: Track, times: Float32Array): Track {
  if (track.interpolation === 'STEP') return track;
  const width = PATH_WIDTH[track.path];
  const length = width * times.length;
  const values = track.values instanceof Float64Array ? new Float64Array(length) : new Float32Array(length);
  let cursor = 0;
  for (let key = 0; key < times.length; key++) cursor = sampleTrack(track, times[key], values, key * width, cursor);
  if (track.path === 'rotation') alignSigns(values);
  return { ...track, interpolation: 'LINEAR', times, values };
}
