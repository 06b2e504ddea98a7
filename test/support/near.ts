import { expect } from 'vitest';

/** Expects the same count, and every number within the tolerance of the expected one; NaN fails. */
export function expectNear(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(actual.length).toBe(expected.length);
  for (let c = 0; c < expected.length; c++) {
    if (!(Math.abs(actual[c] - expected[c]) <= tolerance)) {
      expect.fail(
        `[${c}] is ${actual[c]}, expected ${expected[c]} ± ${tolerance}\n${Array.from(actual)}\n${Array.from(expected)}`,
      );
    }
  }
}

/** Expects the same rotation within the tolerance: q and −q are equal. */
export function expectSameRotation(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  let dot = 0;
  for (let c = 0; c < 4; c++) dot += actual[c] * expected[c];
  expectNear(
    actual,
    Array.from(expected, (x) => (dot < 0 ? -x : x)),
    tolerance,
  );
}
