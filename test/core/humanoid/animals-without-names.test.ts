import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeHumanoid } from '../../../src/core/humanoid/describe-humanoid.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { LAW_RUNS } from '../../support/law-runs.ts';

/** Lengths and angles (radians from straight down, forward positive) of a creature. */
interface Creature {
  readonly upright: number;
  readonly thigh: number;
  readonly shin: number;
  readonly foot: number;
  readonly arm: number;
  readonly segment: number;
}

/** Length of paws, meters. */
const END = 0.15;

type Point = readonly [number, number, number];

/** A creature without names that stands up: a trunk, a head, a tail, folded hind legs and hanging fore legs. 32 joints. */
function creature({ upright, thigh, shin, foot, arm, segment }: Creature): Skeleton {
  const positions: Point[] = [];
  const parents: number[] = [];
  const add = (parent: number, at: Point): number => {
    positions.push(at);
    return parents.push(parent) - 1;
  };
  const along = (s: number): Point => [0, 0.8 + Math.sin(upright) * s, Math.cos(upright) * s];
  const limb = (parent: number, x: number, [, y, z]: Point, angles: readonly number[]): void => {
    let [node, at] = [add(parent, [x, y, z]), [y, z]];
    for (const [k, angle] of angles.entries()) {
      const length = k === 2 ? END : segment;
      at = [at[0] - length * Math.cos(angle), at[1] + length * Math.sin(angle)];
      node = add(node, [x, at[0], at[1]]);
    }
  };
  const root = add(-1, [0, 0, 0]);
  const hips = add(root, along(0));
  let top = hips;
  for (const s of [0.25, 0.5, 0.8]) top = add(top, along(s));
  let head = top;
  for (const s of [0.95, 1.1, 1.3]) head = add(head, along(s));
  let tail = hips;
  for (let k = 1; k <= 8; k++) tail = add(tail, [0, 0.8 - 0.05 * k, -0.1 * k]);
  for (const x of [-0.15, 0.15]) limb(hips, x, along(0.02), [thigh, shin, foot]);
  for (const x of [-0.13, 0.13]) limb(top, x, along(0.75), [arm, arm + 0.2, arm]);
  const rest = positions.flatMap((at, node) => {
    const from = parents[node] < 0 ? [0, 0, 0] : positions[parents[node]];
    return [...at.map((value, axis) => value - from[axis]), 0, 0, 0, 1, 1, 1, 1];
  });
  const count = positions.length;
  const names = positions.map(() => '');
  return {
    name: '',
    names,
    parents: Int32Array.from(parents),
    rest: Float64Array.from(rest),
    bind: null,
    joints: new Uint8Array(count).fill(1),
  };
}

describe('describeHumanoid', () => {
  test('refuses creatures without names whose legs are folded beyond those of a human on a chair', () => {
    const angle = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    const creatures = fc.record({
      upright: angle(0.6, 1.57),
      thigh: angle(1.8, 2.3),
      shin: angle(-0.4, 0.8),
      foot: angle(1.2, 1.5),
      arm: angle(-0.4, 1.6),
      segment: angle(0.25, 0.45),
    });
    fc.assert(
      fc.property(creatures, (made) => {
        const { humanoid, reason } = describeHumanoid(creature(made), { up: [0, 1, 0], metersPerUnit: 1 });
        expect(humanoid?.reference.startDeviationDegrees ?? null).toBeNull();
        expect(reason).toMatch(/./);
      }),
      { numRuns: LAW_RUNS },
    );
  });
});
