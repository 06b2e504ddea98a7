import { describe, expect, test } from 'vitest';
import type { GroundMotion } from '../../../src/core/root-motion/ground-motion.ts';
import { type HipsPath, travelPath } from '../../../src/core/root-motion/travel-path.ts';
import { expectNear } from '../../support/near.ts';
import { EXACT } from '../../support/tolerances.ts';

const FRAMES = 60;

/** Hips at uniform times from functions of the fraction of the clip. */
function path(
  duration: number,
  at: (fraction: number) => readonly [x: number, z: number, yaw?: number],
  isLoop: boolean,
): HipsPath {
  const fractions = Array.from({ length: FRAMES + 1 }, (_, k) => k / FRAMES);
  return {
    times: Float64Array.from(fractions, (fraction) => fraction * duration),
    positions: Float64Array.from(fractions.flatMap((fraction) => at(fraction).slice(0, 2))),
    yaws: Float64Array.from(fractions, (fraction) => at(fraction)[2] ?? 0),
    isLoop,
  };
}

/** Distances from frame to frame. */
function steps({ positions }: GroundMotion): number[] {
  return Array.from({ length: positions.length / 2 - 1 }, (_, k) =>
    Math.hypot(positions[2 * k + 2] - positions[2 * k], positions[2 * k + 3] - positions[2 * k + 1]),
  );
}

const sway = (fraction: number): number => Math.sin(2 * Math.PI * fraction);

describe('travelPath', () => {
  test('makes a line at a constant speed of the loop of a walk, and leaves the sway in the hips', () => {
    const walk = path(1, (f) => [0.03 * sway(f), 1.2 * f + 0.02 * sway(2 * f)], true);
    const motion = travelPath(walk, [0, 0], 1);
    for (const step of steps(motion)) expect(step).toBeCloseTo(1.2 / FRAMES, 12);
    expect(motion.yaws).toBeNull();
  });

  test('makes an arc of the loop of a walk along a bend, without a seam', () => {
    const angle = Math.PI / 3;
    const bend = path(1, (f) => [2 - 2 * Math.cos(angle * f), 2 * Math.sin(angle * f), angle * f], true);
    const motion = travelPath(bend, [0, 0], 1);
    expectNear(motion.positions, bend.positions, 1e-9);
    expectNear(motion.yaws!, bend.yaws, 1e-9);
  });

  test('begins and ends with the hips, and stays within a tenth of their height of them', () => {
    const dash = path(1.2, (f) => [0, f < 0.5 ? 0 : f > 0.7 ? 2 : 10 * (f - 0.5)], false);
    const { positions } = travelPath(dash, [0, 0], 1);
    expectNear(positions.subarray(0, 2), [0, 0], EXACT);
    expectNear(positions.subarray(2 * FRAMES), [0, 2], EXACT);
    for (let k = 0; k <= FRAMES; k++)
      expect(Math.abs(positions[2 * k + 1] - dash.positions[2 * k + 1])).toBeLessThan(0.1);
  });

  test('is still for hips that sway and return, and a slow line for hips that drift', () => {
    const idle = travelPath(
      path(4, (f) => [0.1 * sway(f), 0.05 * sway(2 * f)], true),
      [0, 0],
      1,
    );
    expectNear(idle.positions, new Float64Array(2 * FRAMES + 2), EXACT);
    const drift = travelPath(
      path(4, (f) => [0.1 * f + 0.05 * sway(f), 0], false),
      [0, 0],
      1,
    );
    for (const step of steps(drift)) expect(step).toBeCloseTo(0.1 / FRAMES, 12);
  });

  test('keeps an offset of the hips from the root within a quarter of their height, and begins elsewhere beyond', () => {
    const near = travelPath(
      path(1, (f) => [0.1, f], false),
      [0, 0],
      1,
    );
    expectNear(near.positions.subarray(0, 2), [0, 0], EXACT);
    const far = travelPath(
      path(1, (f) => [3, 1 + f], false),
      [0, 0],
      1,
    );
    expectNear(far.positions.subarray(0, 2), [3, 1], EXACT);
  });

  test('has the heading of hips that face another way at the end, with full turns', () => {
    const spin = travelPath(
      path(3, (f) => [0, 0, 4 * Math.PI * f], false),
      [0, 0],
      1,
    );
    expect(spin.yaws?.at(-1)).toBeCloseTo(4 * Math.PI, 9);
    expect(
      travelPath(
        path(3, (f) => [0, 0, 0.2 * f], false),
        [0, 0],
        1,
      ).yaws,
    ).toBeNull();
  });

  test('is one position for a single frame', () => {
    const still: HipsPath = {
      times: new Float64Array(1),
      positions: Float64Array.of(0.1, 0),
      yaws: new Float64Array(1),
      isLoop: false,
    };
    expect(travelPath(still, [0, 0], 1).positions).toEqual(new Float64Array(2));
  });
});
