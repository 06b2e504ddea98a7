import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import { lastKeyTime } from '../../../src/core/animation/clip.ts';
import { frameTimeOf, frameTimes } from '../../../src/core/animation/frame-times.ts';
import type { Floats } from '../../../src/core/math/floats.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear } from '../../support/near.ts';
import { EXACT } from '../../support/tolerances.ts';

function track(times: Floats, still = false): Track {
  const values = Float64Array.from({ length: 3 * times.length }, (_, i) => (still ? 1 : i));
  return { target: 0, path: 'translation', interpolation: 'LINEAR', times, values };
}

function clipOf(...tracks: Track[]): Clip {
  return { name: '', duration: lastKeyTime(tracks), tracks };
}

const uniform = (count: number, step: number): Float64Array => Float64Array.from({ length: count }, (_, k) => k * step);

describe('frameTimeOf', () => {
  it('has at most 1,500 frames for a few keys, one of them hours later, 35 per key up to 6,000, and eight per key for many keys', () => {
    const framesOf = (count: number): number => {
      const times = Float64Array.from({ length: count }, (_, k) => 0.5 * k * (1 + 1e-3 * (k % 3)));
      times[count - 1] = 21_600;
      return 21_600 / (frameTimeOf(clipOf(track(times))) as number);
    };
    expect([3, 100, 400].map((count) => Math.round(framesOf(count)))).toEqual([1499, 3499, 5999]);
    const keys = Float64Array.from({ length: 2000 }, (_, k) => k + 0.01 * (k % 3));
    const many = frameTimeOf(clipOf(track(keys))) as number;
    expect((keys.at(-1) as number) / many).toBeCloseTo(8 * 2000 - 1, 6);
  });

  it('keeps the frames of clips that have more keys than the limit of frames', () => {
    const clip = clipOf(track(uniform(300_000, 1 / 120)));
    expect(frameTimeOf(clip)).toBeCloseTo(1 / 120, 12);
    expect(frameTimes(clip, 1 / 120)).toHaveLength(300_000);
  });

  it('returns the distance of uniform keys', () => {
    for (const step of [0.0333333, 0.01, 0.041667, 0.0083333, 1 / 50]) {
      expect(frameTimeOf(clipOf(track(uniform(200, step))))).toBeCloseTo(step, 15);
    }
  });

  it('rounds float32 frame times to an integer frame rate', () => {
    for (const fps of [24, 30, 60, 120]) {
      expect(frameTimeOf(clipOf(track(Float32Array.from(uniform(1000, 1 / fps)))))).toBe(1 / fps);
    }
  });

  it('uses the highest rate of the uniform tracks, ignoring constant and non-uniform ones', () => {
    const clip = clipOf(
      track(uniform(31, 1 / 30)),
      track(uniform(61, 1 / 60)),
      track(uniform(1001, 1 / 1000), true),
      track(Float64Array.of(0, 0.123, 0.7, 1)),
    );
    expect(frameTimeOf(clip)).toBeCloseTo(1 / 60, 15);
  });

  it('ignores sparse keys, and a few keys of a long motion', () => {
    expect(frameTimeOf(clipOf(track(uniform(5, 0.5))))).toBe(1 / 30);
    expect(frameTimeOf(clipOf(track(Float64Array.of(0, 1.003)), track(uniform(3, 0.001))))).toBe(1 / 60);
  });

  it('finds the common frame rate of reduced keys', () => {
    const rates = [24, 25, 30, 48, 50, 60, 90, 100, 120];
    const property = fc.property(
      fc.constantFrom(...rates),
      fc.uniqueArray(fc.integer({ min: 1, max: 2000 }), { minLength: 60, maxLength: 90 }),
      (fps, frames) => {
        const times = Float32Array.from([0, ...frames.sort((a, b) => a - b)], (frame) => frame / fps);
        const found = 1 / (frameTimeOf(clipOf(track(times))) as number);
        expectNear([found], [fps], 1e-9);
      },
    );
    fc.assert(property, { seed: 6, numRuns: lawRuns(200) });
  });

  it('returns 60 fps for irregular keys, and null without motion', () => {
    expect(frameTimeOf(clipOf(track(Float64Array.of(0, 0.1234, 0.777, 1.618))))).toBe(1 / 60);
    expect(frameTimeOf(clipOf(track(uniform(9, 0.1), true)))).toBeNull();
    expect(frameTimeOf(clipOf())).toBeNull();
    expect(frameTimeOf(clipOf(track(Float64Array.of(0))))).toBeNull();
  });
});

describe('frameTimes', () => {
  it('covers the clip with frames at multiples of the frame time', () => {
    const property = fc.property(
      fc.double({ min: 0, max: 100, noNaN: true }),
      fc.constantFrom(1 / 24, 1 / 30, 1 / 60, 0.0333333, 0.5),
      (duration, step) => {
        const times = frameTimes({ name: '', duration, tracks: [] }, step);
        const last = (times.length - 1) * step;
        expect(last).toBeGreaterThanOrEqual(duration - 0.006 * step);
        expect(last - step).toBeLessThan(duration);
        expectNear(times, uniform(times.length, step), EXACT);
      },
    );
    fc.assert(property, { seed: 2, numRuns: lawRuns(300) });
  });

  it('returns the key times of a uniform track', () => {
    for (const fps of [24, 30, 60, 120]) {
      const keys = Float32Array.from(uniform(3001, 1 / fps));
      const clip = clipOf(track(keys));
      expect([...frameTimes(clip, frameTimeOf(clip) as number)]).toEqual([...keys]);
    }
    const keys = uniform(1007, 0.0333333);
    expect([...frameTimes(clipOf(track(keys)), 0.0333333)]).toEqual([...keys]);
  });

  it('returns one frame for a pose', () => {
    expect([...frameTimes(clipOf(), 1 / 30)]).toEqual([0]);
  });

  it('throws for frame times with no or millions of frames', () => {
    const clip: Clip = { name: '', duration: 1e9, tracks: [] };
    for (const step of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 0.001]) {
      expect(() => frameTimes(clip, step)).toThrow(RangeError);
    }
  });
});
