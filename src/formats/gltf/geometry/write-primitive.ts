/** A primitive of a new mesh: its vertices in accessors of fitting types. glTF 2.0 section 3.7.2. */
import type { MeshPrimitive, PrimitiveMode } from '../../../core/asset/geometry.ts';
import { type AccessorPool, ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, poolAccessor, poolZeros } from '../accessor-pool.ts';
import type { AccessorType } from '../element-layout.ts';
import { countMends, type Mends } from '../mends.ts';
import type { JsonObject } from '../schema.ts';
import type { Drawn } from './drawn-indices.ts';
import { clampedColors, finiteAttribute, unitNormals, unitTangents } from './mend-attributes.ts';
import { storeInfluences } from './write-influences.ts';
import { writeMorphTargets } from './write-morph-targets.ts';

const MODES: Readonly<Record<PrimitiveMode, number>> = {
  points: 0,
  lines: 1,
  'line-loop': 2,
  'line-strip': 3,
  triangles: 4,
  'triangle-strip': 5,
  'triangle-fan': 6,
};

/** What a primitive is written for. */
export interface PrimitiveUse {
  readonly drawn: Drawn;
  /** Joints of the smallest skin that moves it; 0: its influences are left out. */
  readonly jointCount: number;
  readonly targetCount: number;
  /** Index of its material in the file; −1 for the default. */
  readonly material: number;
  /** UV sets that the textures of its material need. */
  readonly uvSets: number;
}

/** A primitive as JSON, and the sets of joints that it has. */
export interface WrittenPrimitive {
  readonly json: JsonObject;
  readonly influenceSets: number;
}

/**
 * Writes a primitive. What glTF forbids is mended and counted; UV sets that a texture needs and the primitive lacks are zeros, which is
 * what players take. RangeError for attributes of another number of vertices.
 */
export function writePrimitive(
  pool: AccessorPool,
  primitive: MeshPrimitive,
  { drawn, jointCount, targetCount, material, uvSets }: PrimitiveUse,
  mends: Mends,
): WrittenPrimitive {
  const { vertexCount } = primitive;
  const attributes: Record<string, number> = {};
  const store = (semantic: string, array: Float32Array, type: AccessorType): void => {
    const minMax = semantic === 'POSITION';
    attributes[semantic] = poolAccessor(pool, array, { type, minMax }, ARRAY_BUFFER);
  };
  const take = (array: Float32Array, width: number, what: string): Float32Array => {
    if (array.length === width * vertexCount) return finiteAttribute(array, what, mends);
    const message = `There are ${array.length} numbers of ${what} for ${vertexCount} vertices, expected ${width * vertexCount}`;
    throw new RangeError(message);
  };

  const positions = take(primitive.positions, 3, 'positions');
  store('POSITION', positions, 'VEC3');
  const { normals, tangents } = directionsOf(primitive, positions, drawn, take, mends);
  if (normals !== null) store('NORMAL', normals, 'VEC3');
  if (tangents !== null) store('TANGENT', tangents, 'VEC4');
  primitive.uvs.forEach((uvs, set) => {
    store(`TEXCOORD_${set}`, take(uvs, 2, 'UVs'), 'VEC2');
  });
  for (let set = primitive.uvs.length; set < uvSets; set++) {
    attributes[`TEXCOORD_${set}`] = poolZeros(pool, 'VEC2', vertexCount);
    countMends(mends, 'UV sets that a texture needs (zeros)');
  }
  primitive.colors.forEach((colors, set) => {
    attributes[`COLOR_${set}`] = writeColors(pool, clampedColors(take(colors, 4, 'colors'), mends));
  });
  const sets =
    primitive.influences === null || jointCount === 0
      ? []
      : storeInfluences(primitive.influences, vertexCount, jointCount, mends);
  sets.forEach(({ joints, weights }, set) => {
    attributes[`JOINTS_${set}`] = poolAccessor(pool, joints, { type: 'VEC4' }, ARRAY_BUFFER);
    attributes[`WEIGHTS_${set}`] = poolAccessor(pool, weights, { type: 'VEC4' }, ARRAY_BUFFER);
  });
  const base = { NORMAL: normals !== null, TANGENT: tangents !== null };
  const targets = writeMorphTargets(pool, primitive, base, targetCount, mends);
  const json: JsonObject = {
    attributes,
    ...(drawn.indices === null ? {} : { indices: writeIndices(pool, drawn.indices, vertexCount) }),
    ...(material < 0 ? {} : { material }),
    ...(primitive.mode === 'triangles' ? {} : { mode: MODES[primitive.mode] }),
    ...(targetCount === 0 ? {} : { targets }),
  };
  return { json, influenceSets: sets.length };
}

/** Normals, and the tangents that mean something: those of surfaces with normals. */
function directionsOf(
  primitive: MeshPrimitive,
  positions: Float32Array,
  { indices }: Drawn,
  take: (array: Float32Array, width: number, what: string) => Float32Array,
  mends: Mends,
): { readonly normals: Float32Array | null; readonly tangents: Float32Array | null } {
  const { mode } = primitive;
  if (primitive.normals === null) {
    if (primitive.tangents !== null) countMends(mends, 'lists of tangents without normals (left out)');
    return { normals: null, tangents: null };
  }
  const normals = unitNormals(take(primitive.normals, 3, 'normals'), { mode, positions }, indices, mends);
  if (primitive.tangents === null) return { normals, tangents: null };
  return { normals, tangents: unitTangents(take(primitive.tangents, 4, 'tangents'), normals, mends) };
}

/** 16 bits where no index is the one that restarts a strip (section 3.7.2.1), else 32. */
function writeIndices(pool: AccessorPool, indices: Uint32Array, vertexCount: number): number {
  const array = vertexCount <= 0xffff ? Uint16Array.from(indices) : indices;
  return poolAccessor(pool, array, { type: 'SCALAR' }, ELEMENT_ARRAY_BUFFER);
}

/** Colors as bytes or 16 bits where these hold them to the bit, as they do what was stored so before; else as float32. */
function writeColors(pool: AccessorPool, colors: Float32Array): number {
  const fits = (steps: number): boolean => {
    return colors.every((value) => Math.fround(Math.round(value * steps) / steps) === value);
  };
  const layout = { type: 'VEC4', normalized: true } as const;
  if (fits(0xff))
    return poolAccessor(
      pool,
      Uint8Array.from(colors, (c) => Math.round(c * 0xff)),
      layout,
      ARRAY_BUFFER,
    );
  if (fits(0xffff)) {
    return poolAccessor(
      pool,
      Uint16Array.from(colors, (c) => Math.round(c * 0xffff)),
      layout,
      ARRAY_BUFFER,
    );
  }
  return poolAccessor(pool, colors, { type: 'VEC4' }, ARRAY_BUFFER);
}
