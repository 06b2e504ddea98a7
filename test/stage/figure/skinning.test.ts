import {
  BufferAttribute,
  BufferGeometry,
  Mesh,
  type MeshDepthMaterial,
  MeshStandardMaterial,
  ShaderLib,
  SkinnedMesh,
} from 'three';
import { describe, expect, it } from 'vitest';
import { prepareSkinning } from '../../../src/stage/figure/skinning.ts';

function skinned(bones: readonly number[], weights: readonly number[], alphaTest = 0): SkinnedMesh {
  const geometry = new BufferGeometry();
  geometry.setAttribute('skinIndex', new BufferAttribute(Uint8Array.from(bones), 4));
  geometry.setAttribute('skinWeight', new BufferAttribute(Float32Array.from(weights), 4));
  return new SkinnedMesh(geometry, new MeshStandardMaterial({ alphaTest }));
}

describe('prepareSkinning', () => {
  it('moves bones with a weight before those without, in their order', () => {
    const mesh = skinned([7, 3, 9, 5, 1, 2, 3, 4], [0, 0.25, 0, 0.75, 0.5, 0.5, 0, 0]);
    prepareSkinning([mesh]);
    expect([...mesh.geometry.attributes['skinIndex'].array]).toEqual([3, 5, 9, 5, 1, 2, 3, 4]);
    expect([...mesh.geometry.attributes['skinWeight'].array]).toEqual([0.25, 0.75, 0, 0, 0.5, 0.5, 0, 0]);
  });

  it('replaces every chunk of skinning that three.js has in the shaders of surfaces and shadows', () => {
    const mesh = skinned([0, 0, 0, 0], [1, 0, 0, 0]);
    prepareSkinning([mesh]);
    const drawn = [mesh.material as MeshStandardMaterial, mesh.customDepthMaterial as MeshDepthMaterial];
    for (const [material, { vertexShader }] of [
      [drawn[0], ShaderLib.standard],
      [drawn[0], ShaderLib.toon],
      [drawn[1], ShaderLib.depth],
    ] as const) {
      const shader = { vertexShader };
      material.onBeforeCompile(shader as never, null as never);
      expect(shader.vertexShader).not.toMatch(/#include <skin(?:base|ning|normal)_vertex>/);
      expect(shader.vertexShader).toContain('skinWeight[ influence ]');
    }
  });

  it('leaves shadows of surfaces that a texture cuts out, and meshes without a skin, to three.js', () => {
    const [cut, plain] = [skinned([0, 0, 0, 0], [1, 0, 0, 0], 0.5), new Mesh(new BufferGeometry())];
    prepareSkinning([cut, plain]);
    expect([cut.customDepthMaterial, plain.customDepthMaterial]).toEqual([undefined, undefined]);
  });
});
