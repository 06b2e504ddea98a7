import { describe, expect, test } from 'vitest';
import {
  type GroundMotion,
  isStill,
  modelMotionAt,
  moveGroundPoint,
  moveGroundPointBack,
  sampleGroundMotion,
  scaleGroundMotion,
} from '../../../src/core/root-motion/ground-motion.ts';
import { tinyHumanoid } from '../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../support/near.ts';
import { aboutAxis, plus, rotated } from '../../support/reference/plain.ts';
import { EXACT } from '../../support/tolerances.ts';

const turning: GroundMotion = {
  pivot: [1, 0],
  times: Float64Array.of(0, 1, 3),
  positions: Float64Array.of(1, 0, 2, 0, 2, 4),
  yaws: Float64Array.of(0, Math.PI / 2, Math.PI / 2),
};
const straight: GroundMotion = { ...turning, yaws: null };

describe('sampleGroundMotion', () => {
  test('interpolates between the times, and is constant before and after them', () => {
    const at = (time: number): number[] => {
      const out = new Float64Array(3);
      sampleGroundMotion(out, turning, time);
      return [...out];
    };
    expectNear(at(-1), [1, 0, 0], EXACT);
    expectNear(at(0.5), [1.5, 0, Math.PI / 4], EXACT);
    expectNear(at(2), [2, 2, Math.PI / 2], EXACT);
    expectNear(at(9), [2, 4, Math.PI / 2], EXACT);
  });
});

describe('moveGroundPoint', () => {
  test('rotates about the pivot and moves it to the position; from +Z towards +X', () => {
    expectNear(moveGroundPoint(turning, 1, 1, 1), [3, 0], EXACT);
    expectNear(moveGroundPoint(straight, 3, 0, 0), [1, 4], EXACT);
  });

  test('is undone by moveGroundPointBack', () => {
    for (const time of [0, 0.4, 1, 2.5]) {
      expectNear(moveGroundPointBack(turning, time, ...moveGroundPoint(turning, time, 0.3, -2)), [0.3, -2], EXACT);
    }
  });
});

describe('modelMotionAt', () => {
  const humanoid = {
    ...tinyHumanoid({ name: 'hips', at: [0, 1, 0] }),
    // The file has Z up and centimeters.
    frame: Float64Array.from(aboutAxis([1, 0, 0], -Math.PI / 2)),
    metersPerUnit: 0.01,
  };
  const apply = (isInverse: boolean, point: readonly number[]): number[] => {
    const out = { rotation: new Float64Array(4), translation: new Float64Array(3) };
    modelMotionAt(out, turning, 1, humanoid, isInverse);
    return [...plus(rotated([...out.rotation], point), [...out.translation])];
  };

  test('moves points in the axes and units of the file', () => {
    // (1, 0.5, 1) in the canonical frame is (100, −100, 50) in the file; it goes to (3, 0.5, 0).
    expectNear(apply(false, [100, -100, 50]), [300, 0, 50], 1e-9);
  });

  test('has an inverse', () => {
    expectNear(apply(true, apply(false, [7, 8, 9])), [7, 8, 9], 1e-9);
  });
});

describe('scaleGroundMotion', () => {
  test('moves the reference hips of the target by the offset of those of the source, times the factor', () => {
    const source = tinyHumanoid({ name: 'hips', at: [1, 1, 0] });
    const target = tinyHumanoid({ name: 'hips', at: [0, 2, 5] });
    const scaled = scaleGroundMotion(turning, source, target, 2);
    expectNear(moveGroundPoint(scaled, 1, 0, 5), [2, 5], EXACT);
    expectNear(moveGroundPoint(scaled, 3, 0, 5), [2, 13], EXACT);
    expect(scaled.yaws).toBe(turning.yaws);
  });
});

describe('isStill', () => {
  test('is true for the identity only', () => {
    expect(isStill(turning)).toBe(false);
    const still = { ...straight, positions: Float64Array.of(1, 0, 1, 0, 1, 0) };
    expect(isStill(still)).toBe(true);
    expect(isStill({ ...still, yaws: Float64Array.of(0, 0.1, 0) })).toBe(false);
  });
});
