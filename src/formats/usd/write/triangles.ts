/** Faces of primitives of all modes as triangles. */
import type { MeshPrimitive } from '../../../core/asset/geometry.ts';

/**
 * Three vertices a triangle, counter-clockwise as the mode has them (glTF 2.0 section 3.7.2.1); triangles with vertices that do not exist are left
 * out. Null for points and lines.
 */
export function trianglesOf({
  mode,
  indices,
  vertexCount,
}: Pick<MeshPrimitive, 'mode' | 'indices' | 'vertexCount'>): Uint32Array | null {
  const corners = indices ?? Uint32Array.from({ length: vertexCount }, (_, vertex) => vertex);
  const places = CORNERS[mode];
  if (places === undefined) return null;
  const count = mode === 'triangles' ? Math.floor(corners.length / 3) : Math.max(0, corners.length - 2);
  const out = new Uint32Array(3 * count);
  let end = 0;
  for (let triangle = 0; triangle < count; triangle++) {
    const [a, b, c] = places(triangle).map((place) => corners[place]);
    if (!(a < vertexCount && b < vertexCount && c < vertexCount)) continue;
    out[end++] = a;
    out[end++] = b;
    out[end++] = c;
  }
  return out.subarray(0, end);
}

/** Places of the corners of a triangle in the list of corners. */
const CORNERS: Readonly<Record<string, (triangle: number) => readonly [number, number, number]>> = {
  triangles: (t) => [3 * t, 3 * t + 1, 3 * t + 2],
  'triangle-strip': (t) => [t, t + 1 + (t % 2), t + 2 - (t % 2)],
  'triangle-fan': (t) => [t + 1, t + 2, 0],
};
