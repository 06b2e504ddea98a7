/** Random skins for the tests of this folder: joints, influences and vertices. */
import fc from 'fast-check';
import type { Influences } from '../../../src/core/deform/influences.ts';
import type { Vertices } from '../../../src/core/deform/vertices.ts';
import { direction, real, rotation, vector } from '../../support/arbitraries.ts';
import type { Influence, RigidJoint } from '../../support/reference/skinning.ts';

/** A skinned mesh. */
export interface Skin {
  readonly joints: readonly RigidJoint[];
  /** By vertex. */
  readonly influences: readonly (readonly Influence[])[];
  readonly points: readonly (readonly number[])[];
  readonly normals: readonly (readonly number[])[];
  /** Four numbers each. */
  readonly tangents: readonly (readonly number[])[];
}

const NO_STRETCH = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Arbitrary symmetric matrices with stretches of 0.5…2. */
function stretch(): fc.Arbitrary<readonly number[]> {
  const factor = fc.integer({ min: 50, max: 200 }).map((n) => n / 100);
  return fc.tuple(rotation(), factor, factor, factor).map(([[x, y, z, w], ...factors]) => {
    const axes = [
      [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
      [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
      [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
    ];
    const at = (row: number, column: number): number =>
      axes.reduce((sum, axis, a) => sum + factors[a] * axis[row] * axis[column], 0);
    return [0, 1, 2].flatMap((column) => [at(0, column), at(1, column), at(2, column), 0]).concat([0, 0, 0, 1]);
  });
}

export type JointKind = 'rigid' | 'uniform' | 'stretched';

function joint(kind: JointKind): fc.Arbitrary<RigidJoint> {
  const stretches = kind === 'stretched' ? stretch() : fc.constant(NO_STRETCH);
  return fc.record({ rotation: rotation(), translation: vector(), stretch: stretches });
}

/** Arbitrary influences: up to `most` different joints below `count`, with positive weights that add up to 1. */
function influencesOf(count: number, most: number): fc.Arbitrary<readonly Influence[]> {
  const list = fc.uniqueArray(fc.nat(count - 1), { minLength: 1, maxLength: Math.min(most, count) });
  const weights = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: most, maxLength: most });
  return fc.tuple(list, weights).map(([joints, heavy]) => {
    const total = joints.reduce((sum, _, i) => sum + heavy[i], 0);
    return joints.map((j, i) => [j, heavy[i] / total] as const);
  });
}

/** Arbitrary skins with up to 8 joints and up to 6 influences per vertex. `uniform`: one scale for the whole skin. */
export function skin(kind: JointKind): fc.Arbitrary<Skin> {
  const scale = fc.integer({ min: 10, max: 300 }).map((n) => n / 100);
  return fc
    .tuple(fc.array(joint(kind), { minLength: 1, maxLength: 8 }), scale, fc.integer({ min: 1, max: 6 }))
    .chain(([joints, factor, most]) => {
      const scaled = kind !== 'uniform' ? joints : joints.map((j) => ({ ...j, stretch: uniform(factor) }));
      const handedness = fc.constantFrom(-1, 1);
      const vertex = fc.record({
        influences: influencesOf(joints.length, most),
        point: vector(),
        normal: direction(),
        tangent: fc.tuple(direction(), handedness).map(([d, w]) => [...d, w]),
        /** Some vertices share the influences of the first one. */
        shares: fc.boolean(),
      });
      return fc.array(vertex, { minLength: 1, maxLength: 12 }).map((vertices) => ({
        joints: scaled,
        influences: vertices.map(({ influences, shares }) => (shares ? vertices[0].influences : influences)),
        points: vertices.map(({ point }) => point),
        normals: vertices.map(({ normal }) => normal),
        tangents: vertices.map(({ tangent }) => tangent),
      }));
    });
}

function uniform(factor: number): readonly number[] {
  return NO_STRETCH.map((x, c) => (c < 15 ? factor * x : x));
}

/** Packs influences in float64, padded with joint 0, weight 0. */
export function packInfluences(vertices: Skin['influences']): Influences {
  const jointsPerVertex = Math.max(...vertices.map((list) => list.length));
  const indices = new Uint16Array(vertices.length * jointsPerVertex);
  const weights = new Float64Array(vertices.length * jointsPerVertex);
  vertices.forEach((list, vertex) => {
    list.forEach(([joint, weight], k) => {
      indices[vertex * jointsPerVertex + k] = joint;
      weights[vertex * jointsPerVertex + k] = weight;
    });
  });
  return { kind: 'vertex', jointsPerVertex, indices, weights };
}

export function packVertices({ points, normals, tangents }: Pick<Skin, 'points' | 'normals' | 'tangents'>): Vertices {
  return {
    positions: Float64Array.from(points.flat()),
    normals: Float64Array.from(normals.flat()),
    tangents: Float64Array.from(tangents.flat()),
  };
}

/** Vertices of the same size, filled with NaN. */
export function emptyVertices(like: Vertices): Vertices {
  return {
    positions: new Float64Array(like.positions.length).fill(Number.NaN),
    normals: like.normals && new Float64Array(like.normals.length).fill(Number.NaN),
    tangents: like.tangents && new Float64Array(like.tangents.length).fill(Number.NaN),
  };
}

/** Arbitrary offsets for a morph target with `count` vertices. */
export function offsets(count: number): fc.Arbitrary<number[]> {
  return fc.array(real(), { minLength: 3 * count, maxLength: 3 * count });
}
