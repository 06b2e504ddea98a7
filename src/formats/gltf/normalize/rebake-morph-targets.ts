/** Morph targets of re-baked meshes: offsets rotate with their vertices and are stored as compactly as possible. */
import type { MorphTarget } from '../../../core/asset/geometry.ts';
import { bakeOffsets } from '../../../core/normalize/bake-vertices.ts';
import {
  type AccessorPool,
  ARRAY_BUFFER,
  poolAccessor,
  poolSparseAccessor,
  sparseSize,
} from '../accessors/accessor-pool.ts';
import type { JsonObject } from '../document/json-access.ts';
import { changedValues, MIN_CHANGE, maxMagnitude } from './changed-values.ts';

/** Lengths that the baked directions were divided by, per vertex. */
export interface DirectionLengths {
  readonly normals: Float64Array;
  readonly tangents: Float64Array;
}

/** New offsets of a target; null where an attribute does not change. */
type Offsets = Readonly<Record<'positions' | 'normals' | 'tangents', Float32Array<ArrayBuffer> | null>>;

/** Bakes the offsets of a morph target. Returns the offsets; null where none of them change. */
export function bakeTarget(
  { vertices, positions, normals, tangents }: MorphTarget,
  pointBlends: Float64Array,
  normalBlends: Float64Array,
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
    return changedValues(offsets, values, MIN_CHANGE * maxMagnitude(offsets));
  };
  const baked = {
    positions: bake(positions, pointBlends, null),
    normals: bake(normals, normalBlends, lengths.normals),
    tangents: bake(tangents, pointBlends, lengths.tangents),
  };
  return Object.values(baked).some((array) => array !== null) ? baked : null;
}

const TARGET_NAMES = { positions: 'POSITION', normals: 'NORMAL', tangents: 'TANGENT' } as const;

/** Keeps the vertices that have an offset; `elements` are their indices, ascending. */
function withoutZeros(values: Float32Array): { elements: Uint32Array; values: Float32Array } {
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

/**
 * Stores the offsets of a morph target. Most targets move a part of the face, so sparse accessors are used where they are smaller. `json`: JSON of
 * the target, edited.
 */
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
