/** Morph targets of a primitive, dense or sparse. glTF 2.0 section 3.7.2.2. */
import type { MeshPrimitive, MorphTarget } from '../../../core/asset/geometry.ts';
import { type AccessorPool, ARRAY_BUFFER, poolAccessor, poolSparseAccessor, sparseSize } from '../accessor-pool.ts';
import { countMends, type Mends } from '../mends.ts';
import type { JsonObject } from '../schema.ts';
import { finiteAttribute } from './mend-attributes.ts';

const NO_VERTICES = new Uint32Array(0);
const NO_DELTAS = new Float32Array(0);

const ATTRIBUTES = [
  ['POSITION', 'positions'],
  ['NORMAL', 'normals'],
  ['TANGENT', 'tangents'],
] as const;

/**
 * `targets` of a primitive: `count` of them, all with the same attributes, as three.js and Babylon take what one lacks for something else
 * than zeros; zeros take no bytes. `base` says which attributes the primitive has: others cannot be morphed. Targets of some vertices
 * become sparse accessors where these are smaller. RangeError for deltas of another number.
 */
export function writeMorphTargets(
  pool: AccessorPool,
  { morphTargets, vertexCount }: Pick<MeshPrimitive, 'morphTargets' | 'vertexCount'>,
  base: { readonly NORMAL: boolean; readonly TANGENT: boolean },
  count: number,
  mends: Mends,
): JsonObject[] {
  const written = ATTRIBUTES.filter(([semantic, attribute]) => {
    if (semantic === 'POSITION') return true;
    const isUsed = morphTargets.some((target) => target[attribute] !== null);
    if (isUsed && !base[semantic]) countMends(mends, `morph targets of ${attribute} that the mesh lacks (left out)`);
    return isUsed && base[semantic];
  });
  // Positions that nothing changes are left to targets that would be empty without.
  const semantics = written.filter(([semantic, attribute]) => {
    return semantic !== 'POSITION' || written.length === 1 || morphTargets.some((target) => target[attribute] !== null);
  });
  return Array.from({ length: count }, (_, t) => {
    const target = morphTargets[t];
    return Object.fromEntries(
      semantics.map(([semantic, attribute]) => {
        const isPosition = semantic === 'POSITION';
        return [
          semantic,
          writeDeltas(pool, target?.vertices ?? null, target?.[attribute] ?? null, vertexCount, isPosition, mends),
        ];
      }),
    );
  });
}

/** The accessor of the deltas of one attribute; null deltas: zeros. */
function writeDeltas(
  pool: AccessorPool,
  vertices: MorphTarget['vertices'],
  deltas: Float32Array | null,
  count: number,
  minMax: boolean,
  mends: Mends,
): number {
  const type = 'VEC3';
  if (deltas === null)
    return poolSparseAccessor(pool, { type, count, elements: NO_VERTICES, values: NO_DELTAS, minMax });
  const changed = vertices?.length ?? count;
  if (deltas.length !== 3 * changed) {
    throw new RangeError(
      `A morph target has ${deltas.length} numbers for ${changed} vertices, expected ${3 * changed}`,
    );
  }
  const values = finiteAttribute(deltas, 'morph targets', mends);
  if (vertices !== null && isRising(vertices, count) && sparseSize(changed, count) < 12 * count) {
    return poolSparseAccessor(pool, { type, count, elements: vertices, values, minMax });
  }
  const dense = vertices === null ? values : spread(vertices, values, count, mends);
  return poolAccessor(pool, dense, { type, minMax }, ARRAY_BUFFER);
}

function isRising(vertices: Uint32Array, count: number): boolean {
  for (let i = 0; i < vertices.length; i++) {
    if (vertices[i] >= count || (i > 0 && vertices[i] <= vertices[i - 1])) return false;
  }
  return true;
}

/** Deltas of all vertices. */
function spread(vertices: Uint32Array, deltas: Float32Array, count: number, mends: Mends): Float32Array {
  const dense = new Float32Array(3 * count);
  let wrong = 0;
  vertices.forEach((vertex, i) => {
    if (vertex < count) dense.set(deltas.subarray(3 * i, 3 * i + 3), 3 * vertex);
    else wrong++;
  });
  countMends(mends, 'deltas of vertices that do not exist (left out)', wrong);
  return dense;
}
