import { describe, expect, it } from 'vitest';
import { makeRandom } from '../../../src/demo/random.ts';
import { orderByLevel, orderClip } from '../../../src/playback/kernel/level-order.ts';
import { ownCase } from '../matrices/playback-cases.ts';

function depthsOf(parents: Int32Array): number[] {
  const depths: number[] = [];
  for (const parent of parents) depths.push(parent < 0 ? 0 : depths[parent] + 1);
  return depths;
}

const cases = [ownCase(makeRandom(5)), ownCase(makeRandom(6))];

describe('orderByLevel', () => {
  it.each(cases)('puts steps and matrices in the order of their depth below the roots (%#)', ({ plan }) => {
    const { plan: ordered, steps, matrices } = orderByLevel(plan);
    for (const [parents, order, original] of [
      [ordered.stepParents, steps, plan.stepParents],
      [ordered.parents, matrices, plan.parents],
    ]) {
      const depths = depthsOf(parents);
      expect(depths).toEqual(depths.toSorted((a, b) => a - b));
      expect([...order].sort((a, b) => a - b)).toEqual([...original.keys()]);
      expect([...parents].map((parent) => (parent < 0 ? -1 : order[parent]))).toEqual(
        [...order].map((old) => original[old]),
      );
    }
  });

  it.each(cases)('keeps the constants and the driver of every matrix (%#)', ({ plan }) => {
    const { plan: ordered, steps, matrices } = orderByLevel(plan);
    for (const [k, old] of matrices.entries()) {
      expect(ordered.slots[k]).toBe(plan.slots[old]);
      expect(ordered.scales[k]).toBe(plan.scales[old]);
      expect([...ordered.after.subarray(4 * k, 4 * k + 4)]).toEqual([...plan.after.subarray(4 * old, 4 * old + 4)]);
      expect([...ordered.binds.subarray(3 * k, 3 * k + 3)]).toEqual([...plan.binds.subarray(3 * old, 3 * old + 3)]);
      expect(ordered.drivers[k] < 0 ? -1 : steps[ordered.drivers[k]]).toBe(plan.drivers[old]);
    }
  });
});

describe('orderClip', () => {
  it.each(cases)('brings keys, rotations and offsets of a clip into the order of its plan (%#)', ({ plan, clip }) => {
    const order = orderByLevel(plan);
    const ordered = orderClip(clip, order);
    for (const [k, old] of order.steps.entries()) {
      expect(ordered.stepKeys[k]).toBe(clip.stepKeys[old]);
      const rotation = clip.stepRotations.subarray(4 * old, 4 * old + 4);
      expect([...ordered.stepRotations.subarray(4 * k, 4 * k + 4)]).toEqual([...rotation]);
    }
    for (const [k, old] of order.matrices.entries()) {
      expect([...ordered.offsets.subarray(4 * k, 4 * k + 4)]).toEqual([...clip.offsets.subarray(4 * old, 4 * old + 4)]);
    }
    expect([...ordered.moving].map((k) => order.matrices[k])).toEqual([...clip.moving]);
  });
});
