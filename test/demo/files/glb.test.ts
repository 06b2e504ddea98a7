import { validateBytes } from 'gltf-validator';
import { type Object3D, type SkinnedMesh, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { describe, expect, it } from 'vitest';
import type { CharacterOptions } from '../../../src/demo/characters/character.ts';
import { worldPose } from '../../../src/demo/characters/character-pose.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import * as rigs from '../../../src/demo/characters/rigs.ts';
import { encodeMotion } from '../../../src/demo/files/encode.ts';
import { characterDocument, glbBytes } from '../../../src/demo/files/glb.ts';
import { makePivot } from '../../../src/demo/motions/pivot.ts';
import { makeWalk } from '../../../src/demo/motions/walk.ts';
import { parseGltf, readGltf } from '../../../src/formats/gltf/index.ts';
import { expectNear } from '../../support/near.ts';
import { rotated, times } from '../../support/reference/plain.ts';
import { EXACT, SECOND_OPINION } from '../../support/tolerances.ts';

const RIGS = (Object.values(rigs) as CharacterOptions[]).map((rig) => [rig.name, rig] as const);

function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return bytes.slice().buffer as ArrayBuffer;
}

describe.each(RIGS)('%s as GLB', (_, rig) => {
  const body = makeCharacter(rig);
  const walk = makeWalk(body.figure);
  const bytes = glbBytes(
    characterDocument(body, { clips: [encodeMotion(body, walk), encodeMotion(body, makePivot(body.figure))] }),
  );

  it('passes the glTF validator, hints included', async () => {
    const { issues } = await validateBytes(bytes, { maxIssues: 0 });
    const found = issues.messages.filter(({ code }) => code !== 'NODE_EMPTY');
    expect(found.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([]);
  });

  it('is read back as the same skeleton with both clips', () => {
    const asset = readGltf(parseGltf(bytes));
    expect(asset.issues).toEqual([]);
    expect(asset.skeletons.length).toBe(1);
    const { skeleton, sourceNodes } = asset.skeletons[0];
    const { bind } = body.skeleton;
    expect(skeleton.parents.length).toBe(body.skeleton.parents.length);
    sourceNodes.forEach((node, k) => {
      expect(skeleton.names[k]).toBe(body.skeleton.names[node]);
      expect(skeleton.joints[k]).toBe(body.skeleton.joints[node]);
      expectNear(
        skeleton.rest.subarray(k * 10, k * 10 + 10),
        body.skeleton.rest.subarray(node * 10, node * 10 + 10),
        EXACT,
      );
    });
    expect(skeleton.bind === null).toBe(bind === null);
    if (skeleton.bind !== null && bind !== null) {
      const largest = Array.from(bind).reduce((most, value) => Math.max(most, Math.abs(value)), 1);
      sourceNodes.forEach((node, k) => {
        if (body.skeleton.joints[node] === 0) return;
        const found = skeleton.bind!.subarray(k * 16, k * 16 + 16);
        expectNear(found, bind.subarray(node * 16, node * 16 + 16), largest * SECOND_OPINION);
      });
    }
    expect(asset.clips.map(({ name }) => name)).toEqual(['walk', 'turn']);
    expect(asset.clips[0].duration).toBeCloseTo(walk.duration, 6);
  });

  it('has the same rest pose in three.js', async () => {
    const { scene } = await new GLTFLoader().parseAsync(toArrayBuffer(bytes), '');
    scene.updateMatrixWorld(true);
    const loaded: Object3D[] = [];
    scene.children[0].traverse((object) => loaded.push(object));
    const { positions } = worldPose(body, body.restPose);
    const frame = Array.from(body.frame);
    expect(loaded.length).toBe(body.skeleton.names.length);
    loaded.forEach((object, node) => {
      if (body.motionBones[node] < 0) return;
      const world = new Vector3().setFromMatrixPosition(object.matrixWorld).toArray();
      const canonical = times(rotated(frame, world), body.metersPerUnit);
      expectNear(canonical, positions.subarray(node * 3, node * 3 + 3), SECOND_OPINION);
    });
  });
});

describe('characterDocument with a posed rest', () => {
  it('is skinned by three.js in the rest pose, with the soles near the ground', async () => {
    const body = makeCharacter(rigs.BLENDER_RIG);
    const { scene } = await new GLTFLoader().parseAsync(toArrayBuffer(glbBytes(characterDocument(body))), '');
    scene.updateMatrixWorld(true);
    const mesh = scene.children[1] as SkinnedMesh;
    mesh.skeleton.update();
    const vertex = new Vector3();
    let [lowest, highest, widest] = [9, -9, 0];
    for (let k = 0; k < mesh.geometry.attributes['position'].count; k++) {
      mesh.getVertexPosition(k, vertex);
      lowest = Math.min(lowest, vertex.y);
      highest = Math.max(highest, vertex.y);
      widest = Math.max(widest, Math.abs(vertex.x));
    }
    expect(Math.abs(lowest)).toBeLessThan(0.03);
    expect(highest).toBeGreaterThan(1.9);
    expect(widest).toBeLessThan(0.5);
  });
});
