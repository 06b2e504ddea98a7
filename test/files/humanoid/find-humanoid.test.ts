import { describe, expect, it } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { MIXAMO_RIG, UNREAL_RIG } from '../../../src/demo/characters/rigs.ts';
import type { HumanoidOptions } from '../../../src/files/humanoid/describe-file-humanoid.ts';
import { chooseHumanoid, type FoundHumanoid, type HumanoidChoice } from '../../../src/files/humanoid/find-humanoid.ts';
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { OptionError } from '../../../src/files/option-error.ts';
import { concatParts, parseGltf, serializeGltf } from '../../../src/formats/gltf/index.ts';
import { demoBytes, openDemo } from '../../support/make/demo-files.ts';
import { gltfWithCharacters, PROP } from '../../support/make/two-characters.ts';

interface GltfNode {
  name?: string;
  children?: number[];
  mesh?: number;
}

async function fileOf(...trees: Parameters<typeof gltfWithCharacters>): Promise<OpenFile> {
  return openBytes(new TextEncoder().encode(gltfWithCharacters(...trees)), { name: 'crowd.gltf' });
}

function errorOf(file: OpenFile, options: HumanoidOptions): OptionError {
  let choice: HumanoidChoice | null = null;
  try {
    choice = chooseHumanoid(file, 'target', options);
  } catch (error) {
    expect(error).toBeInstanceOf(OptionError);
    return error as OptionError;
  }
  throw new Error(`${choice.skeleton} was chosen`);
}

describe('chooseHumanoid', () => {
  it('returns the only skeleton', async () => {
    const { found, reason, issues } = chooseHumanoid(await openDemo('child.vrm'), 'target', {});
    expect(found?.index).toBe(0);
    expect(reason).toBeNull();
    expect(issues.map(({ code }) => code)).not.toContain('SKELETON_CHOSEN');
  });

  it('finds hips and legs that are nodes outside of the skin', async () => {
    const doc = parseGltf(demoBytes('mixamo.glb'));
    const { nodes, skins } = doc.json as unknown as { nodes: GltfNode[]; skins: { joints: number[] }[] };
    const at = (name: string): number => nodes.findIndex((node) => node.name === `mixamorig:${name}`);
    const below = (node: number): number[] => [node, ...(nodes[node].children ?? []).flatMap(below)];
    const upper = new Set(below(at('Spine')));
    const armature = nodes.find(({ children = [] }) => children.includes(at('Hips'))) as GltfNode;
    nodes[at('Hips')].children = nodes[at('Hips')].children?.filter((node) => !upper.has(node)) ?? [];
    armature.children = [...(armature.children ?? []), at('Spine')];
    for (const node of nodes) delete node.mesh;
    for (const skin of skins) {
      skin.joints = skin.joints.filter((node) => upper.has(node));
      Reflect.deleteProperty(skin, 'inverseBindMatrices');
      Reflect.deleteProperty(skin, 'skeleton');
    }
    const file = await openBytes(concatParts(serializeGltf(doc).parts), { name: 'half.glb' });
    const { found, reason } = chooseHumanoid(file, 'source', {});
    expect(reason).toBeNull();
    const { skeleton, map } = (found as FoundHumanoid).humanoid;
    for (const [bone, name] of [
      ['hips', 'Hips'],
      ['leftUpperLeg', 'LeftUpLeg'],
      ['rightFoot', 'RightFoot'],
      ['spine', 'Spine'],
    ] as const) {
      expect(skeleton.names[map.nodes[BONE[bone]]]).toBe(`mixamorig:${name}`);
    }
    expect(skeleton.joints[map.nodes[BONE.hips]]).toBe(0);
  });

  it('returns the only humanoid of several skeletons, with an issue', async () => {
    const file = await fileOf([MIXAMO_RIG], [PROP]);
    expect(file.asset.skeletons).toHaveLength(2);
    const { found, issues } = chooseHumanoid(file, 'target', {});
    expect(found?.part.skeleton.names).toContain('mixamorig:Hips');
    expect(issues[0]).toMatchObject({ code: 'SKELETON_CHOSEN', severity: 'info' });
  });

  it('throws with a list when several skeletons are humanoid', async () => {
    const { option, message } = errorOf(await fileOf([MIXAMO_RIG, UNREAL_RIG], [PROP]), {});
    expect(option).toBe('targetSkeleton');
    expect(message).toMatch(/crowd\.gltf has 2 humanoid skeletons; choose one/);
    expect(message.match(/^ {2}\d {2}".*: humanoid$/gm)).toHaveLength(2);
    expect(message).toMatch(/^ {2}2 {2}"Lamp", 4 nodes, 0 joints: not humanoid: /m);
  });

  it('returns the skeleton selected by name or index', async () => {
    const file = await fileOf([MIXAMO_RIG, UNREAL_RIG]);
    const { name } = file.asset.skeletons[1].skeleton;
    expect(chooseHumanoid(file, 'target', { skeleton: name }).found?.index).toBe(1);
    expect(chooseHumanoid(file, 'target', { skeleton: 0 }).found?.index).toBe(0);
    expect(chooseHumanoid(file, 'target', { skeleton: '1' }).found?.index).toBe(1);
  });

  it('throws with a list for an unknown name or index', async () => {
    const file = await fileOf([MIXAMO_RIG, UNREAL_RIG]);
    for (const skeleton of ['Armatur', '2', -1, '1.5', '']) {
      const { option, message } = errorOf(file, { skeleton });
      expect(option).toBe('targetSkeleton');
      expect(message).toMatch(/choose one of:\n {2}0 {2}/);
    }
  });

  it('gives the reason for the largest skeleton when none is humanoid', async () => {
    const bench = [{ name: 'Bench', children: [1] }, { name: 'Leg' }];
    const { found, reason, skeleton } = chooseHumanoid(await fileOf([], [bench, PROP]), 'source', {});
    expect(found).toBeNull();
    expect(skeleton).toBe('Lamp');
    expect(reason).toMatch(/none of its 2 skeletons is humanoid; "Lamp": /);
  });

  it('gives a reason for a file without a skeleton', async () => {
    const { found, reason, skeleton } = chooseHumanoid(await fileOf([], [[{ name: 'Alone' }]]), 'source', {});
    expect([found, skeleton]).toEqual([null, null]);
    expect(reason).toContain('no skeleton');
  });

  it('uses the pose of another file, of any format, and knows it from that of a third one', async () => {
    const walk = await openDemo('walk.glb');
    const { outputs } = await convertFile(walk, { output: 'walk.fbx' });
    const fbx = await openBytes(concatParts(outputs[0].parts), { name: 'walk.fbx' });
    const [one, other] = [fbx, await openDemo('blender.glb')].map((file) => ({ pose: { file } }));
    const choice = chooseHumanoid(walk, 'source', one);
    expect(choice.found).not.toBe(null);
    expect(chooseHumanoid(walk, 'source', { ...one })).toBe(choice);
    expect(chooseHumanoid(walk, 'source', other)).not.toBe(choice);
  });

  it('describes a character once for all its parts in jobs, also for some of its clips', async () => {
    const file = await openDemo('walk.glb');
    const { found } = chooseHumanoid(file, 'only', {});
    expect(chooseHumanoid(file, 'source', {}, file.asset.clips.slice(0, 1)).found).toBe(found);
    expect(chooseHumanoid(file, 'target', {}).found?.humanoid).toBe(found?.humanoid);
    expect(chooseHumanoid(file, 'target', {})).toBe(chooseHumanoid(file, 'target', {}));
  });

  it('takes a frame as the pose from the clips that are wanted', async () => {
    const file = await openDemo('walk.glb');
    const pose = { frame: 2 };
    expect(chooseHumanoid(file, 'source', { pose }).found).not.toBe(null);
    expect(chooseHumanoid(file, 'source', { pose }, []).reason).toMatch(/frame/);
  });

  it('uses a user-supplied map on the skeleton that it fits', async () => {
    const file = await fileOf([MIXAMO_RIG, UNREAL_RIG]);
    const map = { hips: 'pelvis', spine: 'spine_01', leftUpperLeg: 'thigh_l', rightUpperLeg: 'thigh_r' };
    const arms = { leftUpperArm: 'upperarm_l', rightUpperArm: 'upperarm_r' };
    const { found } = chooseHumanoid(file, 'target', { map: { ...map, ...arms } });
    expect(found?.index).toBe(1);
    expect(found?.humanoid.map.from).toBe('given');
    expect(found?.humanoid.map.nodes.filter((node) => node >= 0)).toHaveLength(6);
  });

  it('throws when a user-supplied map fits no skeleton or several', async () => {
    const file = await fileOf([MIXAMO_RIG, MIXAMO_RIG]);
    expect(errorOf(file, { map: { hips: 'mixamorig:Hips' } }).message).toMatch(/fits 2 of the 2 skeletons/);
    expect(errorOf(file, { map: { hips: 'nobody' } }).message).toMatch(/fits none of the 2 skeletons/);
  });

  it('throws with the invalid entries of a user-supplied map', async () => {
    const file = await openDemo('mixamo.glb');
    const { option, message } = errorOf(file, { map: { hips: 'mixamorig:Hip', head: 9999 } });
    expect(option).toBe('targetMap');
    expect(message).toMatch(
      /does not fit mixamo\.glb; correct these entries:\n.*"hips".*did you mean "mixamorig:Hips".*\n.*"head".*9999/,
    );
  });
});
