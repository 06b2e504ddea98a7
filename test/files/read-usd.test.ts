import { describe, expect, it } from 'vitest';
import { geometryOf } from '../../src/files/geometry.ts';
import { openBytes } from '../../src/files/open.ts';
import { readUsdFile, readUsdFileGeometry } from '../../src/files/read-usd.ts';
import { demoUsd, openUsdDemo } from '../make/usd-demo.ts';

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** A triangle with a picture on it. */
const SCENE = new TextEncoder().encode(`#usda 1.0
(
  metersPerUnit = 0.5
  upAxis = "Z"
)
def Mesh "M" (
  prepend apiSchemas = ["MaterialBindingAPI"]
)
{
  int[] faceVertexCounts = [3]
  int[] faceVertexIndices = [0, 1, 2]
  point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 0, 1)]
  texCoord2f[] primvars:st = [(0, 0), (1, 0), (0, 1)] (
    interpolation = "vertex"
  )
  rel material:binding = </Look>
}
def Material "Look" {
  token outputs:surface.connect = </Look/S.outputs:surface>
  def Shader "S" {
    uniform token info:id = "UsdPreviewSurface"
    color3f inputs:diffuseColor.connect = </Look/T.outputs:rgb>
    token outputs:surface
  }
  def Shader "T" {
    uniform token info:id = "UsdUVTexture"
    asset inputs:file = @skin.png@
    float3 outputs:rgb
  }
}
`);

describe('readUsdFile', () => {
  it('gives what a scene moves, and all that was read of it', async () => {
    const { asset, usd } = await readUsdFile(await demoUsd('turn.bvh', 'turn.usda'), 'turn.usda', null);
    expect(asset).toMatchObject({ format: 'usd', metersPerUnit: 0.01, up: [0, 1, 0] });
    expect(asset.clips.map(({ name }) => name)).toEqual(['turn']);
    expect([usd.kind, usd.id, usd.scene.stage === usd.stage]).toEqual(['usda', 'turn.usda', true]);
  });

  it('reads shapes without pictures, as often as they are wanted', async () => {
    const asked: string[] = [];
    const { asset, usd } = await readUsdFile(SCENE, 'a.usda', async (path) => {
      asked.push(path);
      return PNG;
    });
    expect(asset).toMatchObject({ metersPerUnit: 0.5, up: [0, 0, 1], skeletons: [], clips: [] });
    const { meshes, textures } = usd.readShape();
    expect(meshes[0].primitives[0].vertexCount).toBe(3);
    expect(textures).toEqual([]);
    expect([usd.readShape().meshes, asked]).toEqual([meshes, []]);
  });
});

describe('readUsdFileGeometry', () => {
  it('loads pictures; those that are missing are told', async () => {
    const { usd } = await readUsdFile(SCENE, 'a.usda', null);
    const found = await readUsdFileGeometry(usd, async () => PNG);
    expect(found.issues).toEqual([]);
    expect(found.geometry.textures).toHaveLength(1);
    const other = await readUsdFile(SCENE, 'a.usda', null);
    const { geometry, issues } = await readUsdFileGeometry(other.usd, null);
    expect(geometry.textures).toEqual([]);
    expect(issues.map(({ code, message }) => [code, /only the file that names it/.test(message)])).toEqual([
      ['RESOURCE_MISSING', true],
    ]);
  });

  it('is what a job shows of a file', async () => {
    const file = await openUsdDemo('mixamo.glb', 'mixamo.usdz');
    const shown = await geometryOf(file);
    expect(shown?.geometry.instances.length).toBeGreaterThan(0);
    expect(shown?.geometry.skins.length).toBeGreaterThan(0);
    expect((await openBytes(SCENE)).usd?.kind).toBe('usda');
  });
});
