import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as mat4 from '../../../../src/core/math/mat4.ts';
import { createJointMapper, mapJoints } from '../../../../src/core/skeleton/joint-mapper.ts';
import {
  localTransforms,
  mapFlags,
  restRelativeTransforms,
  skelTransforms,
  skinningTransforms,
  transformsForMesh,
} from '../../../../src/formats/usd/skel/joint-transforms.ts';
import { defineSkeleton, type SkeletonDefinition } from '../../../../src/formats/usd/skel/skeleton-definition.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { EXACT_CHAIN } from '../../../support/tolerances.ts';

/** `map` applied as UsdSkelAnimMapper::Remap does: the target is resized, new elements get the default or 0. */
function remapped(from: string, to: string, source: number[], target: number[] = [], size = 1, fallback = 0): number[] {
  const out = Float64Array.from({ length: to.length * size }, (_, i) => target[i] ?? fallback);
  mapJoints(createJointMapper([...from], [...to]), source, size, out);
  return [...out];
}

describe('testUsdSkelAnimMapper', () => {
  const pairs = [10, 11, 20, 21, 30, 31];
  const before = [40, 41, 50, 51, 60, 61, 70, 71, 80, 81];
  it.each([
    ['ABC', '', [1, 2, 3], [4, 5, 6], 1, 0, []],
    ['', 'ABC', [1, 2, 3], [], 1, 0, [0, 0, 0]],
    ['', 'ABC', [1, 2, 3], [], 2, 0, [0, 0, 0, 0, 0, 0]],
    ['', 'ABC', [1, 2, 3], [4, 5, 6], 1, 0, [4, 5, 6]],
    ['', 'ABC', [1, 2, 3], [4, 5, 6], 2, 0, [4, 5, 6, 0, 0, 0]],
    ['', 'ABC', [1, 2, 3], [1, 2, 3, 4], 1, 0, [1, 2, 3]],
    ['ABC', 'ABC', [1, 2, 3], [], 1, 0, [1, 2, 3]],
    ['ABC', 'ABC', pairs, [], 2, 0, pairs],
    ['ABC', 'DEABC', [1, 2, 3], [], 1, 0, [0, 0, 1, 2, 3]],
    ['ABC', 'DEABC', pairs, [], 2, 7, [7, 7, 7, 7, 10, 11, 20, 21, 30, 31]],
    ['ABC', 'DEABC', [], [], 1, 0, [0, 0, 0, 0, 0]],
    ['ABC', 'DEABC', [1, 2, 3], [4, 5, 6, 7, 8], 1, 0, [4, 5, 1, 2, 3]],
    ['ABC', 'DEABC', pairs, before, 2, 0, [40, 41, 50, 51, 10, 11, 20, 21, 30, 31]],
    ['ABC', 'DEABC', [], [4, 5, 6, 7, 8], 1, 0, [4, 5, 6, 7, 8]],
    ['ABC', 'DEAB', [1, 2, 3], [], 1, 0, [0, 0, 1, 2]],
    ['ABC', 'DEAB', pairs, [], 2, 0, [0, 0, 0, 0, 10, 11, 20, 21]],
    ['ABC', 'CDEAB', [1, 2, 3], [], 1, 0, [3, 0, 0, 1, 2]],
    ['ABC', 'CDEAB', pairs, [], 2, 0, [30, 31, 0, 0, 0, 0, 10, 11, 20, 21]],
    ['ABC', 'CDAEB', [1, 2, 3], [], 1, 0, [3, 0, 1, 0, 2]],
    ['ABC', 'CDAEB', pairs, [], 2, 0, [30, 31, 0, 0, 10, 11, 0, 0, 20, 21]],
    ['ABC', 'CDAEB', [1, 2, 3], [4, 5, 6, 7, 8], 1, 0, [3, 5, 1, 7, 2]],
    ['ABC', 'CDAEB', pairs, before, 2, 0, [30, 31, 50, 51, 10, 11, 70, 71, 20, 21]],
  ])('maps %s to %s: %j over %j, %i at a time, else %i', (from, to, source, target, size, fallback, expected) => {
    expect(remapped(from, to, source, target, size, fallback)).toEqual(expected);
    expect(createJointMapper([...from], [...to]).targetCount).toBe(to.length);
  });

  it.each([
    ['ABC', 'ABC', { identity: true, sparse: false, null: false }],
    ['ABC', 'DABC', { identity: false, sparse: true, null: false }],
    ['ABC', 'AB', { identity: false, sparse: false, null: false }],
    ['CAB', 'ABC', { identity: false, sparse: false, null: false }],
    ['CAX', 'ABC', { identity: false, sparse: true, null: false }],
    ['X', 'ABC', { identity: false, sparse: true, null: false }],
    ['', 'ABC', { identity: false, sparse: true, null: true }],
    ['ABC', '', { identity: false, sparse: true, null: true }],
    ['', '', { identity: false, sparse: true, null: true }],
  ])('mapFlags: has these flags for %s to %s', (from, to, flags) => {
    expect(mapFlags(createJointMapper([...from], [...to]))).toEqual(flags);
  });
});

const pose = fc
  .tuple(
    fc.tuple(...Array.from({ length: 3 }, () => fc.double({ min: -5, max: 5, noNaN: true }))),
    fc.tuple(...Array.from({ length: 4 }, () => fc.double({ min: -1, max: 1, noNaN: true }))),
  )
  .filter(([, q]) => Math.hypot(...q) > 0.1)
  .map(([t, q]) => {
    const matrix = new Float64Array(16);
    mat4.compose(matrix, 0, [...t, ...q.map((c) => c / Math.hypot(...q)), 1, 1, 1], 0);
    return matrix;
  });

const JOINTS = ['/A', '/A/B', '/A/B/C', '/D', '/D/E/F'];

function close(found: ArrayLike<number> | null, expected: ArrayLike<number>): void {
  expect(found?.length).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) {
    expect(Math.abs((found?.[i] ?? Number.NaN) - expected[i])).toBeLessThan(EXACT_CHAIN);
  }
}

function product(...matrices: ArrayLike<number>[]): Float64Array {
  const out = Float64Array.from(matrices[0]);
  for (const matrix of matrices.slice(1)) mat4.multiply(out, 0, matrix, 0, out, 0);
  return out;
}

function skeleton(rest: readonly Float64Array[]): SkeletonDefinition {
  const flat = Float64Array.from(rest.flatMap((matrix) => [...matrix]));
  const { definition } = defineSkeleton(JOINTS, flat, flat);
  if (definition === null) throw new Error('the skeleton is not valid');
  return { ...definition, bind: skelTransforms(definition.parents, flat) };
}

describe('testUsdSkelSkeletonQuery', () => {
  const map = createJointMapper(JOINTS.slice(0, 4), JOINTS);
  const samples = fc.tuple(
    fc.array(pose, { minLength: 5, maxLength: 5 }),
    fc.array(pose, { minLength: 4, maxLength: 4 }),
  );

  it('computes local and skeleton-space matrices of animated joints', () => {
    const property = fc.property(samples, ([rest, animated]) => {
      const local = localTransforms(
        skeleton(rest),
        map,
        animated.flatMap((matrix) => [...matrix]),
      );
      close(
        local,
        [...animated, rest[4]].flatMap((matrix) => [...matrix]),
      );
      const [a, ab, abc, d] = animated;
      const expected = [a, product(ab, a), product(abc, ab, a), d, product(rest[4], d)];
      close(
        skelTransforms(skeleton(rest).parents, local ?? []),
        expected.flatMap((matrix) => [...matrix]),
      );
    });
    fc.assert(property, { seed: 70, numRuns: lawRuns(50) });
  });

  it('computes rest-relative matrices: rest pose, then these, is the animation', () => {
    const property = fc.property(samples, ([rest, animated]) => {
      const definition = skeleton(rest);
      const local = localTransforms(
        definition,
        map,
        animated.flatMap((matrix) => [...matrix]),
      );
      const relative = restRelativeTransforms(definition, map, local) ?? new Float64Array(0);
      for (let joint = 0; joint < 5; joint++) {
        const at = relative.subarray(16 * joint, 16 * joint + 16);
        close(product(at, rest[joint]), local?.subarray(16 * joint, 16 * joint + 16) ?? []);
      }
    });
    fc.assert(property, { seed: 71, numRuns: lawRuns(50) });
  });

  it('uses the rest pose without an animation or without values', () => {
    fc.assert(
      fc.property(samples, ([rest]) => {
        const definition = skeleton(rest);
        expect(localTransforms(definition, null, null)).toEqual(definition.rest);
        expect(localTransforms(definition, map, null)).toEqual(definition.rest);
        expect(localTransforms(definition, createJointMapper(['X'], JOINTS), [...rest[0]])).toEqual(definition.rest);
      }),
      { seed: 72, numRuns: lawRuns(5) },
    );
  });
});

describe('joint transforms', () => {
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const { definition } = defineSkeleton(['A', 'B'], [...identity, ...identity], []);
  const bare = definition as SkeletonDefinition;

  it('require a rest pose only if the animation lacks joints', () => {
    const both = [...identity, ...identity];
    expect(localTransforms(bare, null, null)).toBeNull();
    expect(localTransforms(bare, createJointMapper(['A'], ['A', 'B']), identity)).toBeNull();
    expect([...(localTransforms(bare, createJointMapper(['B', 'A'], ['A', 'B']), both) ?? [])]).toEqual(both);
    expect(restRelativeTransforms(bare, createJointMapper(['B', 'A'], ['A', 'B']), both)).toBeNull();
    expect([...(restRelativeTransforms(bare, null, null) ?? [])]).toEqual(both);
  });

  it('require a bind pose to skin', () => {
    expect(skinningTransforms({ ...bare, inverseBind: null }, [...identity, ...identity])).toBeNull();
    expect([...(skinningTransforms(bare, [...identity, ...identity]) ?? [])]).toEqual([...identity, ...identity]);
  });

  it('transformsForMesh: uses the joint order of the mesh, the identity for missing joints', () => {
    const skinning = Float64Array.from({ length: 32 }, (_, i) => i);
    expect(transformsForMesh(null, skinning)).toBe(skinning);
    const out = transformsForMesh(createJointMapper(['A', 'B'], ['B', 'X', 'A']), skinning);
    expect([...out]).toEqual([...skinning.subarray(16), ...identity, ...skinning.subarray(0, 16)]);
  });
});
