/** Primvars of gprims: normals, uvs and colors, by corner, point, face or prim (UsdGeomPrimvar). */
import type { CornerValues } from '../../../core/asset/corner-values.ts';
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import { parentPath } from '../layer/paths.ts';
import { TUPLE_WIDTH } from '../layer/value.ts';
import { numbersOf, textsOf } from '../skel/stage-reading.ts';
import { propertyMetadata } from '../stage/metadata.ts';
import { primAt, type Stage } from '../stage/stage.ts';
import { hasAuthoredValue } from '../stage/values.ts';
import { type Findings, note } from './geometry-findings.ts';
import { faceCount, type UsdPolygons } from './read-polygons.ts';
import { restValue } from './rest-value.ts';
import { uvSetOrder } from './uv-sets.ts';

/** What values go by. */
export type Interpolation = 'constant' | 'uniform' | 'vertex' | 'faceVarying';

/** A primvar at corners. */
export interface PrimvarValues extends CornerValues {
  readonly interpolation: Interpolation;
}

/** By falling likelihood where a file does not say which it is. */
const BY_COUNT = ['vertex', 'faceVarying', 'uniform', 'constant'] as const;

/** How many values there are to be. */
function valueCount(polygons: UsdPolygons, interpolation: Interpolation): number {
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

/** The number that values go by, for every corner: of itself, of its point, of its face, or 0. */
function keysOf({ corners, starts }: UsdPolygons, interpolation: Interpolation): Int32Array {
  switch (interpolation) {
    case 'constant':
      return new Int32Array(corners.length);
    case 'uniform': {
      const keys = new Int32Array(corners.length).fill(-1);
      for (let face = 0; face + 1 < starts.length; face++) keys.fill(face, starts[face], starts[face + 1]);
      return keys;
    }
    case 'vertex':
      return corners.slice();
    case 'faceVarying':
      return Int32Array.from(corners.keys());
  }
}

/** Authored interpolation, `varying` as the `vertex` that it is for polygons; null where nothing or another word is authored. */
function authoredInterpolation(stage: Stage, prim: string, name: string): Interpolation | null {
  const said = textsOf(propertyMetadata(stage, prim, name, 'interpolation'))?.[0] ?? '';
  if (said === 'varying') return 'vertex';
  return BY_COUNT.find((word) => word === said) ?? null;
}

/** The prim that has a primvar for another: itself, else the nearest above whose constant one goes down the tree; null for none. */
export function primvarHolder(stage: Stage, prim: string, name: string): string | null {
  if (hasAuthoredValue(stage, prim, name)) return prim;
  for (let at = parentPath(prim); at !== '/' && at !== ''; at = parentPath(at)) {
    if (!hasAuthoredValue(stage, at, name)) continue;
    if ((authoredInterpolation(stage, at, name) ?? 'constant') === 'constant') return at;
  }
  return null;
}

/**
 * A primvar, or an attribute like one, for the corners of a mesh; null where it has no values of tuples of `width` numbers, and, with a finding, where their
 * number fits nothing. `fallback`: the interpolation where none is authored. Values whose number does not fit what is authored are taken for what it fits.
 * `prim` may be one above the mesh.
 */
export function readPrimvar(
  stage: Stage,
  prim: string,
  name: string,
  width: number,
  polygons: UsdPolygons,
  fallback: Interpolation,
  findings: Findings,
): PrimvarValues | null {
  const numbers = numbersOf(restValue(stage, prim, name), width);
  if (numbers === null || numbers.length === 0) return null;
  const found = (what: string, count: number): void => note(findings, 'USD_GEOMETRY', what, prim, count);
  const values = new Float32Array(numbers.length);
  let broken = 0;
  for (let i = 0; i < values.length; i++) {
    // Minus zero would count as another value.
    if (Math.abs(numbers[i]) <= FLOAT32_MAX) values[i] = numbers[i] + 0;
    else broken++;
  }
  found(`Numbers of ${name} that are not finite were set to 0`, broken);
  const table = hasAuthoredValue(stage, prim, `${name}:indices`)
    ? numbersOf(restValue(stage, prim, `${name}:indices`), 1)
    : null;
  const keyCount = table?.length ?? values.length / width;
  const said = authoredInterpolation(stage, prim, name) ?? fallback;
  const fits = (word: Interpolation): boolean => valueCount(polygons, word) === keyCount;
  const interpolation = fits(said) ? said : BY_COUNT.find(fits);
  if (interpolation === undefined) {
    found(`Values of ${name} that are as many as neither points nor corners nor faces were left out`, 1);
    return null;
  }
  if (interpolation !== said) {
    found(
      `Values of ${name} that are ${said} by their interpolation but ${interpolation} by their number were taken so`,
      1,
    );
  }
  const indices = keysOf(polygons, interpolation);
  let strays = 0;
  for (let corner = 0; corner < indices.length; corner++) {
    const key = indices[corner];
    if (key < 0) continue;
    const index = table === null ? key : table[key];
    const isThere = index >= 0 && index * width < values.length;
    indices[corner] = isThere ? index : -1;
    if (!isThere) strays++;
  }
  found(`Corners have no value of ${name} although one is due`, strays);
  return { width, values, indices, interpolation };
}

/** Types of uv coordinates: old files have plain tuples. */
const UV_TYPES: ReadonlySet<string> = new Set(['float2', 'half2', 'double2']);

/** Names of the uv primvars of a prim, without `primvars:`, in the order of the hub. */
export function uvNames(stage: Stage, prim: string): string[] {
  const names = (primAt(stage, prim)?.properties ?? []).flatMap((property) => {
    if (!property.startsWith('primvars:') || property.endsWith(':indices')) return [];
    const value = restValue(stage, prim, property);
    const isUv = value !== null && UV_TYPES.has(value.type) && 'isArray' in value && value.isArray;
    return isUv ? [property.slice('primvars:'.length)] : [];
  });
  return uvSetOrder(names);
}

/** Normals: `primvars:normals` wins over `normals`; null without. */
export function readNormals(
  stage: Stage,
  prim: string,
  polygons: UsdPolygons,
  findings: Findings,
): PrimvarValues | null {
  const own = readPrimvar(stage, prim, 'primvars:normals', TUPLE_WIDTH.float3, polygons, 'constant', findings);
  return own ?? readPrimvar(stage, prim, 'normals', TUPLE_WIDTH.float3, polygons, 'vertex', findings);
}
