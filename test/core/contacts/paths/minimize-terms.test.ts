import { describe, expect, test } from 'vitest';
import {
  createTerms,
  longestStep,
  minimizeTerms,
  solveBand,
} from '../../../../src/core/contacts/paths/minimize-terms.ts';
import { expectNear } from '../../../support/near.ts';
import { solveDense } from '../../../support/reference/contact-figures.ts';
import { EXACT } from '../../../support/tolerances.ts';

const STEP = 1 / 30;
/** Frames of a clip that does not loop, without jumps. */
const ONCE = { step: STEP, loops: false, cuts: new Uint8Array(40) };

/** The energy with its two-sided terms and positive one-sided terms, by its definition. */
function energy(terms: ReturnType<typeof createTerms>, x: Float64Array): number {
  const { width, resistance, starts, offsets, gradients, weights } = terms;
  const frames = x.length / width;
  const at = (frame: number, c: number): number => x[width * frame + c];
  let sum = x.reduce((all, value, u) => all + resistance[u % width] * value * value, 0);
  for (let frame = 0; frame < frames; frame++) {
    for (let c = 0; c < width; c++) {
      if (frame + 1 < frames) sum += (resistance[c] * 0.01 * (at(frame + 1, c) - at(frame, c)) ** 2) / STEP ** 2;
      if (frame > 0 && frame + 1 < frames) {
        sum += (resistance[c] * 0.003 * (at(frame + 1, c) - 2 * at(frame, c) + at(frame - 1, c)) ** 2) / STEP ** 4;
      }
    }
    for (let i = starts[frame]; i < starts[frame + 1]; i++) {
      let value = offsets[i];
      for (let c = 0; c < width; c++) value -= gradients[width * i + c] * at(frame, c);
      if (weights[i] > 0 || value > 0) sum += Math.abs(weights[i]) * value * value;
    }
  }
  return sum;
}

describe('minimizeTerms', () => {
  test('finds the minimum of the energy: every change of an unknown raises it', () => {
    const terms = createTerms([1, 3]);
    for (let frame = 0; frame < 12; frame++) {
      if (frame === 4) {
        terms.offsets.push(0.3, 0.1);
        terms.gradients.push(1, 0.5, 0, -1);
        terms.weights.push(50, -30);
      }
      if (frame === 9) {
        terms.offsets.push(-0.2);
        terms.gradients.push(0.2, 1);
        terms.weights.push(-400);
      }
      terms.starts.push(terms.offsets.length);
    }
    const x = new Float64Array(24);
    minimizeTerms(terms, x, ONCE, 0.5);
    const least = energy(terms, x);
    expect(least).toBeLessThan(energy(terms, new Float64Array(24)));
    for (let k = 0; k < x.length; k++) {
      for (const change of [-1e-3, 1e-3]) {
        expect(
          energy(
            terms,
            x.map((value, n) => (n === k ? value + change : value)),
          ),
        ).toBeGreaterThan(least);
      }
    }
  });

  test('is 0 where one-sided terms are satisfied, and changes an unknown by at most the longest step', () => {
    const terms = createTerms([1]);
    terms.offsets.push(-1);
    terms.gradients.push(1);
    terms.weights.push(-100);
    terms.starts.push(1);
    const x = new Float64Array(1);
    minimizeTerms(terms, x, ONCE, 0.5);
    expect(x[0]).toBe(0);
    terms.offsets[0] = 5;
    minimizeTerms(terms, x, ONCE, 0.5);
    expect(x[0]).toBe(0.5);
  });

  test('shortens a step that is too long for one frame as a whole, so that it stays smooth', () => {
    const terms = createTerms([1]);
    for (let frame = 0; frame < 9; frame++) {
      if (frame === 4) {
        terms.offsets.push(3);
        terms.gradients.push(1);
        terms.weights.push(1e4);
      }
      terms.starts.push(terms.offsets.length);
    }
    const [once, often] = [new Float64Array(9), new Float64Array(9)];
    minimizeTerms(terms, once, ONCE, 0.5);
    for (let step = 0; step < 10; step++) minimizeTerms(terms, often, ONCE, 0.5);
    expect(Math.max(...once)).toBe(0.5);
    for (const [frame, value] of often.entries())
      expect(once[frame]).toBeCloseTo((0.5 * value) / Math.max(...often), 9);
  });

  test('solves what is before and after a jump on its own', () => {
    const list = (frames: number, wanted: number) => {
      const terms = createTerms([1]);
      for (let frame = 0; frame < frames; frame++) {
        terms.offsets.push(wanted);
        terms.gradients.push(1);
        terms.weights.push(frame % 3);
        terms.starts.push(terms.offsets.length);
      }
      return terms;
    };
    const [first, second] = [list(6, 0.2), list(9, -0.1)];
    const solve = (terms: ReturnType<typeof list>, cuts = ONCE.cuts): Float64Array => {
      const x = new Float64Array(terms.starts.length - 1);
      minimizeTerms(terms, x, { ...ONCE, cuts }, 0.5);
      return x;
    };
    const both = {
      ...first,
      starts: [...first.starts, ...second.starts.slice(1).map((start) => start + first.offsets.length)],
      offsets: [...first.offsets, ...second.offsets],
      gradients: [...first.gradients, ...second.gradients],
      weights: [...first.weights, ...second.weights],
    };
    const cut = solve(
      both,
      Uint8Array.from({ length: 15 }, (_, frame) => (frame === 6 ? 1 : 0)),
    );
    expectNear(cut, [...solve(first), ...solve(second)], EXACT);
    expect(solve(both)[5]).not.toBeCloseTo(cut[5], 3);
  });

  test('a loop ends where it starts', () => {
    const terms = createTerms([1]);
    for (let frame = 0; frame < 21; frame++) {
      if (frame === 2) {
        terms.offsets.push(0.4);
        terms.gradients.push(1);
        terms.weights.push(100);
      }
      terms.starts.push(terms.offsets.length);
    }
    const x = new Float64Array(21);
    minimizeTerms(terms, x, { ...ONCE, loops: true }, 0.5);
    expect(x[20]).toBe(x[0]);
    expect(x[19]).toBeGreaterThan(x[12]);
  });

  test('a loop has the same path wherever it starts', () => {
    const PERIOD = 30;
    const solve = (start: number): Float64Array => {
      const terms = createTerms([1, 3]);
      for (let frame = 0; frame <= PERIOD; frame++) {
        const turned = (2 * Math.PI * (frame + start)) / PERIOD;
        terms.offsets.push(0.3 * Math.sin(turned), 0.2 * Math.cos(2 * turned));
        terms.gradients.push(1, 0.5, 0, -1);
        terms.weights.push(20, -30);
        terms.starts.push(terms.offsets.length);
      }
      const x = new Float64Array(2 * (PERIOD + 1));
      minimizeTerms(terms, x, { ...ONCE, loops: true }, 0.5);
      return x;
    };
    const [x, later] = [solve(0), solve(11)];
    for (let u = 0; u < 2 * PERIOD; u++) expect(later[u]).toBeCloseTo(x[(u + 22) % (2 * PERIOD)], 3);
  });
});

describe('longestStep', () => {
  test('is half a radian at first, then shrinks, so that any sequence of steps ends', () => {
    expect(longestStep(0)).toBe(0.5);
    expect(longestStep(10)).toBe(0.5);
    expect(longestStep(11)).toBeCloseTo(0.3, 12);
    expect(longestStep(60)).toBeLessThan(1e-4);
  });
});

describe('solveBand', () => {
  test('solves a system like elimination with pivoting', () => {
    const [size, width] = [9, 3];
    const value = (i: number, k: number): number => (k === 0 ? 9 + i : Math.sin(3 * i + 5 * k));
    const band = Float64Array.from({ length: size * (width + 1) }, (_, n) =>
      value(Math.floor(n / (width + 1)), n % (width + 1)),
    );
    const right = Float64Array.from({ length: size }, (_, i) => Math.cos(i));
    const dense = Array.from({ length: size }, (_, i) =>
      Array.from({ length: size }, (_, j) => {
        const apart = Math.abs(i - j);
        return apart > width ? 0 : value(Math.min(i, j), apart);
      }),
    );
    const expected = solveDense(dense, [...right]);
    solveBand(band, width, right);
    for (const [i, x] of expected.entries()) expect(right[i]).toBeCloseTo(x, 12);
  });
});
