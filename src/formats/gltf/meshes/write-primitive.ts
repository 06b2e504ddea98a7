/** Writes a primitive: its vertices in accessors of suitable types. glTF 2.0 section 3.7.2. */
import type { MeshPrimitive } from '../../../core/asset/geometry.ts';
import { type IssueTally, tallyIssue } from '../../../core/report/issue-tally.ts';
import { type AccessorPool, ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, poolAccessor } from '../accessors/accessor-pool.ts';
import type { AccessorType } from '../accessors/element-layout.ts';
import type { JsonObject } from '../document/json-access.ts';
import { PRIMITIVE_MODES } from './read-mesh.ts';
import { clampedColors, finiteAttribute, unitNormals, unitTangents } from './repair-attributes.ts';
import type { RepairedIndices } from './repair-indices.ts';
import { storeInfluences } from './write-influences.ts';
import { writeMorphTargets } from './write-morph-targets.ts';

export interface PrimitiveUse {
  readonly drawn: RepairedIndices;
  /** Number of joints of the smallest skin that deforms it; 0: its influences are not written. */
  readonly jointCount: number;
  readonly targetCount: number;
  /** Index of its material in the file; −1 for the default. */
  readonly material: number;
  /** Number of UV sets that the textures of its material need. */
  readonly uvSets: number;
}

/**
 * Writes a primitive. Data that glTF forbids is repaired and counted. UV sets that a texture needs and the primitive lacks are zeros, which is what
 * players assume. Throws RangeError for attributes whose length does not match the vertices. `influenceSets`: number of JOINTS_n attributes.
 */
export function writePrimitive(
  pool: AccessorPool,
  primitive: MeshPrimitive,
  { drawn, jointCount, targetCount, material, uvSets }: PrimitiveUse,
  repairs: IssueTally,
): { readonly json: JsonObject; readonly influenceSets: number } {
  const { vertexCount } = primitive;
  const attributes: Record<string, number> = {};
  const store = (semantic: string, array: Float32Array, type: AccessorType): void => {
    const minMax = semantic === 'POSITION';
    attributes[semantic] = poolAccessor(pool, array, { type, minMax }, ARRAY_BUFFER);
  };
  const checked = (array: Float32Array, width: number, what: string): Float32Array => {
    if (array.length === width * vertexCount) return finiteAttribute(array, what, repairs);
    const message = `The primitive has ${array.length} values of ${what} for ${vertexCount} vertices, expected ${width * vertexCount}.`;
    throw new RangeError(message);
  };

  const positions = checked(primitive.positions, 3, 'positions');
  store('POSITION', positions, 'VEC3');
  const { normals, tangents } = directionsOf(primitive, positions, drawn, checked, repairs);
  if (normals !== null) store('NORMAL', normals, 'VEC3');
  if (tangents !== null) store('TANGENT', tangents, 'VEC4');
  primitive.uvs.forEach((uvs, set) => {
    store(`TEXCOORD_${set}`, checked(uvs, 2, 'UVs'), 'VEC2');
  });
  for (let set = primitive.uvs.length; set < uvSets; set++) {
    store(`TEXCOORD_${set}`, new Float32Array(2 * vertexCount), 'VEC2');
    tallyIssue(repairs, 'UV sets that a texture needs and the mesh lacks (set to 0)');
  }
  primitive.colors.forEach((colors, set) => {
    attributes[`COLOR_${set}`] = writeColors(pool, clampedColors(checked(colors, 4, 'colors'), repairs));
  });
  const sets =
    primitive.influences === null || jointCount === 0
      ? []
      : storeInfluences(primitive.influences, vertexCount, jointCount, repairs);
  sets.forEach(({ joints, weights }, set) => {
    attributes[`JOINTS_${set}`] = poolAccessor(pool, joints, { type: 'VEC4' }, ARRAY_BUFFER);
    attributes[`WEIGHTS_${set}`] = poolAccessor(pool, weights, { type: 'VEC4' }, ARRAY_BUFFER);
  });
  const base = { NORMAL: normals !== null, TANGENT: tangents !== null };
  const targets = writeMorphTargets(pool, primitive, base, targetCount, repairs);
  const json: JsonObject = {
    attributes,
    ...(drawn.indices === null ? {} : { indices: writeIndices(pool, drawn.indices, vertexCount) }),
    ...(material < 0 ? {} : { material }),
    ...(primitive.mode === 'triangles' ? {} : { mode: PRIMITIVE_MODES.indexOf(primitive.mode) }),
    ...(targetCount === 0 ? {} : { targets }),
  };
  return { json, influenceSets: sets.length };
}

/** Normals and tangents; tangents only where the primitive has normals. */
function directionsOf(
  primitive: MeshPrimitive,
  positions: Float32Array,
  { indices }: RepairedIndices,
  checked: (array: Float32Array, width: number, what: string) => Float32Array,
  repairs: IssueTally,
): { readonly normals: Float32Array | null; readonly tangents: Float32Array | null } {
  const { mode } = primitive;
  if (primitive.normals === null) {
    if (primitive.tangents !== null) tallyIssue(repairs, 'tangent attributes without normals (dropped)');
    return { normals: null, tangents: null };
  }
  const normals = unitNormals(checked(primitive.normals, 3, 'normals'), { mode, positions }, indices, repairs);
  if (primitive.tangents === null) return { normals, tangents: null };
  return { normals, tangents: unitTangents(checked(primitive.tangents, 4, 'tangents'), normals, repairs) };
}

/** 16-bit indices where none of them is the primitive restart value (section 3.7.2.1), else 32-bit. */
function writeIndices(pool: AccessorPool, indices: Uint32Array, vertexCount: number): number {
  const array = vertexCount <= 0xffff ? Uint16Array.from(indices) : indices;
  return poolAccessor(pool, array, { type: 'SCALAR' }, ELEMENT_ARRAY_BUFFER);
}

/** Colors as 8 or 16 bits where these represent them exactly, as for colors that were stored so before; else as float32. */
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
