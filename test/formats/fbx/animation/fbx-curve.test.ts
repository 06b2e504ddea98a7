import { evaluateCurve as evaluateBabylonCurve } from '@babylonjs/loaders/FBX/interpreter/animationCurve.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unionTimes } from '../../../../src/core/animation/resample.ts';
import { makeRandom } from '../../../../src/demo/random.ts';
import { addBreaks, type CurveBreaks, repeatedKeyCount } from '../../../../src/formats/fbx/animation/curve-breaks.ts';
import {
  CONSTANT_END,
  type CurveEnd,
  type Extrapolation,
  evaluateCurve,
  type FbxCurve,
  SEGMENT,
  shiftCurve,
} from '../../../../src/formats/fbx/animation/fbx-curve.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { bezierValue } from '../../../support/reference/bezier.ts';
import { BABYLON_CURVES, EXACT, STEEP_BEZIER } from '../../../support/tolerances.ts';

const ENDLESS = Number.POSITIVE_INFINITY;

/** A curve with handles at the thirds of straight lines by default. */
function curveOf(
  times: readonly number[],
  values: readonly number[],
  segments: readonly number[],
  {
    handles,
    before = CONSTANT_END,
    after = CONSTANT_END,
  }: { handles?: readonly number[]; before?: CurveEnd; after?: CurveEnd } = {},
): FbxCurve {
  const thirds = times.flatMap((_, k) => {
    const rise = (values[k + 1] ?? values[k]) - values[k];
    return [1 / 3, values[k] + rise / 3, 2 / 3, values[k] + (2 * rise) / 3];
  });
  return {
    times: Float64Array.from(times),
    values: Float64Array.from(values),
    segments: Uint8Array.from(segments),
    handles: Float64Array.from(handles ?? thirds),
    before,
    after,
  };
}

const ends = (extrapolation: Extrapolation, repetitions: number): { before: CurveEnd; after: CurveEnd } => ({
  before: { extrapolation, repetitions },
  after: { extrapolation, repetitions },
});

it('evaluateCurve: finds the key of a time, whether keys are even or not', () => {
  const random = makeRandom(20);
  for (const uneven of [0, 0.01, 1, 1000]) {
    const times: number[] = [random()];
    while (times.length < 200) times.push((times.at(-1) as number) + 1 / 30 + (random() < 0.2 ? uneven * random() : 0));
    const curve = curveOf(
      times,
      times.map((_, k) => k),
      times.map(() => SEGMENT.CONSTANT),
    );
    for (const [k, time] of times.entries()) {
      expect(evaluateCurve(curve, time)).toBe(k);
      const next = times[k + 1];
      if (next !== undefined) expect(evaluateCurve(curve, time + 0.999 * random() * (next - time))).toBe(k);
    }
  }
});

/** Evaluates the same curve with Babylon.js. */
function babylonValue(curve: FbxCurve, seconds: number): number {
  const { times, values, segments, handles } = curve;
  const keys = Array.from(times, (time, k) => {
    const length = times[k + 1] - time;
    const former = time - times[k - 1];
    const isLast = k === times.length - 1;
    const kind = (['constant', 'constant', 'linear', 'cubic'] as const)[segments[k]];
    return {
      time,
      value: values[k],
      interpolation: kind,
      constantMode: segments[k] === SEGMENT.CONSTANT_NEXT ? ('next' as const) : ('standard' as const),
      rightDx: isLast ? 0 : handles[k * 4] * length,
      rightDy: isLast ? 0 : handles[k * 4 + 1] - values[k],
      leftDx: k === 0 ? 0 : (1 - handles[k * 4 - 2]) * former,
      leftDy: k === 0 ? 0 : values[k] - handles[k * 4 - 1],
    };
  });
  const end = ({ extrapolation, repetitions }: CurveEnd) => ({
    mode: extrapolation,
    repeatCount: repetitions === ENDLESS ? -1 : repetitions,
  });
  const data = { channel: 'd|X', keys, preExtrapolation: end(curve.before), postExtrapolation: end(curve.after) };
  return evaluateBabylonCurve(data, seconds, 0);
}

describe('evaluateCurve', () => {
  it('evaluates linear, constant and next-value segments', () => {
    const values = [0, 10, 30, 20, 0];
    const curve = curveOf([0, 1, 2, 3, 4], values, [SEGMENT.LINEAR, SEGMENT.CONSTANT, SEGMENT.CONSTANT_NEXT, 2, 2]);
    const at = [0, 0.25, 1, 1.5, 2, 2 + 1e-9, 2.5, 3, 3.5, 4];
    expect(at.map((time) => evaluateCurve(curve, time))).toEqual([0, 2.5, 10, 10, 30, 20, 20, 20, 10, 0]);
  });

  it('is constant outside its keys, and everywhere with one key', () => {
    const curve = curveOf([1, 2], [5, 7], [SEGMENT.LINEAR, 0]);
    expect([-1e12, 0.9, 2.1, 1e12].map((time) => evaluateCurve(curve, time))).toEqual([5, 5, 7, 7]);
    const one = curveOf([1], [5], [SEGMENT.CUBIC], ends('repeat', ENDLESS));
    expect([0, 1, 2].map((time) => evaluateCurve(one, time))).toEqual([5, 5, 5]);
  });

  it('equals a Hermite spline for handles at the thirds', () => {
    // p(s) = (2s³ − 3s² + 1) p0 + (s³ − 2s² + s) m0 + (3s² − 2s³) p1 + (s³ − s²) m1, with slopes 12 and −6.
    const curve = curveOf([0, 1], [1, 3], [SEGMENT.CUBIC, 0], { handles: [1 / 3, 5, 2 / 3, 5, 0, 0, 0, 0] });
    for (const s of [0.1, 0.5, 0.9]) {
      const hermite =
        (2 * s ** 3 - 3 * s ** 2 + 1) * 1 +
        (s ** 3 - 2 * s ** 2 + s) * 12 +
        (3 * s ** 2 - 2 * s ** 3) * 3 -
        (s ** 3 - s ** 2) * 6;
      expect(evaluateCurve(curve, s)).toBeCloseTo(hermite, 12);
    }
  });

  it('equals the Bézier curve in time and value for all weights', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const value = fc.double({ min: -10, max: 10, noNaN: true });
    fc.assert(
      fc.property(value, fc.tuple(share, value, share, value), value, share, (y0, handles, y3, x) => {
        const curve = curveOf([2, 5], [y0, y3], [SEGMENT.CUBIC, 0], { handles: [...handles, 0, 0, 0, 0] });
        // Where the curve is upright a rounding of the time is more than a rounding of the value: neighbors bound it.
        const around = [x - STEEP_BEZIER, x, x + STEEP_BEZIER].map((at) =>
          bezierValue(y0, handles, y3, Math.min(1, Math.max(0, at))),
        );
        const found = evaluateCurve(curve, 2 + 3 * x);
        expect(found).toBeGreaterThanOrEqual(Math.min(...around) - STEEP_BEZIER);
        expect(found).toBeLessThanOrEqual(Math.max(...around) + STEEP_BEZIER);
      }),
      { seed: 1, numRuns: lawRuns(2000) },
    );
  });

  it('extrapolates by repetition, mirroring, relative repetition and slope', () => {
    const times = [1, 2, 3];
    const values = [0, 4, 2];
    const linear = [SEGMENT.LINEAR, SEGMENT.LINEAR, 0];
    const outside = [-1.5, -0.5, 0.5, 3.5, 4.5, 5.5, 7.5];
    const at = (extrapolation: Extrapolation, repetitions: number): number[] => {
      const curve = curveOf(times, values, linear, ends(extrapolation, repetitions));
      return outside.map((time) => Math.round(evaluateCurve(curve, time) * 1e9) / 1e9);
    };
    expect(at('repeat', ENDLESS)).toEqual([3, 2, 3, 2, 3, 2, 2]);
    expect(at('mirror', ENDLESS)).toEqual([3, 3, 2, 3, 2, 2, 3]);
    expect(at('repeatRelative', ENDLESS)).toEqual([-1, 0, 1, 4, 5, 6, 8]);
    expect(at('slope', 0)).toEqual([-10, -6, -2, 1, -1, -3, -7]);
    expect(at('repeat', 1)).toEqual([0, 2, 3, 2, 3, 2, 2]);
    expect(at('repeat', 0)).toEqual([0, 0, 0, 2, 2, 2, 2]);
  });

  it('agrees with Babylon.js inside and outside its keys', () => {
    const key = fc.record({
      step: fc.double({ min: 0.05, max: 2, noNaN: true }),
      value: fc.double({ min: -5, max: 5, noNaN: true }),
      segment: fc.constantFrom(0, 1, 2, 3),
      handles: fc.tuple(
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        fc.double({ min: -5, max: 5, noNaN: true }),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        fc.double({ min: -5, max: 5, noNaN: true }),
      ),
    });
    const mode = fc.constantFrom<Extrapolation>('constant', 'slope', 'repeat', 'mirror', 'repeatRelative');
    fc.assert(
      fc.property(
        fc.array(key, { minLength: 2, maxLength: 6 }),
        mode,
        fc.constantFrom(1, 2, ENDLESS),
        fc.array(fc.double({ min: -10, max: 20, noNaN: true }), { minLength: 5, maxLength: 5 }),
        (keys, extrapolation, rounds, at) => {
          let time = 0;
          const times = keys.map(({ step }) => {
            time += step;
            // Whole ticks, as in files: Babylon.js repeats in ticks.
            return Math.round(time * 46186158000) / 46186158000;
          });
          const curve = curveOf(
            times,
            keys.map(({ value }) => value),
            keys.map(({ segment }) => segment),
            { handles: keys.flatMap(({ handles }) => handles), ...ends(extrapolation, rounds) },
          );
          for (const seconds of at) {
            const theirs = babylonValue(curve, seconds);
            expect(Math.abs(evaluateCurve(curve, seconds) - theirs)).toBeLessThanOrEqual(
              BABYLON_CURVES * Math.max(1, Math.abs(theirs)),
            );
          }
        },
      ),
      { seed: 2, numRuns: lawRuns(500) },
    );
  });

  it('shiftCurve: keeps the values in shifted time', () => {
    const curve = curveOf([1, 2, 4], [0, 4, 2], [SEGMENT.LINEAR, SEGMENT.CONSTANT, 0]);
    const shifted = shiftCurve(curve, 1.5);
    expect([...shifted.times]).toEqual([-0.5, 0.5, 2.5]);
    expect(Math.abs(evaluateCurve(shifted, 0.25) - evaluateCurve(curve, 1.75))).toBeLessThanOrEqual(EXACT);
    expect(shiftCurve(curve, 0)).toBe(curve);
  });
});

describe('addBreaks', () => {
  const breaksOf = (curve: FbxCurve, start: number, end: number): CurveBreaks => {
    const breaks: CurveBreaks = { keys: [], steps: [] };
    addBreaks(curve, start, end, breaks);
    return breaks;
  };

  it('adds keys within the range, and jumps at the next key or just after the own one', () => {
    const kinds = [SEGMENT.LINEAR, SEGMENT.CONSTANT, SEGMENT.CONSTANT_NEXT, SEGMENT.CONSTANT, 0];
    const curve = curveOf([0, 1, 2, 3, 4], [0, 1, 2, 3, 3], kinds);
    const { keys, steps } = breaksOf(curve, 0.5, 3.5);
    expect(keys).toEqual([Float64Array.of(1, 2, 3)]);
    expect(steps).toEqual([2, 2 + 2 * Number.EPSILON]);
    for (const step of steps) {
      const before = step === 2 ? 2 - 1e-9 : 2;
      expect(evaluateCurve(curve, step)).not.toBe(evaluateCurve(curve, before));
    }
  });

  it('adds both ends of a line that is as short as a tick, also in repetitions', () => {
    const before = 1 - 1 / 46186158000;
    const curve = curveOf([0, before, 1, 2], [0, 0, 4, 4], [SEGMENT.LINEAR, SEGMENT.LINEAR, SEGMENT.LINEAR, 0]);
    expect(breaksOf(curve, 0, 2).steps).toEqual([before, 1]);
    const { steps } = breaksOf({ ...curve, ...ends('mirror', ENDLESS) }, 0, 4);
    for (const jump of [before, 1, 3]) expect(steps.some((step) => Math.abs(step - jump) < 1e-9)).toBe(true);
  });

  it('adds the breaks of all repetitions within the range', () => {
    const curve = curveOf([0, 1], [0, 1], [SEGMENT.LINEAR, 0], ends('repeat', ENDLESS));
    const { keys, steps } = breaksOf(curve, -1.5, 2.5);
    expect([...unionTimes(keys)]).toEqual([-1, 0, 1, 2]);
    for (const jump of [-1, 0, 1, 2]) expect(steps.some((step) => Math.abs(step - jump) < 1e-12)).toBe(true);
    expect(repeatedKeyCount(curve, -1.5, 2.5)).toBe(8);
    expect(repeatedKeyCount({ ...curve, ...ends('mirror', 1) }, -1.5, 2.5)).toBe(4);
    expect(repeatedKeyCount({ ...curve, ...ends('slope', 0) }, -1e9, 1e9)).toBe(0);
  });
});
