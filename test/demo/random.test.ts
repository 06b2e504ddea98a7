import { describe, expect, it } from 'vitest';
import { between, makeRandom, pick, randomRotation } from '../../src/demo/random.ts';
import { EXACT } from '../support/tolerances.ts';

describe('makeRandom', () => {
  it('gives the same numbers for the same seed and different numbers for the next', () => {
    const draw = (seed: number): number[] => Array.from({ length: 8 }, makeRandom(seed));
    expect(draw(5)).toEqual(draw(5));
    expect(draw(5)).not.toEqual(draw(6));
  });

  it('is uniform over [0, 1): a thousand numbers fill every tenth evenly, also across seeds', () => {
    const random = makeRandom(1);
    for (const next of [random, (seed: number) => makeRandom(seed)()]) {
      const tenths = new Array<number>(10).fill(0);
      for (let k = 0; k < 1000; k++) tenths[Math.floor(next(k) * 10)]++;
      expect(tenths.length).toBe(10);
      for (const count of tenths) expect(Math.abs(count - 100)).toBeLessThan(45);
    }
  });
});

describe('random draws', () => {
  it('between: stays within its bounds; pick: returns one of its choices', () => {
    const random = makeRandom(2);
    for (let k = 0; k < 100; k++) {
      expect(Math.abs(between(random, -3, 5) - 1)).toBeLessThanOrEqual(4);
      expect(['a', 'b']).toContain(pick(random, ['a', 'b']));
    }
  });

  it('randomRotation: gives unit quaternions without a preferred direction', () => {
    const random = makeRandom(3);
    const mean = [0, 0, 0, 0];
    for (let k = 0; k < 500; k++) {
      const q = randomRotation(random);
      expect(Math.abs(Math.hypot(...q) - 1)).toBeLessThan(EXACT);
      q.forEach((c, i) => {
        mean[i] += c / 500;
      });
    }
    expect(Math.hypot(...mean)).toBeLessThan(0.15);
  });
});
