import { describe, expect, it } from 'vitest';
import type { Material } from '../../../../src/core/asset/material.ts';
import type { UsedExtensions } from '../../../../src/formats/gltf/document/extensions-used.ts';
import { neededUvSets, writeMaterial } from '../../../../src/formats/gltf/meshes/write-material.ts';
import { DEFAULT_MATERIAL } from '../../../support/make/default-material.ts';

const TEXTURES = Int32Array.of(0, -1, 1);

function written(changes: Partial<Material>) {
  const extensions: UsedExtensions = { used: new Set(), required: new Set() };
  const json = writeMaterial({ ...DEFAULT_MATERIAL, ...changes }, TEXTURES, extensions);
  return { json, used: [...extensions.used], required: [...extensions.required] };
}

function use(texture: number, uvSet = 0, transform: NonNullable<Material['normalTexture']>['transform'] = null) {
  return { texture, uvSet, transform };
}

describe('writeMaterial', () => {
  it('omits default values', () => {
    expect(written({})).toEqual({ json: {}, used: [], required: [] });
  });

  it('writes every member', () => {
    const { json } = written({
      name: 'cloth',
      baseColor: [0.5, 0.25, 0, 0.75],
      baseColorTexture: use(0),
      metallic: 0,
      roughness: 0.5,
      metallicRoughnessTexture: use(2, 1),
      normalTexture: use(0),
      normalScale: -2,
      occlusionTexture: use(2),
      occlusionStrength: 0.5,
      emissive: [0, 0.5, 1],
      emissiveTexture: use(0),
      alphaMode: 'mask',
      alphaCutoff: 0.25,
      doubleSided: true,
    });
    expect(json).toEqual({
      name: 'cloth',
      pbrMetallicRoughness: {
        baseColorFactor: [0.5, 0.25, 0, 0.75],
        baseColorTexture: { index: 0 },
        metallicFactor: 0,
        roughnessFactor: 0.5,
        metallicRoughnessTexture: { index: 1, texCoord: 1 },
      },
      normalTexture: { index: 0, scale: -2 },
      occlusionTexture: { index: 1, strength: 0.5 },
      emissiveTexture: { index: 0 },
      emissiveFactor: [0, 0.5, 1],
      alphaMode: 'MASK',
      alphaCutoff: 0.25,
      doubleSided: true,
    });
  });

  it('writes alphaCutoff only for MASK', () => {
    expect(written({ alphaMode: 'blend', alphaCutoff: 0.1 }).json).toEqual({ alphaMode: 'BLEND' });
    expect(written({ alphaMode: 'mask' }).json).toEqual({ alphaMode: 'MASK' });
  });

  it('omits textures that were not written', () => {
    expect(written({ baseColorTexture: use(1), normalTexture: use(7), normalScale: 2 }).json).toEqual({});
  });

  it('lists only the extensions in use', () => {
    expect(written({ unlit: true })).toMatchObject({
      json: { extensions: { KHR_materials_unlit: {} } },
      used: ['KHR_materials_unlit'],
    });
    expect(written({ emissive: [1, 4, 2] })).toMatchObject({
      json: {
        emissiveFactor: [0.25, 1, 0.5],
        extensions: { KHR_materials_emissive_strength: { emissiveStrength: 4 } },
      },
      used: ['KHR_materials_emissive_strength'],
    });
    const moved = { offset: [0.5, 0] as const, rotation: 1, scale: [1, 1] as const };
    expect(written({ emissiveTexture: use(0, 0, moved) })).toMatchObject({
      json: { emissiveTexture: { extensions: { KHR_texture_transform: { offset: [0.5, 0], rotation: 1 } } } },
      used: ['KHR_texture_transform'],
      required: [],
    });
    const still = { offset: [0, 0] as const, rotation: 0, scale: [1, 1] as const };
    expect(written({ emissiveTexture: use(0, 0, still) })).toMatchObject({
      json: { emissiveTexture: { index: 0 } },
      used: [],
    });
  });

  it('clamps values out of range', () => {
    const { json } = written({
      baseColor: [2, -1, Number.NaN, 1],
      metallic: 3,
      roughness: -1,
      emissive: [Number.NaN, -1, 0.5],
      normalTexture: use(0),
      normalScale: Number.NaN,
    });
    expect(json).toEqual({
      pbrMetallicRoughness: { baseColorFactor: [1, 0, 0, 1], roughnessFactor: 0 },
      emissiveFactor: [0, 0, 0.5],
      normalTexture: { index: 0 },
    });
  });
});

describe('neededUvSets', () => {
  it('returns the highest texCoord plus 1', () => {
    expect(neededUvSets(undefined)).toBe(0);
    expect(neededUvSets(written({}).json)).toBe(0);
    expect(neededUvSets(written({ baseColorTexture: use(0) }).json)).toBe(1);
    expect(neededUvSets(written({ normalTexture: use(0), metallicRoughnessTexture: use(2, 3) }).json)).toBe(4);
  });
});
