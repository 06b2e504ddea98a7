import { describe, expect, it } from 'vitest';
import type { MeshPrimitive } from '../../../../../src/core/asset/geometry.ts';
import { plainNumbers, read, square } from '../mesh-scene.ts';

function primitiveOf(text: string): MeshPrimitive {
  return read(text).geometry.meshes[0].primitives[0];
}

/** Computes twice the signed area of the triangles, positive when seen from +z. */
function areaOf({ positions, indices }: MeshPrimitive): number {
  let twice = 0;
  for (let t = 0; t < (indices?.length ?? 0); t += 3) {
    const [a, b, c] = Array.from(indices?.slice(t, t + 3) ?? [], (v) => [positions[3 * v], positions[3 * v + 1]]);
    twice += (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  }
  return twice;
}

describe('meshPrimitive', () => {
  it('keeps the front side of left-handed meshes', () => {
    expect(areaOf(primitiveOf(square('M')))).toBe(2);
    expect(areaOf(primitiveOf(square('M', 'uniform token orientation = "leftHanded"')))).toBe(-2);
  });

  it('triangulates concave faces', () => {
    const arrow = `def Mesh "M" {
      int[] faceVertexCounts = [5]
      int[] faceVertexIndices = [0, 1, 2, 3, 4]
      point3f[] points = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (1, 0.5, 0), (0, 2, 0)]
    }`;
    const primitive = primitiveOf(arrow);
    expect(primitive.indices).toHaveLength(9);
    expect(areaOf(primitive)).toBeCloseTo(5, 6);
  });

  it('skips holes, faces with less than three corners and degenerate triangles', () => {
    const { geometry, messages } = read(`def Mesh "M" {
      int[] faceVertexCounts = [3, 2, 4, 3]
      int[] faceVertexIndices = [0, 1, 2, 0, 1, 0, 1, 2, 2, 2, 1, 0]
      int[] holeIndices = [3]
      point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]
    }`);
    expect(geometry.meshes[0].primitives[0].indices).toHaveLength(6);
    expect(messages).toEqual([
      'USD_GEOMETRY Faces have less than three corners and were dropped (1 occurrence, at /M).',
    ]);
  });

  it('splits only points whose corners have different values', () => {
    const twoFaces = `def Mesh "M" {
      int[] faceVertexCounts = [3, 3]
      int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]
      point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
      texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 0), (0.5, 1), (0, 1)] (
        interpolation = "faceVarying"
      )
    }`;
    const { vertexCount, uvs } = primitiveOf(twoFaces);
    expect(vertexCount).toBe(5);
    expect(plainNumbers(uvs[0])).toEqual([0, 1, 1, 1, 1, 0, 0.5, 0, 0, 0]);
  });

  it('normalizes normals and replaces unusable ones by the face normal', () => {
    const normals = 'normal3f[] normals = [(0, 3, 0), (0, 0, 0), (nan, 0, 0), (0, 0, -1)]';
    const { normals: unit } = primitiveOf(square('M', normals));
    expect(plainNumbers(unit)).toEqual([0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, -1]);
    const left = primitiveOf(square('M', `${normals}\nuniform token orientation = "leftHanded"`));
    const at = [...(left.positions ?? [])].findIndex((x, i) => i % 3 === 0 && x === 1 && left.positions[i + 1] === 0);
    expect(plainNumbers((left.normals ?? new Float32Array()).slice(at, at + 3))).toEqual([0, 0, -1]);
  });
});

describe('display colors of meshes', () => {
  const COLORS = 'color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.5, 0.5, 0.5)]';
  const byVertex = `${COLORS} (\ninterpolation = "vertex"\n)`;

  it('become vertex colors with a white material if they vary', () => {
    const { geometry } = read(square('M', `${byVertex}\nfloat[] primvars:displayOpacity = [0.5]`));
    const [{ colors, material }] = geometry.meshes[0].primitives;
    expect(plainNumbers(colors[0])).toEqual([1, 0, 0, 0.5, 0, 1, 0, 0.5, 0, 0, 1, 0.5, 0.5, 0.5, 0.5, 0.5]);
    expect(geometry.materials[material]).toMatchObject({ baseColor: [1, 1, 1, 1], alphaMode: 'blend', metallic: 0 });
  });

  it('become a material if they are constant, also if inherited', () => {
    const { geometry } = read(`def Xform "A" {\ncolor3f[] primvars:displayColor = [(0.5, 0, 2)]\n${square('M')} }`);
    const [{ colors, material }] = geometry.meshes[0].primitives;
    expect(colors).toEqual([]);
    expect(geometry.materials[material]).toMatchObject({ baseColor: [0.5, 0, 2, 1], alphaMode: 'opaque' });
  });

  it('are ignored with a material unless it reads them', () => {
    const materials = `def Material "Plain" {
      }
      def Material "Reader" {
        token outputs:surface.connect = </Reader/Surface.outputs:surface>
        def Shader "Surface" {
          uniform token info:id = "UsdPreviewSurface"
          color3f inputs:diffuseColor.connect = </Reader/Color.outputs:result>
          token outputs:surface
        }
        def Shader "Color" {
          uniform token info:id = "UsdPrimvarReader_float3"
          string inputs:varname = "displayColor"
          float3 outputs:result
        }
      }`;
    const colorsWith = (material: string): number => {
      const text = `${square('M', `${byVertex}\nrel material:binding = </${material}>`)}${materials}`;
      return primitiveOf(text).colors.length;
    };
    expect(colorsWith('Plain')).toBe(0);
    expect(colorsWith('Reader')).toBe(1);
  });
});

describe('UV sets of meshes', () => {
  it('are in the order of the material, with (0, 0) for missing sets', () => {
    const st = (name: string): string => `texCoord2f[] primvars:${name} = [(0.25, 0.25)]`;
    const bound = 'rel material:binding = </Mat>';
    const { geometry } = read(
      `${square('One', `${st('st')}\n${st('st1')}\n${bound}`)}${square('Two', `${st('st1')}\n${bound}`)}def Material "Mat" {\n}`,
    );
    const [one, two] = geometry.meshes.map(({ primitives }) =>
      primitives[0].uvs.map((uvs) => plainNumbers(uvs)?.slice(0, 2)),
    );
    expect(one).toEqual([
      [0.25, 0.75],
      [0.25, 0.75],
    ]);
    expect(two).toEqual([
      [0, 1],
      [0.25, 0.75],
    ]);
  });

  it('exist for the textures of the material even if the mesh has none', () => {
    const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const { geometry } = read(
      `${square('M', 'rel material:binding = </Mat>')}def Material "Mat" {
        token outputs:surface.connect = </Mat/Surface.outputs:surface>
        def Shader "Surface" {
          uniform token info:id = "UsdPreviewSurface"
          color3f inputs:diffuseColor.connect = </Mat/Image.outputs:rgb>
          token outputs:surface
        }
        def Shader "Image" {
          uniform token info:id = "UsdUVTexture"
          asset inputs:file = @image.png@
          float2 inputs:st.connect = </Mat/Uvs.outputs:result>
          float3 outputs:rgb
        }
        def Shader "Uvs" {
          uniform token info:id = "UsdPrimvarReader_float2"
          string inputs:varname = "st"
          float2 outputs:result
        }
      }`,
      () => png,
    );
    expect(geometry.materials[0].baseColorTexture).toMatchObject({ texture: 0, uvSet: 0 });
    expect(plainNumbers(geometry.meshes[0].primitives[0].uvs[0])).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
  });
});
