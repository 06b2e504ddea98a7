import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeSpeed } from '../../../src/core/animation/change-speed.ts';
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import { loopClip } from '../../../src/core/animation/loop-clip.ts';
import { repairTrack } from '../../../src/core/animation/repair-track.ts';
import { sampleTrack } from '../../../src/core/animation/sample.ts';
import { trimClip } from '../../../src/core/animation/trim-clip.ts';
import { resampleTrack } from '../../../src/core/retarget/target-track.ts';
import { encodeKeys } from '../../../src/formats/gltf/write/encode-keys.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { bareSkeleton } from '../../support/make/rig-text.ts';

/** A track that is 1, and 5 from `time` on, of two keys at this time. */
function jumpAt(time: number, duration: number, interpolation: Track['interpolation']): Track {
  const key = (x: number): number[] => (interpolation === 'CUBICSPLINE' ? [0, 0, 0, x, 0, 0, 0, 0, 0] : [x, 0, 0]);
  const { track } = repairTrack({
    target: 0,
    path: 'translation',
    interpolation,
    times: Float64Array.of(0, time, time, duration),
    values: Float64Array.from([1, 1, 5, 5].flatMap(key)),
  });
  return track as Track;
}

const EDITS: Record<string, (clip: Clip, number: number) => Clip> = {
  speed: (clip, number) => changeSpeed(clip, 0.1 + 5 * number),
  trim: (clip, number) => trimClip(clip, 0.9 * number * clip.tracks[0].times[1]),
  loop: (clip) => loopClip(bareSkeleton(['root'], [-1]), clip),
  'speed, resampled as for another character': (clip, number) => {
    const fast = changeSpeed(clip, 0.1 + 5 * number);
    const [source] = fast.tracks;
    const evaluate = (time: number, out: Float32Array | Float64Array, o: number): void => {
      sampleTrack(source, time, out, o);
    };
    const tracks = [
      resampleTrack(0, { path: 'translation', tracks: [source], tolerance: 1e-3, evaluate }, 1, undefined),
    ];
    return { ...fast, tracks };
  },
};

describe('a jump of two keys at one time', () => {
  it.each(Object.keys(EDITS))('stays a jump in a written file after an edit: %s', (name) => {
    const property = fc.property(
      fc.float({ min: Math.fround(0.25), max: 100, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom<Track['interpolation']>('LINEAR', 'CUBICSPLINE'),
      (time, number, interpolation) => {
        const duration = Math.fround(time + 1);
        const clip: Clip = { name: '', duration, tracks: [jumpAt(time, duration, interpolation)] };
        const [track] = EDITS[name](clip, number).tracks;
        const { times, values } = encodeKeys(track, 3, false);
        const stride = values.length / times.length;
        const xs = Array.from(times, (_, key) => values[key * stride + (stride === 9 ? 3 : 0)]);
        expect(xs[0]).toBeCloseTo(1, 3);
        expect(Math.abs(xs[xs.length - 1] - (name === 'loop' ? 1 : 5))).toBeLessThan(1e-3);
        expect(times.length).toBeLessThan(9);
        let rise = 0;
        for (let key = 1; key < times.length; key++) {
          if (times[key] - times[key - 1] < times[key] * 2 ** -20) rise += xs[key] - xs[key - 1];
        }
        expect(rise).toBeCloseTo(4, 3);
      },
    );
    fc.assert(property, { seed: 41, numRuns: lawRuns(200) });
  });
});
