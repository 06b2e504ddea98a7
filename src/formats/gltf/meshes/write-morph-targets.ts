/** Writes the morph targets of a primitive, dense or sparse: glTF 2.0 section 3.7.2.2. */
import type { MeshPrimitive, MorphTarget } from '../../../core/asset/geometry.ts';
import { type IssueTally, tallyIssue } from '../../../core/report/issue-tally.ts';
import {
  type AccessorPool,
  ARRAY_BUFFER,
  poolAccessor,
  poolSparseAccessor,
  sparseSize,
} from '../accessors/accessor-pool.ts';
import type { JsonObject } from '../document/json-access.ts';
import { finiteAttribute } from './repair-attributes.ts';

const NO_VERTICES = new Uint32Array(0);
const NO_DELTAS = new Float32Array(0);

const ATTRIBUTES = [
  ['POSITION', 'positions'],
  ['NORMAL', 'normals'],
  ['TANGENT', 'tangents'],
] as const;

/**
 * Writes the morph targets of a primitive. All targets get the same attributes, as three.js and Babylon.js do not treat a missing attribute as
 * zeros; zeros are sparse with one entry. Targets that change few vertices become sparse accessors where these are smaller. Throws RangeError for deltas whose
 * length does not match the vertices.
 */
export function writeMorphTargets(
  pool: AccessorPool,
  { morphTargets, vertexCount }: Pick<MeshPrimitive, 'morphTargets' | 'vertexCount'>,
  base: { readonly NORMAL: boolean; readonly TANGENT: boolean },
  count: number,
  repairs: IssueTally,
): JsonObject[] {
  const written = ATTRIBUTES.filter(([semantic, attribute]) => {
    if (semantic === 'POSITION') return true;
    const isUsed = morphTargets.some((target) => target[attribute] !== null);
    if (isUsed && !base[semantic])
      tallyIssue(repairs, `morph targets of ${attribute} that the mesh itself lacks (dropped)`);
    return isUsed && base[semantic];
  });
  // Unchanged positions are omitted unless the target would be empty without them.
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
          writeDeltas(pool, target?.vertices ?? null, target?.[attribute] ?? null, vertexCount, isPosition, repairs),
        ];
      }),
    );
  });
}

/** The accessor of the deltas of one attribute; null stands for zeros. */
function writeDeltas(
  pool: AccessorPool,
  vertices: MorphTarget['vertices'],
  deltas: Float32Array | null,
  count: number,
  minMax: boolean,
  repairs: IssueTally,
): number {
  const type = 'VEC3';
  if (deltas === null)
    return poolSparseAccessor(pool, { type, count, elements: NO_VERTICES, values: NO_DELTAS, minMax });
  const changed = vertices?.length ?? count;
  if (deltas.length !== 3 * changed) {
    throw new RangeError(
      `A morph target has ${deltas.length} values for ${changed} vertices, expected ${3 * changed}.`,
    );
  }
  const values = finiteAttribute(deltas, 'morph targets', repairs);
  if (vertices !== null && isAscending(vertices, count) && sparseSize(changed, count) < 12 * count) {
    return poolSparseAccessor(pool, { type, count, elements: vertices, values, minMax });
  }
  const dense = vertices === null ? values : spread(vertices, values, count, repairs);
  return poolAccessor(pool, dense, { type, minMax }, ARRAY_BUFFER);
}

function isAscending(vertices: Uint32Array, count: number): boolean {
  for (let i = 0; i < vertices.length; i++) {
    if (vertices[i] >= count || (i > 0 && vertices[i] <= vertices[i - 1])) return false;
  }
  return true;
}

/** Deltas of all vertices, 0 where unchanged. */
function spread(vertices: Uint32Array, deltas: Float32Array, count: number, repairs: IssueTally): Float32Array {
  const dense = new Float32Array(3 * count);
  let invalid = 0;
  vertices.forEach((vertex, i) => {
    if (vertex < count) dense.set(deltas.subarray(3 * i, 3 * i + 3), 3 * vertex);
    else invalid++;
  });
  tallyIssue(repairs, 'deltas of vertices that do not exist (dropped)', invalid);
  return dense;
}
