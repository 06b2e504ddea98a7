import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../../../src/core/math/vec3.ts';
import { loft, rod, type Surface } from '../../../src/demo/characters/loft.ts';

/** Volume inside a closed surface, by the divergence theorem: positive when its triangles face outwards. */
function volume({ positions, indices }: Surface): number {
  let sum = 0;
  for (let k = 0; k < indices.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((i) => Array.from(positions.subarray(indices[k + i] * 3, indices[k + i] * 3 + 3)));
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}

/** Edges that are not passed once in each direction; coinciding vertices count as one. */
function openEdges({ positions, indices }: Surface): number {
  const key = (vertex: number): string =>
    Array.from(positions.subarray(vertex * 3, vertex * 3 + 3), (v) => v.toFixed(9)).join();
  const edges = new Set<string>();
  for (let k = 0; k < indices.length; k += 3) {
    for (let i = 0; i < 3; i++) edges.add(`${key(indices[k + i])}>${key(indices[k + ((i + 1) % 3)])}`);
  }
  return [...edges].filter((edge) => !edges.has(edge.split('>').reverse().join('>'))).length;
}

const U: Vec3 = [0, 0, 1];
const V: Vec3 = [1, 0, 0];

describe('rod and loft', () => {
  const surface = loft(rod([0, 1, 0], [0, 3, 0], 0.5, 0.5, 1, 12), U, V, 48);

  it('is closed, faces outwards and has the volume of a cylinder with two half spheres', () => {
    expect(openEdges(surface)).toBe(0);
    const exact = Math.PI * 0.25 * 2 + (4 / 3) * Math.PI * 0.125;
    expect(volume(surface) / exact).toBeGreaterThan(0.985);
    expect(volume(surface) / exact).toBeLessThan(1);
  });

  it('has outward unit normals', () => {
    const { positions, normals } = surface;
    for (let o = 0; o < positions.length; o += 3) {
      const [x, y, z] = positions.subarray(o, o + 3);
      const out = [x, y - Math.min(3, Math.max(1, y)), z];
      const length = Math.hypot(...out);
      const [nx, ny, nz] = normals.subarray(o, o + 3);
      expect(Math.hypot(nx, ny, nz)).toBeCloseTo(1, 12);
      expect((nx * out[0] + ny * out[1] + nz * out[2]) / length).toBeGreaterThan(0.99);
    }
  });

  it('flattens the rod by `flat`, ends included', () => {
    const flat = loft(rod([0, 0, 0], [0, 1, 0], 0.4, 0.2, 0.25, 4), U, V, 12);
    const xs = Array.from(flat.positions).filter((_, k) => k % 3 === 0);
    const zs = Array.from(flat.positions).filter((_, k) => k % 3 === 2);
    expect(Math.max(...xs)).toBeCloseTo(0.1, 12);
    expect(Math.max(...zs)).toBeCloseTo(0.4, 12);
    expect(openEdges(flat)).toBe(0);
  });
});
