/**
 * Repairs vertex attributes to what glTF allows: finite values, unit-length directions, colors in 0…1. glTF 2.0 section
 * 3.7.2.1. Valid arrays are returned unchanged.
 */
import type { MeshPrimitive } from '../../../core/asset/geometry.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { type IssueTally, tallyIssue } from '../../../core/report/issue-tally.ts';

/** Tolerance for the squared length of a unit vector, slightly below the ±0.0005 of length that the glTF validator allows. */
const UNIT_SQUARE = 9e-4;
/** Vectors shorter than this have no direction. */
const MIN_LENGTH = 1e-20;

/** Replaces NaN and infinite values by 0. Returns the same array where all values are finite, else a copy. */
export function finiteAttribute(values: Float32Array, what: string, repairs: IssueTally): Float32Array {
  // Products with 0 sum to 0 unless a value is NaN or infinite.
  let zero = 0;
  for (let i = 0; i < values.length; i++) zero += values[i] * 0;
  if (zero === 0) return values;
  tallyIssue(
    repairs,
    `NaN or infinite values of ${what} (set to 0)`,
    values.filter((value) => !Number.isFinite(value)).length,
  );
  return values.map((value) => (Number.isFinite(value) ? value : 0));
}

/** Whether the vector at this offset has length 1. */
function isUnit(values: Float32Array, at: number): boolean {
  const square = values[at] * values[at] + values[at + 1] * values[at + 1] + values[at + 2] * values[at + 2];
  return Math.abs(square - 1) <= UNIT_SQUARE;
}

/** Normalizes the vector at this offset, computed in float64; false where it has no direction. */
function makeUnit(values: Float32Array, at: number): boolean {
  const direction = [values[at], values[at + 1], values[at + 2]];
  const length = Math.hypot(...direction);
  if (!(length > MIN_LENGTH && length < Number.POSITIVE_INFINITY)) return false;
  for (let c = 0; c < 3; c++) values[at + c] = direction[c] / length;
  return true;
}

/**
 * Normalizes normals. Normals without a direction get the area-weighted direction of their triangles, else +Y. `normals`: 3 floats per vertex.
 * `indices`: vertex indices; null for all vertices in order. Returns the same array where all normals are valid, else a copy.
 */
export function unitNormals(
  normals: Float32Array,
  primitive: Pick<MeshPrimitive, 'mode' | 'positions'>,
  indices: Uint32Array | null,
  repairs: IssueTally,
): Float32Array {
  let out = normals;
  const missing: number[] = [];
  let invalid = 0;
  for (let at = 0; at < normals.length; at += 3) {
    if (isUnit(normals, at)) continue;
    if (out === normals) out = normals.slice();
    if (makeUnit(out, at)) invalid++;
    else missing.push(at);
  }
  tallyIssue(repairs, 'normals of a length other than 1 (normalized)', invalid);
  tallyIssue(repairs, 'normals of length 0 (computed from the triangles)', missing.length);
  if (missing.length > 0) fillFromTriangles(out, missing, primitive, indices);
  return out;
}

/** Sets the normals at these offsets to the area-weighted sum of the normals of their triangles. */
function fillFromTriangles(
  normals: Float32Array,
  missing: readonly number[],
  { mode, positions }: Pick<MeshPrimitive, 'mode' | 'positions'>,
  indices: Uint32Array | null,
): void {
  for (const at of missing) normals.fill(0, at, at + 3);
  if (mode === 'triangles') {
    const isMissing = new Uint8Array(normals.length / 3);
    for (const at of missing) isMissing[at / 3] = 1;
    const corners = indices?.length ?? normals.length / 3;
    const edges = new Float64Array(9);
    for (let k = 0; k + 2 < corners; k += 3) {
      const [a, b, c] = indices === null ? [k, k + 1, k + 2] : [indices[k], indices[k + 1], indices[k + 2]];
      if (isMissing[a] + isMissing[b] + isMissing[c] === 0) continue;
      vec3.subtract(edges, 0, positions, 3 * b, positions, 3 * a);
      vec3.subtract(edges, 3, positions, 3 * c, positions, 3 * a);
      vec3.cross(edges, 6, edges, 0, edges, 3);
      for (const vertex of [a, b, c])
        if (isMissing[vertex] === 1) vec3.add(normals, 3 * vertex, normals, 3 * vertex, edges, 6);
    }
  }
  for (const at of missing) if (!makeUnit(normals, at)) normals.set([0, 1, 0], at);
}

/**
 * Normalizes tangents and sets their handedness to ±1. Tangents without a direction get one perpendicular to the normal. `tangents`: 4 floats per
 * vertex: xyz and handedness. `normals`: 3 floats per vertex, unit length. Returns the same array where all tangents are valid, else a copy.
 */
export function unitTangents(tangents: Float32Array, normals: Float32Array, repairs: IssueTally): Float32Array {
  let out = tangents;
  let invalid = 0;
  const across = new Float64Array(3);
  for (let at = 0; at < tangents.length; at += 4) {
    const handedness = tangents[at + 3] < 0 ? -1 : 1;
    if (isUnit(tangents, at) && tangents[at + 3] === handedness) continue;
    if (out === tangents) out = tangents.slice();
    invalid++;
    out[at + 3] = handedness;
    if (makeUnit(out, at)) continue;
    const normal = (3 * at) / 4;
    const axis = Math.abs(normals[normal]) < 0.7 ? [1, 0, 0] : [0, 1, 0];
    vec3.cross(across, 0, normals, normal, axis, 0);
    out.set(across, at);
    makeUnit(out, at);
  }
  tallyIssue(repairs, 'tangents without unit length or a handedness of ±1 (normalized)', invalid);
  return out;
}

/** Clamps colors to 0…1. Returns the same array where all values are valid, else a copy. */
export function clampedColors(colors: Float32Array, repairs: IssueTally): Float32Array {
  let invalid = 0;
  for (let i = 0; i < colors.length; i++) if (!(colors[i] >= 0 && colors[i] <= 1)) invalid++;
  if (invalid === 0) return colors;
  tallyIssue(repairs, 'color values outside of 0…1 (clamped)', invalid);
  return colors.map((value) => Math.min(1, Math.max(0, value)));
}
