import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { linearTrack } from '../../../src/core/animation/linear-track.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { sampleWorldRotations, worldErrorBelow } from '../../../src/core/animation/world-error.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { localToModelRotations, restPose } from '../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { rotation, track } from '../../arbitraries.ts';
import { lawRuns } from '../../law-runs.ts';
import { LAW_F64 } from '../../tolerances.ts';

/** Differences from here on, radians, are not small rotations. */
const LARGE = 0.2;

/** A tree of ten nodes with random rest rotations. */
function tree(): fc.Arbitrary<Skeleton> {
  return fc.array(fc.tuple(fc.nat(), rotation()), { minLength: 10, maxLength: 10 }).map((nodes) => ({
    name: 'tree',
    names: nodes.map((_, node) => `node ${node}`),
    parents: Int32Array.from(nodes, ([parent], node) => (parent % (node + 1)) - 1),
    joints: new Uint8Array(nodes.length).fill(1),
    rest: Float64Array.from(nodes.flatMap(([, quaternion]) => [0, 0, 0, ...quaternion, 1, 1, 1])),
    bind: null,
  }));
}

/** Greatest difference of every node and those below it, from whole poses. */
function slowErrorBelow(
  skeleton: Skeleton,
  exact: readonly Track[],
  linear: readonly Track[],
  times: Float64Array,
): Float64Array {
  const { parents } = skeleton;
  const worst = new Float64Array(parents.length);
  for (const time of times) {
    const [a, b] = [exact, linear].map((tracks) => {
      const local = restPose(skeleton);
      const rotations = new Float64Array(4 * parents.length);
      sampleClip({ name: '', duration: 0, tracks }, time, local);
      localToModelRotations(rotations, parents, local);
      return rotations;
    });
    for (let node = 0; node < parents.length; node++) {
      const angle = quat.angleBetween(a, 4 * node, b, 4 * node);
      for (let above = node; above >= 0; above = parents[above]) worst[above] = Math.max(worst[above], angle);
    }
  }
  return worst;
}

describe('worldErrorBelow', () => {
  it('finds the differences that whole poses have, also through nodes whose tracks are not replaced', () => {
    const tracks = fc.array(track(['rotation'], ['CUBICSPLINE', 'LINEAR', 'STEP']), { minLength: 3, maxLength: 8 });
    const property = fc.property(tree(), tracks, fc.nat(2), (skeleton, drawn, first) => {
      const exact = drawn.map((one, k) => ({ ...one, target: first + k }));
      const isReplaced = ({ interpolation }: Track): boolean => interpolation === 'CUBICSPLINE';
      const linear = exact.map((one) => (isReplaced(one) ? linearTrack(one, 0.001) : one));
      const replaced = linear.filter((_, k) => isReplaced(exact[k]));
      fc.pre(replaced.length > 0);
      const nodes = new Set(replaced.map(({ target }) => target));
      const keys = Math.max(...replaced.map(({ times }) => times.length));
      const world = sampleWorldRotations(skeleton, exact, nodes, keys);
      const fast = worldErrorBelow(skeleton, world, new Map(replaced.map((one) => [one.target, one])));
      const slow = slowErrorBelow(skeleton, exact, linear, world.times);
      for (const node of nodes) {
        // Splines with too many keys stay far off: how far does not matter then.
        if (slow[node] > LARGE) expect(fast[node]).toBeGreaterThan(LARGE / 2);
        else expect(Math.abs(fast[node] - slow[node])).toBeLessThan(slow[node] ** 2 + LAW_F64);
      }
    });
    fc.assert(property, { seed: 4, numRuns: lawRuns(60) });
  });

  it('is zero for nodes that no replaced track moves', () => {
    const [skeleton] = fc.sample(tree(), { seed: 5, numRuns: 1 });
    const [drawn] = fc.sample(track(['rotation'], ['CUBICSPLINE']), { seed: 5, numRuns: 1 });
    const exact = { ...drawn, target: 9 };
    const linear = new Map([[9, linearTrack(exact, 0.01)]]);
    const worst = worldErrorBelow(skeleton, sampleWorldRotations(skeleton, [exact], new Set([9]), 100), linear);
    let above = 9;
    for (let node = 9; node >= 0; node--) {
      expect(worst[node] > 0).toBe(node === above);
      if (node === above) above = skeleton.parents[node];
    }
  });
});
