import { describe, expect, test } from 'vitest';
import { createTerms, longestStep, minimizeTerms } from '../../../../src/core/contacts/paths/minimize-terms.ts';

const STEP = 1 / 30;

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
    minimizeTerms(terms, x, { step: STEP, loops: false }, 0.5);
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
    minimizeTerms(terms, x, { step: STEP, loops: false }, 0.5);
    expect(x[0]).toBe(0);
    terms.offsets[0] = 5;
    minimizeTerms(terms, x, { step: STEP, loops: false }, 0.5);
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
    minimizeTerms(terms, once, { step: STEP, loops: false }, 0.5);
    for (let step = 0; step < 10; step++) minimizeTerms(terms, often, { step: STEP, loops: false }, 0.5);
    expect(Math.max(...once)).toBe(0.5);
    for (const [frame, value] of often.entries())
      expect(once[frame]).toBeCloseTo((0.5 * value) / Math.max(...often), 9);
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
    minimizeTerms(terms, x, { step: STEP, loops: true }, 0.5);
    expect(x[20]).toBe(x[0]);
    expect(x[19]).toBeGreaterThan(x[12]);
  });
});

describe('longestStep', () => {
  test('is half a radian at first, then shrinks, so that any sequence of steps ends', () => {
    expect(longestStep(0)).toBe(0.5);
    expect(longestStep(10)).toBe(0.5);
    expect(longestStep(11)).toBeCloseTo(0.4, 12);
    expect(longestStep(60)).toBeLessThan(1e-4);
  });
});
