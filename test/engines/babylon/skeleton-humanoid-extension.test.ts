/** Compares humanoid clips and definitions read by Babylon's glTF loader with the output of `anyrig retarget` for the same files. */
import { unregisterGLTFExtension } from '@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registerSkeletonHumanoid, retargetAnimationGroup } from '../../../src/engines/babylon/index.ts';
import type { BabylonHumanoidData } from '../../../src/engines/babylon/skeleton-humanoid-extension.ts';
import { openBytes } from '../../../src/files/open.ts';
import { concatParts, parseGltf, serializeGltf } from '../../../src/formats/gltf/index.ts';
import { demoBytes, openDemo } from '../../support/make/demo-files.ts';
import { SECOND_OPINION } from '../../support/tolerances.ts';
import { clipLibrary } from '../clip-library.ts';
import { retargetedFile } from '../glb-without-images.ts';
import { apart, loadGlb, show, shown } from './scenes.ts';

const seen: BabylonHumanoidData[] = [];
beforeEach(() => {
  seen.length = 0;
  registerSkeletonHumanoid((data) => seen.push(data));
});
afterEach(() => unregisterGLTFExtension('EXT_skeleton_humanoid'));

describe('registerSkeletonHumanoid: a file of humanoid clips', () => {
  it.each(['unreal.glb', 'blender.glb', 'odd-axes.glb'])(
    'plays on %s as retargeting through files',
    async (character) => {
      const bytes = await clipLibrary();
      await loadGlb(bytes);
      const [{ humanoidClips, humanoidIssues, humanoids }] = seen;
      expect([humanoidIssues, humanoids, humanoidClips.length]).toEqual([[], [], 3]);
      const target = await loadGlb(demoBytes(character));
      for (const [index, one] of humanoidClips.entries()) {
        const { group } = one.bindTo(target.root);
        expect([group.name, group.from]).toEqual([one.name, 0]);
        expect(group.to).toBeCloseTo(60 * one.duration, 4);
        const opened = await openBytes(bytes, { name: 'clips.glb' });
        const file = await loadGlb(await retargetedFile(opened, await openDemo(character), index));
        for (const part of [0, 0.3, 0.71, 1]) {
          show(group, part * one.duration);
          show(file.groups[0], part * one.duration);
          const { rotations, positions, compared } = apart(shown(target.root), shown(file.root), 1);
          expect(compared).toBeGreaterThan(15);
          expect(rotations).toBeLessThan(SECOND_OPINION);
          expect(positions).toBeLessThan(2 * SECOND_OPINION);
        }
      }
    },
  );
});

describe('registerSkeletonHumanoid: a file that defines humanoids', () => {
  async function define(hips: string): Promise<BabylonHumanoidData> {
    const doc = parseGltf(demoBytes('unreal.glb'));
    const nodes = doc.json['nodes'] as { name: string }[];
    const bones = Object.entries({ ...UNREAL, [hips]: 'pelvis' });
    const humanoidBones = Object.fromEntries(
      bones.map(([bone, name]) => [bone, nodes.findIndex((node) => node.name === name)]),
    );
    const rootNode = nodes.findIndex(({ name }) => name === 'root');
    doc.json['extensions'] = { EXT_skeleton_humanoid: { humanoidSkeletons: [{ rootNode, humanoidBones }] } };
    doc.json['extensionsUsed'] = ['EXT_skeleton_humanoid'];
    await loadGlb(concatParts(serializeGltf(doc).parts as Uint8Array[]));
    return seen[0];
  }

  it('gives humanoids with the declared bones, for retargeting', async () => {
    const { humanoids, humanoidIssues, root } = await define('hips');
    expect(humanoidIssues).toEqual([]);
    const [character] = humanoids;
    expect([character?.humanoid.map.from, character?.root]).toEqual(['ext', root]);
    const source = await loadGlb(demoBytes('walk.glb'));
    const { group } = retargetAnimationGroup(source.groups[0], source.root, character!);
    expect(group.targetedAnimations.length).toBeGreaterThan(10);
  });

  it('reports NOT_HUMANOID for an unusable definition', async () => {
    const { humanoids, humanoidIssues } = await define('spine');
    expect(humanoids).toEqual([null]);
    expect(humanoidIssues.map(({ code }) => code)).toEqual(['NOT_HUMANOID']);
  });
});

it('registerSkeletonHumanoid: ignores a file without the extension', async () => {
  await loadGlb(demoBytes('unreal.glb'));
  expect(seen).toEqual([]);
});

const UNREAL = {
  spine: 'spine_01',
  head: 'head',
  leftUpperArm: 'upperarm_l',
  leftLowerArm: 'lowerarm_l',
  leftHand: 'hand_l',
  rightUpperArm: 'upperarm_r',
  rightLowerArm: 'lowerarm_r',
  rightHand: 'hand_r',
  leftUpperLeg: 'thigh_l',
  leftLowerLeg: 'calf_l',
  leftFoot: 'foot_l',
  rightUpperLeg: 'thigh_r',
  rightLowerLeg: 'calf_r',
  rightFoot: 'foot_r',
};
