/** Compares with three.js: morphed and skinned vertices of real files, in a pose of their animation. */
import { AnimationMixer, type BufferAttribute, type Object3D, type SkinnedMesh, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { pointExtents } from '../../../src/core/deform/extents.ts';
import { type InfluenceSet, joinInfluenceSets } from '../../../src/core/deform/influences.ts';
import { morph } from '../../../src/core/deform/morph.ts';
import { skinLinear } from '../../../src/core/deform/skin-linear.ts';
import { planSkin } from '../../../src/core/deform/skin-plan.ts';
import { skinningMatrices } from '../../../src/core/deform/skinning-matrices.ts';
import type { Vertices } from '../../../src/core/deform/vertices.ts';
import { bareGlb, openDocument } from '../../formats/gltf/open.ts';
import { loadInThree } from '../../formats/gltf/three-player.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { SECOND_OPINION } from '../../support/tolerances.ts';

/** The numbers of an attribute, normalized integers as 0…1. */
function numbersOf(attribute: BufferAttribute): Float32Array {
  const { count, itemSize } = attribute;
  return Float32Array.from({ length: count * itemSize }, (_, i) =>
    attribute.getComponent(Math.floor(i / itemSize), i % itemSize),
  );
}

/** Our positions of a mesh, world space. */
function skinnedHere(mesh: SkinnedMesh): Float32Array {
  const { attributes, morphAttributes } = mesh.geometry;
  const rest: Vertices = {
    positions: numbersOf(attributes['position'] as BufferAttribute),
    normals: null,
    tangents: null,
  };
  const targets = (morphAttributes['position'] ?? []).map((offsets) => ({
    vertices: null,
    positions: numbersOf(offsets as BufferAttribute),
    normals: null,
    tangents: null,
  }));
  const out = { ...rest, positions: new Float32Array(rest.positions.length) };
  morph(targets, mesh.morphTargetInfluences ?? [], rest, out);
  const set: InfluenceSet = {
    indices: numbersOf(attributes['skinIndex'] as BufferAttribute),
    weights: numbersOf(attributes['skinWeight'] as BufferAttribute),
  };
  const { bones, boneInverses } = mesh.skeleton;
  const matrices = new Float64Array(bones.length * 16);
  const worlds = Float64Array.from(bones.flatMap(({ matrixWorld }) => matrixWorld.elements));
  const inverses = Float64Array.from(boneInverses.flatMap(({ elements }) => elements));
  skinningMatrices(matrices, worlds, Array.from(bones.keys()), inverses);
  const plan = planSkin(joinInfluenceSets([set]), rest.positions.length / 3, bones.length);
  skinLinear(plan, matrices, null, out, out);
  return out.positions;
}

describe.skipIf(!HAS_ASSETS)('morph and skinLinear against three.js', () => {
  it.each([
    ['glb/CesiumMan.glb', false],
    ['glb/RobotExpressive.glb', false],
    ['glb/KayKit_Knight.glb', false],
    ['glb/pc_lumberjack.glb', false],
    ['glb/m2m_human-male.glb', false],
    ['vrm/Godette_vrm_v4.vrm', true],
  ])('vertices of %s match', async (file, hasMorphs) => {
    const { scene, animations } = await loadInThree(bareGlb(await openDocument(asset('assets', file))));
    if (animations.length > 0) {
      const mixer = new AnimationMixer(scene);
      mixer.clipAction(animations[0]).play();
      mixer.setTime(0.4 * animations[0].duration);
    }
    const meshes: SkinnedMesh[] = [];
    let morphCount = 0;
    scene.traverse((object: Object3D) => {
      if (!('isSkinnedMesh' in object)) return;
      const mesh = object as SkinnedMesh;
      meshes.push(mesh);
      mesh.morphTargetInfluences?.fill(0.3);
      morphCount += mesh.morphTargetInfluences?.length ?? 0;
    });
    scene.updateMatrixWorld(true);
    expect(morphCount > 0).toBe(hasMorphs);
    expect(meshes.length).toBeGreaterThan(0);
    const point = new Vector3();
    for (const mesh of meshes) {
      const ours = skinnedHere(mesh);
      const box = new Float64Array(6);
      pointExtents(box, 0, ours);
      const size = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
      let worst = 0;
      for (let v = 0; v < ours.length / 3; v++) {
        mesh.localToWorld(mesh.getVertexPosition(v, point));
        worst = Math.max(
          worst,
          Math.hypot(point.x - ours[3 * v], point.y - ours[3 * v + 1], point.z - ours[3 * v + 2]),
        );
      }
      expect(worst / size).toBeLessThan(SECOND_OPINION);
    }
  });
});
