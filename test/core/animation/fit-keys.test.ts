import { describe, expect, it } from 'vitest';
import type { Keys } from '../../../src/core/animation/clip.ts';
import { fitKeys } from '../../../src/core/animation/fit-keys.ts';
import { resampleFunction, startTimes, type TimeFunction } from '../../../src/core/animation/resample.ts';
import { resampleCubic } from '../../../src/core/animation/resample-cubic.ts';

const frames = Array.from({ length: 31 }, (_, frame) => frame / 30);

/** A function of one number. */
function numberFunction(
  value: (time: number) => number,
  keyTimes: readonly number[],
  rest: Partial<TimeFunction> = {},
): TimeFunction {
  return {
    width: 3,
    isRotation: false,
    keyTimes: Float64Array.from(keyTimes),
    tolerance: 1e-4,
    evaluate: (time, out, o) => out.set([value(time), 0, 0], o),
    ...rest,
  };
}

function fitted(source: TimeFunction): Keys {
  return fitKeys(source, startTimes(source));
}

describe('fitKeys', () => {
  it('returns LINEAR keys where they need no added key', () => {
    const keys = fitted(numberFunction((t) => t, frames));
    expect([keys.interpolation, keys.times.length]).toEqual(['LINEAR', 31]);
    expect(fitted(numberFunction(() => 1, [])).times).toEqual(Float32Array.of(0));
  });

  it('returns a CUBICSPLINE at the keys of the function where LINEAR needs more than three times as many', () => {
    const keys = fitted(numberFunction((t) => Math.sin(12 * t), frames));
    expect([keys.interpolation, keys.times.length]).toEqual(['CUBICSPLINE', 31]);
  });

  it('returns LINEAR keys where few intervals need added keys', () => {
    const source = numberFunction((t) => Math.max(0, t - 0.9) ** 2 * 5, frames);
    const keys = fitted(source);
    expect(keys).toEqual({ interpolation: 'LINEAR', ...resampleFunction(source) });
    expect(keys.times.length).toBeGreaterThan(31);
  });

  it('returns whatever has fewer floats, also where both need added keys', () => {
    const sizeOf = ({ times, values }: { times: ArrayLike<number>; values: ArrayLike<number> }): number =>
      times.length + values.length;
    const kinds = new Set<string>();
    for (const bend of [2, 5, 10, 20, 40, 80, 160]) {
      for (const tolerance of [0.3, 0.03, 1e-3, 1e-5]) {
        const source = numberFunction((t) => Math.sqrt(t + 1 / bend) * Math.sin(bend * t), [0, 0.5, 1], { tolerance });
        const keys = fitted(source);
        const [linear, cubic] = [resampleFunction(source), resampleCubic(source)];
        if (Math.min(linear.times.length, cubic.times.length) > 3)
          expect(sizeOf(keys)).toBe(Math.min(sizeOf(linear), sizeOf(cubic)));
        kinds.add(keys.interpolation);
      }
    }
    expect(kinds.size).toBe(2);
  });

  it('returns LINEAR keys where the tangents are beyond float32', () => {
    const keys = fitted(numberFunction((t) => 3e38 * Math.sin(t * 1e4) ** 2, [0, 1e-4, 2e-4], { tolerance: 1e30 }));
    expect(keys.interpolation).toBe('LINEAR');
  });

  it('adds no keys beyond the limit', () => {
    const keys = fitted(numberFunction((t) => Math.sin(1e4 * t), [0, 1], { keyLimit: 100 }));
    expect(keys.times.length).toBeLessThan(130);
  });

  it('throws for a tolerance that is not above 0', () => {
    expect(() => fitted(numberFunction((t) => t, [0, 1], { tolerance: -1 }))).toThrow(RangeError);
  });
});
