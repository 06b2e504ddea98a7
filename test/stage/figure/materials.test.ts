import { Color, type MeshStandardMaterial, MeshToonMaterial } from 'three';
import { describe, expect, it } from 'vitest';
import { loadFigure } from '../../../src/stage/figure/load-figure.ts';
import { glbOf } from '../../support/make/glb.ts';

/** Loads a triangle with a material, and returns what the stage draws it with. */
async function drawnWith(
  material: Record<string, unknown>,
  { tint, vrm0 }: { readonly tint?: string; readonly vrm0?: Record<string, unknown> } = {},
) {
  const glb = glbOf(
    {
      asset: { version: '2.0' },
      extensionsUsed: ['KHR_materials_unlit'],
      nodes: [{ mesh: 0 }],
      scenes: [{ nodes: [0] }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
      materials: [material],
      accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [2, 2, 2] }],
      bufferViews: [{ buffer: 0, byteLength: 36 }],
      buffers: [{ byteLength: 36 }],
      ...(vrm0 === undefined ? {} : { extensions: { VRM: { materialProperties: [vrm0] } } }),
    },
    new Uint8Array(36),
  );
  const { meshes } = await loadFigure({ id: 'a', glb, ...(tint === undefined ? {} : { tint }) });
  return meshes[0].material as MeshStandardMaterial;
}

const color = { pbrMetallicRoughness: { baseColorFactor: [0.5, 0.25, 1, 1] } };

describe('prepareMaterials', () => {
  it('draws MToon of VRM 1.0 as a toon material with the base color', async () => {
    const drawn = await drawnWith({ ...color, alphaMode: 'BLEND', extensions: { VRMC_materials_mtoon: {} } });
    expect(drawn).toBeInstanceOf(MeshToonMaterial);
    expect(drawn.color.toArray()).toEqual([0.5, 0.25, 1]);
    expect(drawn.transparent).toBe(true);
    expect(drawn.depthWrite).toBe(false);
  });

  it('lets transparent MToon hide what is behind it where the file says so', async () => {
    const mtoon = { VRMC_materials_mtoon: { transparentWithZWrite: true } };
    expect((await drawnWith({ alphaMode: 'BLEND', extensions: mtoon })).depthWrite).toBe(true);
    const vrm0 = { shader: 'VRM/MToon', floatProperties: { _BlendMode: 3 } };
    expect((await drawnWith({ alphaMode: 'BLEND' }, { vrm0 })).depthWrite).toBe(true);
  });

  it('draws MToon of VRM 0.x as a toon material, and no other shader', async () => {
    const unlit = { ...color, extensions: { KHR_materials_unlit: {} } };
    const drawn = await drawnWith(unlit, { vrm0: { shader: 'VRM/MToon' } });
    expect(drawn).toBeInstanceOf(MeshToonMaterial);
    expect(drawn.color.toArray()).toEqual([0.5, 0.25, 1]);
    expect((await drawnWith(color, { vrm0: { shader: 'VRM_USE_GLTFSHADER' } })).isMeshStandardMaterial).toBe(true);
  });

  it('draws metals as the file has them, since the stage has an environment', async () => {
    expect((await drawnWith({})).metalness).toBe(1);
    expect((await drawnWith({ pbrMetallicRoughness: { metallicFactor: 0.1 } })).metalness).toBe(0.1);
  });

  it('multiplies colors by the tint, once per material', async () => {
    const drawn = await drawnWith(color, { tint: '#ff0000' });
    expect(drawn.color.toArray()).toEqual([0.5, 0, 0]);
    expect(drawn.color).toBeInstanceOf(Color);
  });
});
