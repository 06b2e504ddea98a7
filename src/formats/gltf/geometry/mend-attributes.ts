/** Vertex attributes as glTF allows them: finite, directions of length 1, colors of 0…1. 2.0 section 3.7.2.1. Arrays that are so already are given back. */
import type { MeshPrimitive } from '../../../core/asset/geometry.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { countMends, type Mends } from '../mends.ts';

/** What the square of a length may miss 1 by: a little less than the ±0.0005 of the length that the glTF validator allows. */
const UNIT_SQUARE = 9e-4;
/** Length of directions below which there is no direction. */
const NO_LENGTH = 1e-20;

/** Numbers without NaN and infinities, which become 0. */
export function finiteAttribute(values: Float32Array, what: string, mends: Mends): Float32Array {
  // A sum of products with 0 is 0, unless NaN or an infinity is among them.
  let zero = 0;
  for (let i = 0; i < values.length; i++) zero += values[i] * 0;
  if (zero === 0) return values;
  countMends(
    mends,
    `numbers of ${what} that are not finite (0)`,
    values.filter((value) => !Number.isFinite(value)).length,
  );
  return values.map((value) => (Number.isFinite(value) ? value : 0));
}

/** Whether a direction at `at` has length 1. */
function isUnit(values: Float32Array, at: number): boolean {
  const square = values[at] * values[at] + values[at + 1] * values[at + 1] + values[at + 2] * values[at + 2];
  return Math.abs(square - 1) <= UNIT_SQUARE;
}

/** Makes the direction at `at` unit, in float64 on the way; false when it has none. */
function makeUnit(values: Float32Array, at: number): boolean {
  const direction = [values[at], values[at + 1], values[at + 2]];
  const length = Math.hypot(...direction);
  if (!(length > NO_LENGTH && length < Number.POSITIVE_INFINITY)) return false;
  for (let c = 0; c < 3; c++) values[at + c] = direction[c] / length;
  return true;
}

/** Normals of length 1: those without a direction get that of the triangles around them, else +Y. */
export function unitNormals(
  normals: Float32Array,
  primitive: Pick<MeshPrimitive, 'mode' | 'positions'>,
  indices: Uint32Array | null,
  mends: Mends,
): Float32Array {
  let out = normals;
  const lost: number[] = [];
  let wrong = 0;
  for (let at = 0; at < normals.length; at += 3) {
    if (isUnit(normals, at)) continue;
    if (out === normals) out = normals.slice();
    if (makeUnit(out, at)) wrong++;
    else lost.push(at);
  }
  countMends(mends, 'normals that are not of length 1 (made so)', wrong);
  countMends(mends, 'normals without direction (taken from the triangles)', lost.length);
  if (lost.length > 0) fillFromTriangles(out, lost, primitive, indices);
  return out;
}

/** Gives the normals at `lost` the direction of the sum of their triangles, weighted by area. */
function fillFromTriangles(
  normals: Float32Array,
  lost: readonly number[],
  { mode, positions }: Pick<MeshPrimitive, 'mode' | 'positions'>,
  indices: Uint32Array | null,
): void {
  for (const at of lost) normals.fill(0, at, at + 3);
  if (mode === 'triangles') {
    const isLost = new Uint8Array(normals.length / 3);
    for (const at of lost) isLost[at / 3] = 1;
    const corners = indices?.length ?? normals.length / 3;
    const edges = new Float64Array(9);
    for (let k = 0; k + 2 < corners; k += 3) {
      const [a, b, c] = indices === null ? [k, k + 1, k + 2] : [indices[k], indices[k + 1], indices[k + 2]];
      if (isLost[a] + isLost[b] + isLost[c] === 0) continue;
      vec3.subtract(edges, 0, positions, 3 * b, positions, 3 * a);
      vec3.subtract(edges, 3, positions, 3 * c, positions, 3 * a);
      vec3.cross(edges, 6, edges, 0, edges, 3);
      for (const vertex of [a, b, c])
        if (isLost[vertex] === 1) vec3.add(normals, 3 * vertex, normals, 3 * vertex, edges, 6);
    }
  }
  for (const at of lost) if (!makeUnit(normals, at)) normals.set([0, 1, 0], at);
}

/** Tangents of length 1 with a handedness of ±1; those without a direction get any across the normal. */
export function unitTangents(tangents: Float32Array, normals: Float32Array, mends: Mends): Float32Array {
  let out = tangents;
  let wrong = 0;
  const across = new Float64Array(3);
  for (let at = 0; at < tangents.length; at += 4) {
    const handedness = tangents[at + 3] < 0 ? -1 : 1;
    if (isUnit(tangents, at) && tangents[at + 3] === handedness) continue;
    if (out === tangents) out = tangents.slice();
    wrong++;
    out[at + 3] = handedness;
    if (makeUnit(out, at)) continue;
    const normal = (3 * at) / 4;
    const axis = Math.abs(normals[normal]) < 0.7 ? [1, 0, 0] : [0, 1, 0];
    vec3.cross(across, 0, normals, normal, axis, 0);
    out.set(across, at);
    makeUnit(out, at);
  }
  countMends(mends, 'tangents that are not of length 1 with a sign (made so)', wrong);
  return out;
}

/** Colors of 0…1. */
export function clampedColors(colors: Float32Array, mends: Mends): Float32Array {
  let wrong = 0;
  for (let i = 0; i < colors.length; i++) if (!(colors[i] >= 0 && colors[i] <= 1)) wrong++;
  if (wrong === 0) return colors;
  countMends(mends, 'numbers of colors outside of 0…1 (cut off)', wrong);
  return colors.map((value) => Math.min(1, Math.max(0, value)));
}
