import type { MeshPrimitive } from './geometry.ts';

/**
 * Lists the triangles of a primitive, with the winding of its mode (glTF 2.0 section 3.7.2.1). Triangles with missing vertices are omitted. Returns
 * three vertices per triangle; null for points and lines.
 */
export function toTriangles({
  mode,
  indices,
  vertexCount,
}: Pick<MeshPrimitive, 'mode' | 'indices' | 'vertexCount'>): Uint32Array | null {
  const cornersOf = CORNERS[mode];
  if (cornersOf === undefined) return null;
  const corners = indices ?? Uint32Array.from({ length: vertexCount }, (_, vertex) => vertex);
  const count = mode === 'triangles' ? Math.floor(corners.length / 3) : Math.max(0, corners.length - 2);
  const out = new Uint32Array(3 * count);
  const found = new Int32Array(3);
  let end = 0;
  for (let triangle = 0; triangle < count; triangle++) {
    cornersOf(found, triangle);
    const a = corners[found[0]];
    const b = corners[found[1]];
    const c = corners[found[2]];
    if (!(a < vertexCount && b < vertexCount && c < vertexCount)) continue;
    out[end++] = a;
    out[end++] = b;
    out[end++] = c;
  }
  return out.subarray(0, end);
}

/** Write the indices of a triangle's corners in the list of corners, by mode. */
const CORNERS: Readonly<Record<string, (out: Int32Array, triangle: number) => void>> = {
  triangles: (out, t) => setCorners(out, 3 * t, 3 * t + 1, 3 * t + 2),
  'triangle-strip': (out, t) => setCorners(out, t, t + 1 + (t % 2), t + 2 - (t % 2)),
  'triangle-fan': (out, t) => setCorners(out, t + 1, t + 2, 0),
};

function setCorners(out: Int32Array, a: number, b: number, c: number): void {
  out[0] = a;
  out[1] = b;
  out[2] = c;
}
