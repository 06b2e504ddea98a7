import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LegFrames } from '../../../../src/core/contacts/frames/character-frames.ts';
import {
  findFootPlants,
  findPointPlants as findPlants,
  type Plant,
  plantedFrames,
} from '../../../../src/core/contacts/plants/find-plants.ts';
import { lawRuns } from '../../../support/law-runs.ts';

const STEP = 1 / 60;

/** The plants of a point over the ground. */
function findPointPlants(points: Float64Array, legLength: number): Plant[] {
  return findPlants(points, new Float64Array(points.length / 3), 0, legLength, STEP);
}

/** A leg of 0.9 m whose toe joint is on the ground only in some frames, and whose heel always is. */
function onHeel(count: number, isBallDown: (frame: number) => boolean): LegFrames {
  const ball = new Float64Array(3 * count);
  for (let frame = 0; frame < count; frame++) ball[3 * frame + 1] = isBallDown(frame) ? 0 : 0.3;
  const leg = { length: 0.9, sole: { ballHeight: 0 } };
  return { leg, ball, heel: new Float64Array(3 * count), floors: new Float64Array(count) } as unknown as LegFrames;
}

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
    const plants = findPointPlants(steps(), 0.9);
    expect(plants).toHaveLength(2);
    expect(plants[0].from).toBe(0);
    expect(plants[0].to).toBeGreaterThan(42);
    expect(plants[0].to).toBeLessThan(52);
    expect(plants[1].to).toBe(120);
  });

  test('is not disturbed by the noise of a sensor', () => {
    const plants = findPointPlants(
      steps((frame) => 0.002 * Math.sin(7 * frame)),
      0.9,
    );
    expect(plants).toHaveLength(2);
  });

  test('finds the same plants for a character of half the size at half the size of the motion', () => {
    const half = steps().map((value) => value / 2);
    expect(findPointPlants(half, 0.45)).toEqual(findPointPlants(steps(), 0.9));
  });

  test('finds none for a point in the air', () => {
    expect(
      findPointPlants(
        steps().map((value, k) => (k % 3 === 1 ? value + 0.3 : value)),
        0.9,
      ),
    ).toEqual([]);
  });
});

describe('findFootPlants', () => {
  test('plants the heel in the gaps between plants of the toe joint that are long enough', () => {
    // In the air from frame 20 to 59 and 80 to 83, at the end from 100 on.
    const isBallDown = (frame: number): boolean =>
      frame < 20 || (frame >= 60 && frame < 80) || (frame >= 84 && frame < 100);
    const { ball, heel } = findFootPlants(onHeel(121, isBallDown), STEP);
    expect(ball).toEqual([
      { from: 0, to: 19 },
      { from: 60, to: 79 },
      { from: 84, to: 99 },
    ]);
    expect(heel).toEqual([
      { from: 20, to: 59 },
      { from: 100, to: 120 },
    ]);
  });

  test('equals its slow twin: runs of frames that a plant of the heel has and none of the toe joint', () => {
    const steps = fc.array(fc.record({ frames: fc.integer({ min: 1, max: 40 }), isDown: fc.boolean() }), {
      minLength: 1,
      maxLength: 12,
    });
    const property = fc.property(steps, steps, (ofBall, ofHeel) => {
      const [balls, heels] = [ofBall, ofHeel].map((list) => list.flatMap((one) => Array(one.frames).fill(one.isDown)));
      const count = Math.min(balls.length, heels.length);
      const frames = onHeel(count, (frame) => balls[frame]);
      for (let frame = 0; frame < count; frame++) frames.heel[3 * frame + 1] = heels[frame] ? 0 : 0.3;
      const { ball, heel } = findFootPlants(frames, STEP);
      const has = (plants: readonly Plant[], frame: number): boolean =>
        plants.some(({ from, to }) => frame >= from && frame <= to);
      const expected: Plant[] = [];
      for (const { from, to } of findPointPlants(frames.heel, 0.9)) {
        for (let start = from; start <= to; start++) {
          if (has(ball, start)) continue;
          let end = start;
          while (end < to && !has(ball, end + 1)) end++;
          if ((end - start) * STEP >= 0.1 - 1e-9) expected.push({ from: start, to: end });
          start = end;
        }
      }
      expect(heel).toEqual(expected);
    });
    fc.assert(property, { seed: 3, numRuns: lawRuns(1000) });
  });
});

test('plantedFrames marks both ends of every plant of toe joint and heel', () => {
  const marks = plantedFrames({ ball: [{ from: 1, to: 2 }], heel: [{ from: 4, to: 4 }] }, 6);
  expect([...marks]).toEqual([0, 1, 1, 0, 1, 0]);
});
