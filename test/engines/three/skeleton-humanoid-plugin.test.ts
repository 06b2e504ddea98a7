/** Compares humanoid clips and definitions read by GLTFLoader with the output of `anyrig retarget` for the same files. */
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, it } from 'vitest';
import { SkeletonHumanoidPlugin, type ThreeHumanoidData } from '../../../src/engines/three/index.ts';
import { openBytes } from '../../../src/files/open.ts';
import { concatParts, parseGltf, serializeGltf } from '../../../src/formats/gltf/index.ts';
import { demoBytes, openDemo } from '../../support/make/demo-files.ts';
import { glbOf } from '../../support/make/glb.ts';
import { SECOND_OPINION } from '../../support/tolerances.ts';
import { clipLibrary } from '../clip-library.ts';
import { retargetedFile, withoutImages } from '../glb-without-images.ts';
import { apart, loadBytes, loadGlb, player, shown } from './scenes.ts';

async function load(glb: Uint8Array): Promise<Awaited<ReturnType<GLTFLoader['parseAsync']>>> {
  const loader = new GLTFLoader().register((parser) => new SkeletonHumanoidPlugin(parser));
  return loader.parseAsync(new Uint8Array(glb).buffer, '');
}

async function dataOf(glb: Uint8Array): Promise<ThreeHumanoidData> {
  return (await load(glb)).userData as ThreeHumanoidData;
}

describe('SkeletonHumanoidPlugin: a file of humanoid clips', () => {
  it.each(['unreal.glb', 'blender.glb', 'child.vrm', 'chibi.vrm', 'odd-axes.glb'])(
    'plays on %s as retargeting through files',
    async (character) => {
      const bytes = await clipLibrary();
      const { humanoidClips, humanoidIssues, humanoids } = await dataOf(bytes);
      expect([humanoidIssues, humanoids]).toEqual([[], []]);
      expect(humanoidClips.length).toBe(3);
      for (const [index, one] of humanoidClips.entries()) {
        const target = await loadBytes(character, demoBytes(character));
        const { clip } = one.bindTo(target.vrm ?? target.root);
        const opened = await openBytes(bytes, { name: 'clips.glb' });
        const file = await loadGlb(await retargetedFile(opened, await openDemo(character), index), true);
        const players = [player(target.root, clip), player(file.root, file.animations[0])];
        expect(clip.name).toBe(one.name);
        for (const part of [0, 0.3, 0.71, 1]) {
          for (const { show } of players) show(part * clip.duration);
          target.vrm?.humanoid.update();
          const { rotations, positions, compared } = apart(shown(target.root), shown(file.root), 1);
          expect(compared).toBeGreaterThan(15);
          expect(rotations).toBeLessThan(SECOND_OPINION);
          expect(positions).toBeLessThan(2 * SECOND_OPINION);
        }
      }
    },
  );

  it('bindTo accepts the options of retargetAnimationClip', async () => {
    const { humanoidClips } = await dataOf(await clipLibrary());
    const { root } = await loadBytes('unreal.glb', demoBytes('unreal.glb'));
    const { clip } = humanoidClips[0].bindTo(root, { name: 'on', hipsTranslation: false, twist: false });
    expect(clip.name).toBe('on');
    expect(clip.tracks.every(({ name }) => name.endsWith('.quaternion'))).toBe(true);
  });
});

describe('SkeletonHumanoidPlugin: a file that defines humanoids', () => {
  async function defined(change: (bones: Record<string, number>) => void): Promise<ThreeHumanoidData> {
    const doc = parseGltf(demoBytes('unreal.glb'));
    const { asset } = await openBytes(demoBytes('unreal.glb'));
    const names = asset.skeletons[0].skeleton.names;
    const bones: Record<string, number> = {};
    for (const [bone, name] of Object.entries(UNREAL))
      bones[bone] = asset.skeletons[0].sourceNodes[names.indexOf(name)];
    change(bones);
    const definition = { rootNode: asset.skeletons[0].sourceNodes[0], humanoidBones: bones };
    doc.json['extensions'] = { EXT_skeleton_humanoid: { humanoidSkeletons: [definition] } };
    return dataOf(withoutImages(concatParts(serializeGltf(doc).parts as Uint8Array[])));
  }

  it('gives humanoids with the declared bones', async () => {
    const { humanoids, humanoidClips, humanoidIssues } = await defined(() => {});
    expect(humanoidClips).toEqual([]);
    expect(humanoidIssues).toEqual([]);
    const [character] = humanoids;
    expect(character?.humanoid.map.from).toBe('ext');
    expect(character?.humanoid.reference.kind).toBe('declared');
    expect(character?.objects[character.humanoid.map.nodes[0]].name).toBe('pelvis');
  });

  it('reports NOT_HUMANOID for an unusable definition', async () => {
    const { humanoids, humanoidIssues } = await defined((bones) => {
      delete bones['hips'];
    });
    expect(humanoids).toEqual([null]);
    expect(humanoidIssues.map(({ code }) => code)).toEqual(['NOT_HUMANOID']);
  });
});

it('SkeletonHumanoidPlugin: adds empty lists for a file without the extension', async () => {
  const { humanoids, humanoidClips, humanoidIssues } = await dataOf(withoutImages(demoBytes('unreal.glb')));
  expect([humanoids, humanoidClips, humanoidIssues]).toEqual([[], [], []]);
});

it('SkeletonHumanoidPlugin: skips invalid channels and loads the file', async () => {
  const doc = parseGltf(await clipLibrary());
  const json = structuredClone(doc.json) as { accessors: { count: number }[] };
  json.accessors[0].count = 1e9;
  const { humanoidClips, humanoidIssues } = await dataOf(glbOf(json as never, doc.bin ?? undefined));
  expect(humanoidClips).toEqual([]);
  expect(humanoidIssues.length).toBeGreaterThan(0);
});

const UNREAL = {
  hips: 'pelvis',
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
