import { describe, expect, test } from 'vitest';
import { findPointPlants } from '../../../../src/core/contacts/plants/find-plants.ts';

const STEP = 1 / 60;

/** A point that steps: planted, swinging for 0.5 s, planted. */
function steps(noise: (frame: number) => number = () => 0): Float64Array {
  return Float64Array.from({ length: 3 * 121 }, (_, k) => {
    const frame = Math.floor(k / 3);
    const t = Math.min(1, Math.max(0, (frame - 45) / 30));
    if (k % 3 === 0) return t * t * (3 - 2 * t) + noise(frame);
    return k % 3 === 1 ? 0.2 * Math.sin(Math.PI * t) : 0;
  });
}

describe('findPointPlants', () => {
  test('finds the plants before and after a step', () => {
    const plants = findPointPlants(steps(), 0, 0.9, STEP);
    expect(plants).toHaveLength(2);
    expect(plants[0].from).toBe(0);
    expect(plants[0].to).toBeGreaterThan(42);
    expect(plants[0].to).toBeLessThan(52);
    expect(plants[1].to).toBe(120);
  });

  test('is not disturbed by the noise of a sensor', () => {
    const plants = findPointPlants(
      steps((frame) => 0.002 * Math.sin(7 * frame)),
      0,
      0.9,
      STEP,
    );
    expect(plants).toHaveLength(2);
  });

  test('finds the same plants for a character of half the size at half the size of the motion', () => {
    const half = steps().map((value) => value / 2);
    expect(findPointPlants(half, 0, 0.45, STEP)).toEqual(findPointPlants(steps(), 0, 0.9, STEP));
  });

  test('finds none for a point in the air', () => {
    expect(
      findPointPlants(
        steps().map((value, k) => (k % 3 === 1 ? value + 0.3 : value)),
        0,
        0.9,
        STEP,
      ),
    ).toEqual([]);
  });
});
