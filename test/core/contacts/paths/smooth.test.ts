import fc from 'fast-check';
import { expect, it } from 'vitest';
import { smooth, smoothMaximum } from '../../../../src/core/contacts/paths/smooth.ts';

it('smooth: keeps a constant path, also where frames are closer than any window', () => {
  const path = new Float64Array(5).fill(3);
  for (const step of [1 / 60, 1e-43, 0]) expect(smooth(path, 0.1, step, false).length).toBe(5);
  for (const value of smooth(path, 0.1, 1 / 60, true)) expect(value).toBeCloseTo(3, 12);
});

it('smoothMaximum: is nowhere below the path by more than its smoothing', () => {
  const path = Float64Array.from({ length: 60 }, (_, k) => Math.max(0, 10 - Math.abs(k - 30)));
  const above = smoothMaximum(path, 0.05, 1 / 60, false);
  expect(above.every((value, k) => value > path[k] - 1)).toBe(true);
  expect(smoothMaximum(path, 0.05, 1e-43, false).length).toBe(60);
});

/** The value of a frame that may be beyond the ends. */
function continued(path: readonly number[], frame: number, isLoop: boolean): number {
  const period = path.length - 1;
  if (isLoop && period > 0) return path[((frame % period) + period) % period];
  return path[Math.min(period, Math.max(0, frame))];
}

/** The frames of a window around a frame. */
function windowOf(path: readonly number[], frame: number, reach: number, isLoop: boolean): number[] {
  return Array.from({ length: 2 * reach + 1 }, (_, k) => continued(path, frame + k - reach, isLoop));
}

it('smooth and smoothMaximum: equal their definitions, with the first or last value, or the loop, beyond the ends', () => {
  const step = 1 / 30;
  const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(values, fc.double({ min: 0.01, max: 0.3, noNaN: true }), fc.boolean(), (path, sigma, isLoop) => {
      const reach = (factor: number): number => Math.min(path.length, Math.max(1, Math.round((factor * sigma) / step)));
      const mean = (of: readonly number[], frame: number): number => {
        const weights = windowOf(of, frame, reach(2.5), isLoop).map((value, k): [number, number] => {
          return [value, Math.exp(-0.5 * (((k - reach(2.5)) * step) / sigma) ** 2)];
        });
        const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
        return weights.reduce((sum, [value, weight]) => sum + value * weight, 0) / total;
      };
      const most = path.map((_, frame) => Math.max(path[frame], ...windowOf(path, frame, reach(1), isLoop)));
      const [plain, above] = [smooth, smoothMaximum].map((run) => run(Float64Array.from(path), sigma, step, isLoop));
      for (const frame of path.keys()) {
        expect(plain[frame]).toBeCloseTo(mean(path, frame), 12);
        expect(above[frame]).toBeCloseTo(mean(most, frame), 12);
      }
    }),
  );
});
