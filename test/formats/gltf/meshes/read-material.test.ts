import { describe, expect, it } from 'vitest';
import type { Material } from '../../../../src/core/asset/material.ts';
import { DEFAULT_MATERIAL } from '../../../support/make/default-material.ts';
import { failure, meshFile, read } from '../geometry-file.ts';

type Json = Record<string, unknown>;

/** The only material of a file with one texture. */
function material(json: Json): { material: Material; messages: readonly string[] } {
  const images = [{ uri: 'data:image/png;base64,iVBORw0KGgo=' }];
  const textures = [{}, { source: 0 }, { source: 0 }];
  const { geometry, messages } = read(meshFile({ material: 0 }, [], { materials: [json], textures, images }));
  expect(geometry.meshes[0].primitives[0].material).toBe(0);
  return { material: geometry.materials[0], messages };
}

describe('readMaterial', () => {
  it('returns the defaults of glTF for missing members', () => {
    expect(material({}).material).toEqual(DEFAULT_MATERIAL);
  });

  it('reads every member', () => {
    const texture = { texture: 0, uvSet: 0, transform: null };
    const { material: read, messages } = material({
      name: 'skin',
      pbrMetallicRoughness: {
        baseColorFactor: [0.1, 0.2, 0.3, 0.4],
        baseColorTexture: { index: 1 },
        metallicFactor: 0,
        roughnessFactor: 0.5,
        metallicRoughnessTexture: { index: 2, texCoord: 1 },
      },
      normalTexture: { index: 1, scale: 0.7 },
      occlusionTexture: { index: 1, strength: 0.8 },
      emissiveFactor: [0.5, 1, 0],
      emissiveTexture: { index: 1 },
      alphaMode: 'MASK',
      alphaCutoff: 0.25,
      doubleSided: true,
      extensions: { KHR_materials_unlit: {}, KHR_materials_emissive_strength: { emissiveStrength: 4 } },
    });
    expect(read).toEqual({
      name: 'skin',
      baseColor: [0.1, 0.2, 0.3, 0.4],
      baseColorTexture: texture,
      metallic: 0,
      roughness: 0.5,
      metallicRoughnessTexture: { texture: 1, uvSet: 1, transform: null },
      normalTexture: texture,
      normalScale: 0.7,
      occlusionTexture: texture,
      occlusionStrength: 0.8,
      emissive: [2, 4, 0],
      emissiveTexture: texture,
      alphaMode: 'mask',
      alphaCutoff: 0.25,
      doubleSided: true,
      unlit: true,
    });
    expect(messages).toEqual([]);
  });

  it('reads KHR_texture_transform', () => {
    const of = (transform: Json): Material['emissiveTexture'] =>
      material({
        emissiveTexture: { index: 1, texCoord: 1, extensions: { KHR_texture_transform: transform } },
      }).material.emissiveTexture;
    expect(of({})).toEqual({ texture: 0, uvSet: 1, transform: { offset: [0, 0], rotation: 0, scale: [1, 1] } });
    expect(of({ offset: [1, 2], rotation: 0.5, scale: [3, 4], texCoord: 0 })).toEqual({
      texture: 0,
      uvSet: 0,
      transform: { offset: [1, 2], rotation: 0.5, scale: [3, 4] },
    });
  });

  it('reports unsupported extensions', () => {
    const { messages } = material({
      extensions: { KHR_materials_clearcoat: {}, VRMC_materials_mtoon: {} },
      normalTexture: { index: 1, extensions: { X: {} } },
    });
    expect(messages).toEqual([
      '2 material extensions were dropped as unsupported: KHR_materials_clearcoat, VRMC_materials_mtoon',
      '1 texture extension was dropped as unsupported: X',
    ]);
  });

  it('drops textures without an image', () => {
    const { material: read, messages } = material({ emissiveTexture: { index: 0 } });
    expect(read.emissiveTexture).toBeNull();
    expect(messages).toEqual(['1 texture was dropped because no image data was available']);
  });

  it.each<[string, Json, string, string]>([
    ['an unknown alpha mode', { alphaMode: 'toString' }, 'GLTF_SCHEMA', '/materials/0/alphaMode'],
    [
      'a color of three',
      { pbrMetallicRoughness: { baseColorFactor: [1, 1, 1] } },
      'GLTF_SCHEMA',
      '/materials/0/pbrMetallicRoughness/baseColorFactor',
    ],
    [
      'a texture that there is not',
      { normalTexture: { index: 3 } },
      'GLTF_REFERENCE',
      '/materials/0/normalTexture/index',
    ],
    ['a texture without an index', { normalTexture: {} }, 'GLTF_SCHEMA', '/materials/0/normalTexture/index'],
  ])('are refused with %s', (_, json, code, pointer) => {
    expect(() => material(json)).toThrow(expect.objectContaining(failure(code, pointer)));
  });
});
