/** Reads primvars of gprims: normals, UVs and colors (UsdGeomPrimvar). */
import type { CornerValues } from '../../../../core/asset/polygons.ts';
import { FLOAT32_MAX } from '../../../../core/math/floats.ts';
import { parentPath } from '../../layer/paths.ts';
import { TUPLE_WIDTH } from '../../layer/value.ts';
import { numbersOf, textsOf } from '../../skel/typed-values.ts';
import { hasAuthoredValue } from '../../stage/attribute-values.ts';
import { propertyMetadata } from '../../stage/composed-metadata.ts';
import { primAt, type Stage } from '../../stage/stage.ts';
import { uvSetOrder } from '../../uv-sets.ts';
import { addFinding, type Findings } from '../geometry-findings.ts';
import { restValue } from '../rest-value.ts';
import { faceCount, type UsdPolygons } from './read-polygons.ts';

/** Interpolation of a primvar: one value per prim, face, point or corner. */
export type PrimvarInterpolation = 'constant' | 'uniform' | 'vertex' | 'faceVarying';

/** A primvar, indexed by corner. */
export interface PrimvarValues extends CornerValues {
  /** How the values were authored. */
  readonly interpolation: PrimvarInterpolation;
}

/** Interpolations by decreasing likelihood, for values whose count contradicts the authored interpolation. */
const BY_LIKELIHOOD = ['vertex', 'faceVarying', 'uniform', 'constant'] as const;

function valueCount(polygons: UsdPolygons, interpolation: PrimvarInterpolation): number {
  switch (interpolation) {
    case 'constant':
      return 1;
    case 'uniform':
      return faceCount(polygons);
    case 'vertex':
      return polygons.points.length / 3;
    case 'faceVarying':
      return polygons.corners.length;
  }
}

/** Maps each corner to its value index: that of the corner, its point or its face, or 0. */
function valueIndices({ corners, starts }: UsdPolygons, interpolation: PrimvarInterpolation): Int32Array {
  switch (interpolation) {
    case 'constant':
      return new Int32Array(corners.length);
    case 'uniform': {
      const indices = new Int32Array(corners.length).fill(-1);
      for (let face = 0; face + 1 < starts.length; face++) indices.fill(face, starts[face], starts[face + 1]);
      return indices;
    }
    case 'vertex':
      return corners.slice();
    case 'faceVarying':
      return Int32Array.from(corners.keys());
  }
}

/** Reads the authored interpolation; `varying` equals `vertex` for polygons. Null if it is missing or invalid. */
function authoredInterpolation(stage: Stage, prim: string, name: string): PrimvarInterpolation | null {
  const authored = textsOf(propertyMetadata(stage, prim, name, 'interpolation'))?.[0] ?? '';
  if (authored === 'varying') return 'vertex';
  return BY_LIKELIHOOD.find((word) => word === authored) ?? null;
}

/**
 * Finds the prim that provides a primvar for a gprim: the gprim itself, or the nearest ancestor with a constant primvar (constant primvars are
 * inherited down the namespace). Returns path of the prim; null if the primvar is not authored.
 */
export function primvarHolder(stage: Stage, prim: string, name: string): string | null {
  if (hasAuthoredValue(stage, prim, name)) return prim;
  for (let at = parentPath(prim); at !== '/' && at !== ''; at = parentPath(at)) {
    if (!hasAuthoredValue(stage, at, name)) continue;
    if ((authoredInterpolation(stage, at, name) ?? 'constant') === 'constant') return at;
  }
  return null;
}

/** Where a primvar is, and what is expected of it. */
interface PrimvarSource {
  readonly prim: string;
  readonly name: string;
  readonly width: number;
  /** Interpolation where none is authored; `constant` by default. */
  readonly fallback?: PrimvarInterpolation;
}

/**
 * Reads a primvar, or another attribute with an interpolation, for the corners of a mesh. If the number of values contradicts the authored
 * interpolation, the interpolation that fits is used, with a finding; if none fits, the values are dropped. Returns the values; null without values
 * of this width.
 */
export function readPrimvar(
  stage: Stage,
  { prim, name, width, fallback = 'constant' }: PrimvarSource,
  polygons: UsdPolygons,
  findings: Findings,
): PrimvarValues | null {
  const numbers = numbersOf(restValue(stage, prim, name), width);
  if (numbers === null || numbers.length === 0) return null;
  const found = (what: string, count: number): void => addFinding(findings, 'USD_GEOMETRY', what, prim, count);
  const values = new Float32Array(numbers.length);
  let broken = 0;
  for (let i = 0; i < values.length; i++) {
    // Adding 0 converts −0 to 0: welding compares bits.
    if (Math.abs(numbers[i]) <= FLOAT32_MAX) values[i] = numbers[i] + 0;
    else broken++;
  }
  found(`Numbers of ${name} are not finite and were set to 0`, broken);
  const table = hasAuthoredValue(stage, prim, `${name}:indices`)
    ? numbersOf(restValue(stage, prim, `${name}:indices`), 1)
    : null;
  const count = table?.length ?? values.length / width;
  const expected = authoredInterpolation(stage, prim, name) ?? fallback;
  const fits = (word: PrimvarInterpolation): boolean => valueCount(polygons, word) === count;
  const interpolation = fits(expected) ? expected : BY_LIKELIHOOD.find(fits);
  if (interpolation === undefined) {
    found(
      `The number of ${name} values fits no interpolation: not constant, points, faces or face-vertices. They were dropped`,
      1,
    );
    return null;
  }
  if (interpolation !== expected) {
    found(
      `The number of ${name} values does not fit their interpolation ${expected}; they were read as ${interpolation}`,
      1,
    );
  }
  const indices = valueIndices(polygons, interpolation);
  let missing = 0;
  for (let corner = 0; corner < indices.length; corner++) {
    const key = indices[corner];
    if (key < 0) continue;
    const index = table === null ? key : table[key];
    const isValid = index >= 0 && index * width < values.length;
    indices[corner] = isValid ? index : -1;
    if (!isValid) missing++;
  }
  found(`Indices of ${name} refer to missing values; the affected face-vertices have none`, missing);
  return { width, values, indices, interpolation };
}

/** Value types of UV coordinates. Old files use plain tuples instead of `texCoord2f`. */
const UV_TYPES: ReadonlySet<string> = new Set(['float2', 'half2', 'double2']);

export function uvNames(stage: Stage, prim: string): string[] {
  const names = (primAt(stage, prim)?.properties ?? []).flatMap((property) => {
    if (!property.startsWith('primvars:') || property.endsWith(':indices')) return [];
    const value = restValue(stage, prim, property);
    const isUv = value !== null && UV_TYPES.has(value.type) && 'isArray' in value && value.isArray;
    return isUv ? [property.slice('primvars:'.length)] : [];
  });
  return uvSetOrder(names);
}

/** Reads the normals of a mesh. `primvars:normals` takes precedence over `normals`. Returns normals of any length; null without. */
export function readNormals(
  stage: Stage,
  prim: string,
  polygons: UsdPolygons,
  findings: Findings,
): PrimvarValues | null {
  const source = { prim, width: TUPLE_WIDTH.float3 };
  const own = readPrimvar(stage, { ...source, name: 'primvars:normals' }, polygons, findings);
  return own ?? readPrimvar(stage, { ...source, name: 'normals', fallback: 'vertex' }, polygons, findings);
}
