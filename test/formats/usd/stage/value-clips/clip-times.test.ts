import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clipTimeAt,
  createClipTimes,
  stageTimesOfSamples,
} from '../../../../../src/formats/usd/stage/value-clips/clip-times.ts';
import { USD_STAGE_F64 } from '../../../../support/tolerances.ts';

const ALWAYS = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

describe('clipTimeAt', () => {
  it('is the stage time without knots', () => {
    expect(clipTimeAt(createClipTimes([]), 7)).toBe(7);
  });

  it('interpolates between knots in any order and clamps outside', () => {
    const times = createClipTimes([10, 20, 0, 0, 20, 0]);
    expect([-5, 0, 5, 10, 15, 20, 99].map((time) => clipTimeAt(times, time))).toEqual([0, 0, 10, 20, 10, 0, 0]);
  });

  it('restarts at a discontinuity and is exact before it', () => {
    const loop = createClipTimes([0, 0, 10, 10, 10, 0, 20, 10]);
    expect([3, 9, 10, 13, 20].map((time) => clipTimeAt(loop, time))).toEqual([3, 9, 0, 3, 10]);
  });

  it('equals a linear search through the knots', () => {
    const knots = fc.uniqueArray(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        knots,
        fc.infiniteStream(fc.integer({ min: 0, max: 9 })),
        fc.double({ min: -25, max: 25, noNaN: true }),
        (stage, clips, time) => {
          const pairs = stage.map((at): [number, number] => [at, clips.next().value as number]);
          const sorted = [...pairs].sort(([a], [b]) => a - b);
          let slow = sorted[0][1];
          for (const [i, [at, inClip]] of sorted.entries()) {
            if (time < at) continue;
            const next = sorted[i + 1];
            slow = next === undefined ? inClip : inClip + ((next[1] - inClip) * (time - at)) / (next[0] - at);
          }
          expect(Math.abs(clipTimeAt(createClipTimes(pairs.flat()), time) - slow)).toBeLessThan(USD_STAGE_F64);
        },
      ),
      { seed: 61 },
    );
  });
});

describe('stageTimesOfSamples', () => {
  it('finds every repetition of a loop, also backwards, and all knots', () => {
    const pingPong = createClipTimes([0, 0, 10, 10, 20, 0]);
    expect(stageTimesOfSamples(pingPong, [2, 5], ...ALWAYS).sort((a, b) => a - b)).toEqual([0, 2, 5, 10, 15, 18, 20]);
  });

  it('keeps to the time in which the clip is active', () => {
    expect(stageTimesOfSamples(createClipTimes([]), [1, 2, 3], 2, 3)).toEqual([2]);
    expect(stageTimesOfSamples(createClipTimes([0, 0, 10, 10]), [2, 5], 3, 10)).toEqual([5]);
  });

  it('finds times at which the clip is at a sample', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 9 })), {
          minLength: 2,
          maxLength: 6,
        }),
        (pairs) => {
          fc.pre(new Set(pairs.map(([at]) => at)).size === pairs.length);
          const times = createClipTimes(pairs.flat());
          const samples = [1.5, 4.5, 7.5];
          for (const time of stageTimesOfSamples(times, samples, ...ALWAYS)) {
            const inClip = clipTimeAt(times, time);
            const isKnot = pairs.some(([at]) => at === time);
            expect(isKnot || samples.some((sample) => Math.abs(sample - inClip) < USD_STAGE_F64)).toBe(true);
          }
        },
      ),
      { seed: 62 },
    );
  });

  it('throws for endlessly repeated samples', () => {
    const pairs = Array.from({ length: 4000 }, (_, i) => [i, (i % 2) * 2000]).flat();
    const samples = Float64Array.from({ length: 1999 }, (_, i) => i + 0.5);
    expect(() => stageTimesOfSamples(createClipTimes(pairs), samples, ...ALWAYS)).toThrow(
      expect.objectContaining({ code: 'USD_LIMIT' }),
    );
  });
});
