import { describe, expect, it } from 'vitest';
import { openUsd, readUsdFileGeometry } from '../../../../src/files/adapters/usd/read-usd.ts';
import { geometryOf } from '../../../../src/files/geometry.ts';
import { openBytes } from '../../../../src/files/open.ts';
import { usdSourceOf } from '../../../support/make/opened.ts';
import { demoUsd, openUsdDemo } from '../../../support/make/usd-demo.ts';

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** A textured triangle. */
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

describe('openUsd', () => {
  it('returns skeletons, clips and the opened stage', async () => {
    const { asset, source } = await openUsd(await demoUsd('turn.bvh', 'turn.usda'), { name: 'turn.usda' });
    expect(asset).toMatchObject({ format: 'usd', metersPerUnit: 0.01, up: [0, 1, 0] });
    expect(asset.clips.map(({ name }) => name)).toEqual(['turn']);
    expect([source.kind, source.id, source.scene.stage === source.stage]).toEqual(['usda', 'turn.usda', true]);
  });

  it('reads vertices repeatedly, without loading images', async () => {
    const asked: string[] = [];
    const readResource = async (path: string): Promise<Uint8Array> => {
      asked.push(path);
      return PNG;
    };
    const { asset, source } = await openUsd(SCENE, { name: 'a.usda', readResource });
    expect(asset).toMatchObject({ metersPerUnit: 0.5, up: [0, 0, 1], skeletons: [], clips: [] });
    const { meshes, textures } = source.readVertices();
    expect(meshes[0].primitives[0].vertexCount).toBe(3);
    expect(textures).toEqual([]);
    expect([source.readVertices().meshes, asked]).toEqual([meshes, []]);
  });
});

describe('readUsdFileGeometry', () => {
  it('loads images, and reports missing ones', async () => {
    const { source } = await openUsd(SCENE, { name: 'a.usda' });
    const found = await readUsdFileGeometry(source, async () => PNG);
    expect(found.issues).toEqual([]);
    expect(found.geometry.textures).toHaveLength(1);
    const other = await openUsd(SCENE, { name: 'a.usda' });
    const { geometry, issues } = await readUsdFileGeometry(other.source, null);
    expect(geometry.textures).toEqual([]);
    expect(issues.map(({ code, message }) => [code, /without a way to read other files/.test(message)])).toEqual([
      ['RESOURCE_MISSING', true],
    ]);
  });

  it('is used by geometryOf', async () => {
    const file = await openUsdDemo('mixamo.glb', 'mixamo.usdz');
    const shown = await geometryOf(file);
    expect(shown?.geometry.instances.length).toBeGreaterThan(0);
    expect(shown?.geometry.skins.length).toBeGreaterThan(0);
    expect(usdSourceOf(await openBytes(SCENE)).kind).toBe('usda');
  });
});
