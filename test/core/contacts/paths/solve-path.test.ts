import { describe, expect, test } from 'vitest';
import { type PathProblem, solvePath } from '../../../../src/core/contacts/paths/solve-path.ts';
import { between, makeRandom } from '../../../../src/demo/random.ts';
import { solveDense } from '../../../support/reference/contact-figures.ts';
import { EXACT_CHAIN } from '../../../support/tolerances.ts';

/** Solves the same problem from the residuals of the energy: a dense matrix JᵀJ. The unknowns of a loop do not include its last frame. */
function densePath({ width, data, dataWeights, changes, stiffness, bending, step, isLoop }: PathProblem): number[] {
  const frames = dataWeights.length;
  const count = isLoop ? frames - 1 : frames;
  const out = new Array<number>(width * count).fill(0);
  for (let c = 0; c < width; c++) {
    const residuals: { row: number[]; value: number; weight: number }[] = [];
    const unit = (entries: readonly (readonly [number, number])[]): number[] => {
      const row = new Array<number>(count).fill(0);
      for (const [at, value] of entries) row[at % count] = value;
      return row;
    };
    for (let i = 0; i < count; i++) {
      residuals.push({ row: unit([[i, 1]]), value: data[width * i + c], weight: (dataWeights[i] + 1e-9) * step });
    }
    for (let i = 0; i + 1 < frames; i++) {
      const wanted = changes === null ? 0 : changes[width * i + c];
      residuals.push({
        row: unit([
          [i, -1],
          [i + 1, 1],
        ]),
        value: wanted,
        weight: stiffness[i] / step,
      });
    }
    for (let i = 1; i + 1 < (isLoop ? count + 2 : count); i++) {
      residuals.push({
        row: unit([
          [i - 1, 1],
          [i, -2],
          [i + 1, 1],
        ]),
        value: 0,
        weight: bending / step ** 3,
      });
    }
    const matrix = Array.from({ length: count }, (_, i) =>
      Array.from({ length: count }, (_, k) =>
        residuals.reduce((sum, { row, weight }) => sum + weight * row[i] * row[k], 0),
      ),
    );
    const right = Array.from({ length: count }, (_, i) =>
      residuals.reduce((sum, { row, value, weight }) => sum + weight * row[i] * value, 0),
    );
    for (const [i, value] of solveDense(matrix, right).entries()) out[width * i + c] = value;
  }
  return out;
}

describe('solvePath', () => {
  test.each([1, 2, 3, 17])('equals the dense solution with %i frames', (count) => {
    const random = makeRandom(count);
    const values = (length: number, low: number, high: number): Float64Array =>
      Float64Array.from({ length }, () => between(random, low, high));
    const problem: PathProblem = {
      width: 2,
      data: values(2 * count, -1, 1),
      dataWeights: values(count, 0, 3),
      changes: values(2 * (count - 1), -1, 1),
      stiffness: values(count - 1, 0, 2),
      bending: 1e-4,
      step: 1 / 60,
      isLoop: false,
    };
    const expected = densePath(problem);
    for (const [i, value] of solvePath(problem).entries())
      expect(Math.abs(value - expected[i])).toBeLessThan(EXACT_CHAIN);
  });

  test.each([8, 17])('equals the dense solution of a loop of %i frames, however stiff', (frames) => {
    const random = makeRandom(frames);
    const values = (length: number, low: number, high: number): Float64Array =>
      Float64Array.from({ length }, () => between(random, low, high));
    const problem: PathProblem = {
      width: 2,
      data: values(2 * frames, -1, 1),
      dataWeights: values(frames, 0, 3),
      changes: values(2 * (frames - 1), -1, 1),
      stiffness: values(frames - 1, 0, 100),
      bending: 1e-4,
      step: 1 / 60,
      isLoop: true,
    };
    const expected = densePath(problem);
    const path = solvePath(problem);
    expect(path.slice(-2)).toEqual(path.slice(0, 2));
    for (const [i, value] of expected.entries()) expect(Math.abs(value - path[i])).toBeLessThan(EXACT_CHAIN);
  });

  test('makes a loop without a seam: the middle of the same path repeated', () => {
    const random = makeRandom(9);
    const period = 90;
    const weights = Float64Array.from({ length: period }, () => between(random, 0.5, 3));
    const wanted = Float64Array.from({ length: period }, () => between(random, -1, 1));
    const stiff = Float64Array.from({ length: period }, () => between(random, 0, 0.01));
    const problem = (count: number, isLoop: boolean): PathProblem => ({
      width: 1,
      data: Float64Array.from({ length: count }, (_, k) => wanted[k % period]),
      dataWeights: Float64Array.from({ length: count }, (_, k) => weights[k % period]),
      changes: null,
      stiffness: Float64Array.from({ length: count - 1 }, (_, k) => stiff[k % period]),
      bending: 1e-5,
      step: 1 / 60,
      isLoop,
    });
    const loop = solvePath(problem(period + 1, true));
    const repeated = solvePath(problem(9 * period, false));
    expect(loop[period]).toBe(loop[0]);
    for (let k = 0; k < period; k++) expect(loop[k]).toBeCloseTo(repeated[4 * period + k], 6);
  });

  test('returns constant data unchanged, and a constant for infinitely stiff intervals', () => {
    const base = { width: 1, changes: null, bending: 1e-4, step: 1 / 30, isLoop: false };
    const weights = new Float64Array(20).fill(1);
    const stiffness = new Float64Array(19).fill(1);
    const same = solvePath({ ...base, data: new Float64Array(20).fill(0.3), dataWeights: weights, stiffness });
    for (const value of same) expect(value).toBeCloseTo(0.3, 8);
    const ramp = Float64Array.from({ length: 20 }, (_, k) => k / 19);
    const stiff = solvePath({ ...base, data: ramp, dataWeights: weights, stiffness: stiffness.map(() => 1e7) });
    for (const value of stiff) expect(value).toBeCloseTo(0.5, 4);
  });
});
