import { type DataTexture, MeshStandardMaterial } from 'three';
import { expect, it } from 'vitest';
import { floatTexture } from '../../../../src/engines/three/crowd/crowd-material.ts';
import { crowdNodeMaterial } from '../../../../src/engines/three/crowd/crowd-node-material.ts';

const texture = (): DataTexture => floatTexture(new Float32Array(16), 4, 1);

it('crowdNodeMaterial: a copy of the material moves the vertices, and the material stays as it is', () => {
  const material = new MeshStandardMaterial({ color: 0x336699 });
  const textures = { deltas: texture(), translations: texture(), placements: texture() };
  const [plain, bound] = [null, texture()].map((binds) => crowdNodeMaterial(material, { ...textures, binds }));
  expect(plain).toMatchObject({ type: material.type, positionNode: { isNode: true } });
  expect(plain.color.getHex()).toBe(0x336699);
  expect(material).not.toHaveProperty('positionNode');
  // Otherwise WebGPURenderer would draw one model with the matrices of another.
  expect(plain.customProgramCacheKey()).not.toBe(bound.customProgramCacheKey());
});
