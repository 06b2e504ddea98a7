/** Makes a long clip of a short one. */
import { type Clip, PATH_WIDTH } from '../../../src/core/animation/clip.ts';

/**
 * Repeats a clip; translations go on from where they are, so that a walk walks on.
 *
 * @param clip a clip whose tracks have a key at its end.
 * @param rounds how often it is played, 1 or more.
 * @returns a clip of `rounds` times the duration; tracks with the same times share them.
 */
export function repeatClip(clip: Clip, rounds: number): Clip {
  const shared = new Map<unknown, Float64Array>();
  const repeatTimes = (own: ArrayLike<number>): Float64Array => {
    const known = shared.get(own);
    if (known !== undefined) return known;
    const count = own.length - 1;
    const all = Float64Array.from({ length: count * rounds + 1 }, (_, k) => {
      return clip.duration * Math.floor(k / count) + own[k % count];
    });
    shared.set(own, all);
    return all;
  };
  const tracks = clip.tracks.map((track) => {
    const width = PATH_WIDTH[track.path];
    const count = track.times.length - 1;
    const values = new Float64Array(width * (count * rounds + 1));
    for (let k = 0; k <= count * rounds; k++) {
      const [round, key] = [Math.floor(k / count), k % count];
      for (let c = 0; c < width; c++) {
        const offset = track.path === 'translation' ? track.values[width * count + c] - track.values[c] : 0;
        values[width * k + c] = track.values[width * key + c] + round * offset;
      }
    }
    return { ...track, times: repeatTimes(track.times), values };
  });
  return { ...clip, duration: clip.duration * rounds, tracks };
}
