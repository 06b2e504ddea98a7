import fc from 'fast-check';
import { BufferAttribute, BufferGeometry, Mesh, MeshBasicMaterial, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { type MorphTarget, morph, normalizeDirections, validateMorphTargets } from '../../../src/core/deform/morph.ts';
import type { Vertices } from '../../../src/core/deform/vertices.ts';
import { real } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear } from '../../support/near.ts';
import { morphed } from '../../support/reference/skinning.ts';
import { EXACT_CHAIN, SECOND_OPINION } from '../../support/tolerances.ts';
import { emptyVertices, offsets } from './skins.ts';

const runs = { seed: 48, numRuns: lawRuns(200) };
const COUNT = 5;

interface Sample {
  readonly base: Vertices;
  readonly targets: readonly MorphTarget[];
  readonly weights: readonly number[];
}

const target: fc.Arbitrary<MorphTarget> = fc
  .tuple(
    fc.option(fc.uniqueArray(fc.nat(COUNT - 1), { maxLength: COUNT })),
    offsets(COUNT),
    offsets(COUNT),
    fc.boolean(),
  )
  .map(([vertices, positions, normals, hasTangents]) => {
    const size = 3 * (vertices?.length ?? COUNT);
    return {
      vertices: vertices === null ? null : Uint16Array.from(vertices),
      positions: Float64Array.from(positions.slice(0, size)),
      normals: Float64Array.from(normals.slice(0, size)),
      tangents: hasTangents ? Float64Array.from(positions.slice(0, size).reverse()) : null,
    };
  });

const sample: fc.Arbitrary<Sample> = fc
  .tuple(
    offsets(COUNT),
    offsets(COUNT),
    fc.array(fc.tuple(target, fc.oneof(fc.constant(0), real(2))), { maxLength: 6 }),
  )
  .map(([positions, normals, list]) => ({
    base: {
      positions: Float64Array.from(positions),
      normals: Float64Array.from(normals),
      tangents: Float64Array.from({ length: 4 * COUNT }, (_, i) => (i % 4 === 3 ? -1 : normals[i - (i >> 2)])),
    },
    targets: list.map(([shape]) => shape),
    weights: list.map(([, weight]) => weight),
  }));

function offsetsOf({ vertices }: MorphTarget, values: ArrayLike<number> | null): Map<number, number[]> {
  const map = new Map<number, number[]>();
  for (let i = 0; values !== null && 3 * i < values.length; i++) {
    map.set(vertices?.[i] ?? i, [values[3 * i], values[3 * i + 1], values[3 * i + 2]]);
  }
  return map;
}

describe('morph', () => {
  it('adds the weighted offsets vertex by vertex, dense and sparse', () => {
    const property = fc.property(sample, ({ base, targets, weights }) => {
      const out = emptyVertices(base);
      morph(targets, weights, base, out);
      for (let v = 0; v < COUNT; v++) {
        const at = (values: ArrayLike<number>, stride: number): number[] =>
          [0, 1, 2].map((c) => values[stride * v + c]);
        const positions = targets.map((t) => offsetsOf(t, t.positions));
        const normals = targets.map((t) => offsetsOf(t, t.normals));
        const tangents = targets.map((t) => offsetsOf(t, t.tangents));
        expectNear(at(out.positions, 3), morphed(at(base.positions, 3), v, positions, weights), EXACT_CHAIN);
        expectNear(at(out.normals!, 3), morphed(at(base.normals!, 3), v, normals, weights), EXACT_CHAIN);
        expectNear(at(out.tangents!, 4), morphed(at(base.tangents!, 4), v, tangents, weights), EXACT_CHAIN);
        expect(out.tangents![4 * v + 3]).toBe(-1);
      }
    });
    fc.assert(property, runs);
  });

  it('is linear in the weights', () => {
    const property = fc.property(sample, ({ base, targets, weights }) => {
      const [whole, half] = [emptyVertices(base), emptyVertices(base)];
      morph(targets, weights, base, whole);
      const halved = weights.map((weight) => weight / 2);
      morph(targets, halved, base, half);
      // Again, in place on its own result.
      morph(targets, halved, half, half);
      expectNear(half.positions, whole.positions, EXACT_CHAIN);
      expectNear(half.tangents!, whole.tangents!, EXACT_CHAIN);
    });
    fc.assert(property, runs);
  });

  it('skips targets with weight 0 and targets without a weight', () => {
    const base = { positions: Float32Array.of(1, 2, 3), normals: null, tangents: null };
    const bad = { vertices: null, positions: Float32Array.of(Number.NaN, 1, 1), normals: null, tangents: null };
    const out = { positions: new Float32Array(3), normals: new Float32Array(3), tangents: null };
    morph([bad, bad], [0], base, out);
    expect([...out.positions]).toEqual([1, 2, 3]);
    expect([...out.normals]).toEqual([0, 0, 0]);
  });

  it('matches three.js', () => {
    const property = fc.property(sample, ({ base, targets, weights }) => {
      const dense = targets.filter(({ vertices }) => vertices === null);
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(Float32Array.from(base.positions), 3));
      geometry.morphTargetsRelative = true;
      geometry.morphAttributes['position'] = dense.map((t) => new BufferAttribute(Float32Array.from(t.positions!), 3));
      const mesh = new Mesh(geometry, new MeshBasicMaterial());
      mesh.morphTargetInfluences = weights.slice(0, dense.length);
      const out = emptyVertices(base);
      morph(dense, weights, base, out);
      const size = Math.max(1, ...out.positions.map(Math.abs));
      for (let v = 0; v < COUNT; v++) {
        const expected = mesh.getVertexPosition(v, new Vector3()).toArray();
        expectNear(out.positions.slice(3 * v, 3 * v + 3), expected, SECOND_OPINION * size);
      }
    });
    fc.assert(property, { ...runs, numRuns: lawRuns(60) });
  });
});

describe('validateMorphTargets', () => {
  const none = { positions: null, normals: null, tangents: null };

  it('accepts valid dense and sparse targets', () => {
    const dense = { ...none, vertices: null, positions: new Float32Array(6) };
    const sparse = { ...none, vertices: Int32Array.of(1), normals: new Float32Array(3) };
    expect(validateMorphTargets([dense, sparse, { ...none, vertices: null }], 2).valid).toBe(true);
  });

  it('reports wrong sizes and vertices out of range', () => {
    const targets = [
      { ...none, vertices: null, positions: new Float32Array(3) },
      { ...none, vertices: Int32Array.of(1, 0), tangents: new Float32Array(3) },
      { ...none, vertices: Int32Array.of(0, 2) },
      { ...none, vertices: Int32Array.of(-1) },
    ];
    expect(validateMorphTargets(targets, 2).reasons).toEqual([
      'target 0 has 3 numbers of positions for 2 vertices, expected 6',
      'target 1 has 3 numbers of tangents for 2 of them, expected 6',
      'target 2 moves vertex 2, expected one of 0…1',
      'target 3 moves vertex -1, expected one of 0…1',
    ]);
  });
});

describe('normalizeDirections', () => {
  it('scales directions to length 1 and keeps zero directions', () => {
    const out = new Float64Array(8);
    normalizeDirections(out, Float64Array.of(0, 3, 4, -1, 0, 0, 0, 1), 4);
    expect([...out]).toEqual([0, 0.6000000000000001, 0.8, -1, 0, 0, 0, 1]);
    const normals = Float32Array.of(2, 0, 0);
    normalizeDirections(normals, normals);
    expect([...normals]).toEqual([1, 0, 0]);
  });
});
