import { describe, expect, it } from 'vitest';
import type { MeshPrimitive } from '../../../../../src/core/asset/geometry.ts';
import { read } from '../mesh-scene.ts';

function primitiveOf(type: string, attributes = ''): MeshPrimitive {
  return read(`def ${type} "G" {\n${attributes}\n}`).geometry.meshes[0].primitives[0];
}

function corner({ positions }: MeshPrimitive, vertex: number): number[] {
  return [...positions.slice(3 * vertex, 3 * vertex + 3)];
}

/** Measures the enclosed volume, positive if the outside is in front, and the smallest cosine between a triangle and its normals. */
function measure(primitive: MeshPrimitive): { volume: number; cosine: number } {
  const { indices, normals } = primitive;
  let volume = 0;
  let cosine = 1;
  for (let t = 0; t < (indices?.length ?? 0); t += 3) {
    const vertices = Array.from(indices?.slice(t, t + 3) ?? []);
    const [a, b, c] = vertices.map((vertex) => corner(primitive, vertex));
    const u = b.map((x, i) => x - a[i]);
    const v = c.map((x, i) => x - a[i]);
    const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...cross);
    volume += a.reduce((sum, x, i) => sum + x * cross[i], 0) / 6;
    for (const vertex of vertices) {
      const along = cross.reduce((sum, x, i) => sum + x * (normals?.[3 * vertex + i] ?? 0), 0) / length;
      cosine = Math.min(cosine, along);
    }
  }
  return { volume, cosine };
}

/** Ratio of the areas of a regular polygon with 32 sides and its circumscribed circle. */
const ROUND = (32 * Math.sin(Math.PI / 16)) / (2 * Math.PI);

describe('tessellateGprim', () => {
  it.each([
    ['Cube', '', 8],
    ['Cube', 'double size = 3', 27],
    ['Cylinder', '', 2 * Math.PI * ROUND],
    ['Cylinder_1', 'double radiusTop = 2\ndouble height = 3', ((Math.PI * 3) / 3) * (1 + 2 + 4) * ROUND],
    ['Cone', '', ((Math.PI * 2) / 3) * ROUND],
    ['Cone', 'token axis = "X"\ndouble height = 1', (Math.PI / 3) * ROUND],
  ])('%s (%s): has the exact volume, with the outside in front', (type, attributes, expected) => {
    const { volume, cosine } = measure(primitiveOf(type, attributes));
    expect(volume).toBeCloseTo(expected, 4);
    expect(cosine).toBeGreaterThan(0.98);
  });

  it.each([
    ['Sphere', '', (4 / 3) * Math.PI],
    ['Sphere', 'double radius = 2', (32 / 3) * Math.PI],
    ['Capsule', '', (Math.PI / 6 + Math.PI / 4) * 1],
    ['Capsule_1', 'token axis = "Y"', (Math.PI / 6 + Math.PI / 4) * 1],
  ])('%s (%s): has nearly the exact volume', (type, attributes, expected) => {
    const { volume, cosine } = measure(primitiveOf(type, attributes));
    expect(volume / expected).toBeGreaterThan(0.97);
    expect(volume / expected).toBeLessThan(1);
    expect(cosine).toBeGreaterThan(0.98);
  });

  it.each([
    ['X', [1, 0, 0]],
    ['Y', [0, 1, 0]],
    ['Z', [0, 0, 1]],
  ])('a cone along %s: has its tip on this axis', (axis, [x, y, z]) => {
    const primitive = primitiveOf('Cone', `uniform token axis = "${axis}"`);
    const tips = Array.from({ length: primitive.vertexCount }, (_, vertex) => corner(primitive, vertex));
    const heights = tips.map((p) => p[0] * x + p[1] * y + p[2] * z);
    const top = tips[heights.indexOf(Math.max(...heights))];
    expect(top.map((value) => Math.round(value * 1e6) / 1e6 + 0)).toEqual([x, y, z]);
  });

  it.each([
    ['X', [0, 2, 1]],
    ['Y', [1, 0, 2]],
    ['Z', [1, 2, 0]],
  ])('a plane across %s: has the width and length of UsdGeomPlane', (axis, size) => {
    const primitive = primitiveOf('Plane', `uniform token axis = "${axis}"\ndouble width = 2\ndouble length = 4`);
    const most = [0, 1, 2].map((c) => Math.max(...[...primitive.positions].filter((_, i) => i % 3 === c)));
    expect(most).toEqual(size);
    const normal = [...(primitive.normals ?? [])].slice(0, 3);
    expect(normal).toEqual(['X', 'Y', 'Z'].map((one) => (one === axis ? 1 : 0)));
    expect(measure(primitive).cosine).toBe(1);
  });

  it('uses the fallback for non-finite sizes', () => {
    expect(measure(primitiveOf('Cube', 'double size = nan')).volume).toBeCloseTo(8, 6);
  });
});
