/** Morph targets of re-baked meshes: their offsets turned with the vertices, and stored as small as they can be. */
import type { MorphTarget } from '../../../core/asset/geometry.ts';
import { bakeOffsets } from '../../../core/conform/bake-vertices.ts';
import { type AccessorPool, ARRAY_BUFFER, poolAccessor, poolSparseAccessor, sparseSize } from '../accessor-pool.ts';
import type { JsonObject } from '../schema.ts';
import { changedOnly, largest, STILL } from './changed-only.ts';

/** What directions were divided by, a vertex. */
export interface DirectionLengths {
  readonly normals: Float64Array;
  readonly tangents: Float64Array;
}

/** Offsets of a target; null where they stay. */
export type Offsets = Readonly<Record<'positions' | 'normals' | 'tangents', Float32Array<ArrayBuffer> | null>>;

/** Offsets of a target that change; null where none do. */
export function bakeTarget(
  { vertices, positions, normals, tangents }: MorphTarget,
  blended: Float64Array,
  turned: Float64Array,
  lengths: DirectionLengths,
): Offsets | null {
  const bake = (
    offsets: Float32Array | null,
    by: Float64Array,
    divisors: Float64Array | null,
  ): Float32Array<ArrayBuffer> | null => {
    if (offsets === null) return null;
    const values = bakeOffsets(by, offsets, vertices);
    for (let i = 0; divisors !== null && i < values.length; i++) {
      const vertex = Math.floor(i / 3);
      values[i] /= divisors[vertices === null ? vertex : vertices[vertex]] || 1;
    }
    return changedOnly(offsets, values, STILL * largest(offsets));
  };
  const baked = {
    positions: bake(positions, blended, null),
    normals: bake(normals, turned, lengths.normals),
    tangents: bake(tangents, blended, lengths.tangents),
  };
  return Object.values(baked).some((array) => array !== null) ? baked : null;
}

const TARGET_NAMES = { positions: 'POSITION', normals: 'NORMAL', tangents: 'TANGENT' } as const;

/** Offsets without those that are zero. */
interface FewOffsets {
  /** Vertices that have one, rising. */
  readonly elements: Uint32Array;
  readonly values: Float32Array;
}

function withoutZeros(values: Float32Array): FewOffsets {
  const elements = new Uint32Array(values.length / 3);
  const own = new Float32Array(values.length);
  let count = 0;
  for (let i = 0; 3 * i < values.length; i++) {
    if (values[3 * i] === 0 && values[3 * i + 1] === 0 && values[3 * i + 2] === 0) continue;
    own.set(values.subarray(3 * i, 3 * i + 3), 3 * count);
    elements[count++] = i;
  }
  return { elements: elements.slice(0, count), values: own.slice(0, 3 * count) };
}

/** Most targets move a part of the face: sparse where that is smaller. */
export function storeTarget(
  pool: AccessorPool,
  json: JsonObject,
  { vertices }: MorphTarget,
  baked: Offsets,
  vertexCount: number,
): void {
  for (const attribute of ['positions', 'normals', 'tangents'] as const) {
    const values = baked[attribute];
    if (values === null) continue;
    const minMax = attribute === 'positions';
    const few = vertices === null ? withoutZeros(values) : { elements: vertices, values };
    const isSparse = vertices !== null || sparseSize(few.elements.length, vertexCount) < 12 * vertexCount;
    json[TARGET_NAMES[attribute]] = isSparse
      ? poolSparseAccessor(pool, { type: 'VEC3', count: vertexCount, ...few, minMax })
      : poolAccessor(pool, values, { type: 'VEC3', minMax }, ARRAY_BUFFER);
  }
}
