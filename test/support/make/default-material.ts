import type { Material } from '../../../src/core/asset/material.ts';

/** The default material of glTF 2.0 (section 5.19). */
export const DEFAULT_MATERIAL: Material = {
  name: '',
  baseColor: [1, 1, 1, 1],
  baseColorTexture: null,
  metallic: 1,
  roughness: 1,
  metallicRoughnessTexture: null,
  normalTexture: null,
  normalScale: 1,
  occlusionTexture: null,
  occlusionStrength: 1,
  emissive: [0, 0, 0],
  emissiveTexture: null,
  alphaMode: 'opaque',
  alphaCutoff: 0.5,
  doubleSided: false,
  unlit: false,
};
