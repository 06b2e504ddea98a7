import { describe, expect, it } from 'vitest';
import type { MeshPrimitive } from '../../../../../src/core/asset/geometry.ts';
import { definePrim, makeLayer } from '../../../../../src/formats/usd/author/author-prims.ts';
import { serializeUsda } from '../../../../../src/formats/usd/text/serialize-usda.ts';
import { writeMesh } from '../../../../../src/formats/usd/write/meshes/write-mesh.ts';
import { triangle } from '../small-geometry.ts';

function text(more: Partial<MeshPrimitive>, material: string | null = null, doubleSided = false): string {
  const layer = makeLayer({});
  definePrim(layer, '/M', 'Mesh');
  writeMesh(layer, '/M', triangle(null, more), { triangles: Uint32Array.of(0, 1, 2), material, doubleSided });
  return serializeUsda(layer);
}

describe('writeMesh', () => {
  it('writes points, faces and extent, without subdivision', () => {
    const usda = text({});
    expect(usda).toContain('float3[] extent = [(0, 0, 0), (1, 1, 0)]');
    expect(usda).toContain('int[] faceVertexCounts = [3]');
    expect(usda).toContain('int[] faceVertexIndices = [0, 1, 2]');
    expect(usda).toContain('point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]');
    expect(usda).toContain('uniform token subdivisionScheme = "none"');
    expect(usda).not.toMatch(/doubleSided|material|normals|displayColor/);
  });

  it('writes UVs with v up, normals and colors per vertex', () => {
    const usda = text({
      normals: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1),
      uvs: [Float32Array.of(0, 0, 1, 0, 0, 0.75), new Float32Array(6)],
      colors: [Float32Array.of(1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0.5)],
    });
    expect(usda).toMatch(/normal3f\[\] normals = \[\(0, 0, 1\), [^\]]*\] \(\s*interpolation = "vertex"/);
    expect(usda).toMatch(
      /texCoord2f\[\] primvars:st = \[\(0, 1\), \(1, 1\), \(0, 0.25\)\] \(\s*interpolation = "vertex"/,
    );
    expect(usda).toContain('texCoord2f[] primvars:st1 = ');
    expect(usda).toContain('color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]');
    expect(usda).toContain('float[] primvars:displayOpacity = [1, 1, 0.5]');
  });

  it('writes the material binding and doubleSided', () => {
    const usda = text({}, '/Look', true);
    expect(usda).toContain('rel material:binding = </Look>');
    expect(usda).toContain('uniform bool doubleSided = ');
  });

  it('throws if an attribute does not match the vertex count', () => {
    const message = 'A primitive has 4 numbers of UVs for 3 vertices; expected 6.';
    expect(() => text({ uvs: [new Float32Array(4)] })).toThrow(message);
  });
});
