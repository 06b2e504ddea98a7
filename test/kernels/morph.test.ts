import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MorphTarget, morph } from '../../src/core/deform/morph.ts';
import type { Vertices } from '../../src/core/deform/vertices.ts';
import { loadMorphKernel, type MorphKernel, morphByKernel, prepareKernelMorph } from '../../src/kernels/morph.ts';
import { lawRuns } from '../law-runs.ts';
import { expectNear } from '../near.ts';
import { KERNEL_MORPH } from '../tolerances.ts';

const kernel = (await loadMorphKernel()) as MorphKernel;
const MOST_VERTICES = 40;

/** A mesh with dense and sparse targets, some without positions or normals, and weights, of which some are 0 or missing. */
interface Mesh {
  readonly base: Vertices;
  readonly targets: readonly MorphTarget[];
  readonly weights: readonly number[];
}

function anyMesh(): fc.Arbitrary<Mesh> {
  const number = fc.double({ min: -3, max: 3, noNaN: true });
  const floats = (length: number): fc.Arbitrary<Float32Array> =>
    fc.array(number, { minLength: length, maxLength: length }).map((list) => Float32Array.from(list));
  return fc.tuple(fc.integer({ min: 1, max: MOST_VERTICES }), fc.boolean()).chain(([count, hasNormals]) => {
    const target = fc
      .tuple(fc.option(fc.uniqueArray(fc.nat(count - 1), { maxLength: count })), fc.boolean(), fc.boolean())
      .chain(([vertices, moves, bends]) => {
        const size = 3 * (vertices?.length ?? count);
        return fc.record({
          vertices: fc.constant(vertices === null ? null : Uint32Array.from(vertices)),
          positions: moves ? floats(size) : fc.constant(null),
          normals: bends ? floats(size) : fc.constant(null),
          tangents: fc.constant(null),
        });
      });
    return fc.record({
      base: fc.record({
        positions: floats(3 * count),
        normals: hasNormals ? floats(3 * count) : fc.constant(null),
        tangents: fc.constant(null),
      }),
      targets: fc.array(target, { maxLength: 6 }),
      weights: fc.array(fc.oneof(fc.constant(0), number), { maxLength: 7 }),
    });
  });
}

describe('morphByKernel', () => {
  it('gives the vertices of morph, for dense and sparse targets', () => {
    const property = fc.property(anyMesh(), ({ base, targets, weights }) => {
      const copy = (values: Vertices['normals']): Float32Array | null => values && Float32Array.from(values);
      const expected = { positions: Float32Array.from(base.positions), normals: copy(base.normals), tangents: null };
      const mesh = prepareKernelMorph(kernel, targets, base);
      for (const list of [weights, weights.map((weight) => -weight)]) {
        morph(targets, list, base, expected);
        morphByKernel(mesh, list);
        // Sums of up to seven terms of up to nine.
        expectNear(mesh.out.positions, expected.positions, 63 * KERNEL_MORPH);
        if (expected.normals === null) expect(mesh.out.normals).toBeNull();
        else expectNear(mesh.out.normals as Float32Array, expected.normals, 63 * KERNEL_MORPH);
      }
    });
    fc.assert(property, { seed: 12, numRuns: lawRuns(500) });
  });

  it('morphs the base after it was modified', () => {
    const base = { positions: Float32Array.of(1, 2, 3), normals: null, tangents: null };
    const target = { vertices: null, positions: Float32Array.of(1, 1, 1), normals: null, tangents: null };
    const mesh = prepareKernelMorph(kernel, [target], base);
    mesh.base.positions[1] = 7;
    morphByKernel(mesh, [2]);
    expect([...mesh.out.positions]).toEqual([3, 9, 5]);
  });
});
