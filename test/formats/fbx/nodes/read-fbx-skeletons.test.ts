import { describe, expect, it } from 'vitest';
import type { FbxRecord } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { type FbxSkeleton, readSkeletons } from '../../../../src/formats/fbx/nodes/read-fbx-skeletons.ts';
import { readModels } from '../../../../src/formats/fbx/nodes/read-models.ts';
import { readFbx } from '../../../../src/formats/fbx/read-fbx.ts';
import { walkFbx } from '../../../support/make/demo-fbx.ts';
import { cluster, model, moved, sceneOf } from '../fbx-scene.ts';

type Links = readonly (readonly [number, number])[];

function skeletonsOf(objects: readonly FbxRecord[], connections: Links): FbxSkeleton[] {
  const { scene, issues } = sceneOf({ objects, connections });
  const skeletons = readSkeletons(scene, readModels(scene, issues), issues);
  expect(issues).toEqual([]);
  return skeletons;
}

/** name<parent, with a star where it is a joint. */
function shown({ skeleton: { names, parents, joints } }: FbxSkeleton): string[] {
  return names.map((name, node) => `${name}${joints[node] === 1 ? '*' : ''}<${names[parents[node]] ?? ''}`);
}

describe('readSkeletons', () => {
  it('returns the trees with a bone, from their root down', () => {
    const skeletons = skeletonsOf(
      [
        model(1, 'Armature', 'Null'),
        model(2, 'Hips', 'LimbNode'),
        model(3, 'Sun', 'Light'),
        model(4, 'Other', 'Root'),
        model(5, 'Old', 'Limb'),
        model(6, 'Empty', 'Null'),
      ],
      [
        [1, 0],
        [2, 1],
        [3, 0],
        [4, 0],
        [5, 4],
        [6, 0],
      ],
    );
    expect(skeletons.map(shown)).toEqual([
      ['Armature<', 'Hips*<Armature'],
      ['Other*<', 'Old*<Other'],
    ]);
    expect(skeletons.map(({ skeleton }) => skeleton.name)).toEqual(['Armature', 'Other']);
    expect(skeletons.map(({ sourceNodes }) => [...sourceNodes])).toEqual([
      [0, 1],
      [3, 4],
    ]);
    expect([...skeletons[1].modelIndices]).toEqual([3, 4]);
    expect(skeletons[0]).toMatchObject({ declared: null, skeleton: { bind: null } });
  });

  it('returns the pose without rotation where it is not the rest pose: pre-rotations alone', () => {
    const turned = (id: number, name: string, properties: Record<string, readonly number[]>) =>
      model(id, name, 'LimbNode', properties);
    const [skeleton] = skeletonsOf(
      [
        turned(1, 'Hips', { 'Lcl Translation': [1, 2, 3], 'Lcl Rotation': [0, 0, 90] }),
        turned(2, 'Arm', { RotationActive: [1], PreRotation: [180, 0, 0], 'Lcl Rotation': [10, 20, 30] }),
      ],
      [
        [1, 0],
        [2, 1],
      ],
    );
    expect(Array.from(skeleton.zeroPose ?? [], (value) => Math.round(1e9 * value) / 1e9 + 0)).toEqual([
      ...[1, 2, 3, 0, 0, 0, 1, 1, 1, 1],
      ...[0, 0, 0, 1, 0, 0, 0, 1, 1, 1],
    ]);
    expect(skeletonsOf([turned(1, 'Hips', {})], [[1, 0]])[0]).not.toHaveProperty('zeroPose');
  });

  it('marks the nodes of skin clusters as joints, whatever their type is', () => {
    const objects = [model(1, 'Bone', 'Null'), model(2, 'Free', 'Null'), cluster(10, moved(1, 2, 3))];
    const [skeleton, ...others] = skeletonsOf(objects, [
      [1, 0],
      [2, 0],
      [1, 10],
    ]);
    expect(shown(skeleton)).toEqual(['Bone*<']);
    expect([...(skeleton.skeleton.bind ?? [])]).toEqual(moved(1, 2, 3));
    expect(others).toEqual([]);
  });

  it('omits meshes, cameras, lights and effectors, except ancestors of a bone', () => {
    const [skeleton] = skeletonsOf(
      [
        model(1, 'Root', 'Null'),
        model(2, 'Body', 'Mesh'),
        model(3, 'Hips', 'LimbNode'),
        model(4, 'Camera', 'Camera'),
        model(5, 'HipsEffector', 'IKEffector'),
        model(6, 'Stand', 'Mesh'),
        model(7, 'Bone', 'LimbNode'),
        model(8, 'Hat', 'Mesh'),
        model(9, 'Handle', 'Null'),
        model(10, 'FK', 'FKEffector'),
      ],
      [
        [1, 0],
        [2, 1],
        [3, 1],
        [4, 3],
        [5, 3],
        [6, 3],
        [7, 6],
        [8, 7],
        [9, 8],
        [10, 5],
      ],
    );
    expect(shown(skeleton)).toEqual(['Root<', 'Hips*<Root', 'Stand<Hips', 'Bone*<Stand', 'Hat<Bone', 'Handle<Hat']);
  });

  it('returns all trees of more than one Model for a file without bones', () => {
    const skeletons = skeletonsOf(
      [model(1, 'Torso', 'Mesh'), model(2, 'Arm', 'Mesh'), model(3, 'Alone', 'Mesh')],
      [
        [1, 0],
        [2, 1],
        [3, 0],
      ],
    );
    expect(skeletons.map(shown)).toEqual([['Torso<', 'Arm<Torso']]);
    expect(skeletonsOf([], [])).toEqual([]);
  });

  it('returns the bind pose of the own nodes only', () => {
    const at = { 'Lcl Translation': [1, 0, 0] };
    const skeletons = skeletonsOf(
      [model(1, 'a', 'LimbNode', at), model(2, 'b', 'LimbNode', at), cluster(10, moved(7, 0, 0))],
      [
        [1, 0],
        [2, 0],
        [2, 10],
      ],
    );
    expect(skeletons.map(({ skeleton }) => skeleton.bind?.[12] ?? null)).toEqual([null, 7]);
    expect(skeletons.map(({ skeleton }) => [...skeleton.rest.slice(0, 3)])).toEqual([
      [1, 0, 0],
      [1, 0, 0],
    ]);
  });

  it('names a skeleton whose root has no name', () => {
    expect(skeletonsOf([model(1, '', 'LimbNode')], [[1, 0]])[0].skeleton.name).toBe('skeleton');
  });

  describe('with several people below one node', () => {
    const group = ([at, ...others]: readonly number[]) =>
      readFbx(
        walkFbx('binary', {
          fps: 5,
          group: [at, ...others].map((x, k) => ({ rename: (name) => `${name}_${k}`, at: [x, 0, 0] as const })),
        }),
      );

    it('returns a skeleton for each, with its own clip and the node above', () => {
      const { skeletons, clips } = group([0, 100, -100]);
      expect(skeletons.map(({ skeleton }) => [skeleton.name, ...skeleton.names.slice(0, 2)])).toEqual([
        ['mixamorig:Hips_0', 'Group', 'mixamorig:Hips_0'],
        ['mixamorig:Hips_1', 'Group', 'mixamorig:Hips_1'],
        ['mixamorig:Hips_2', 'Group', 'mixamorig:Hips_2'],
      ]);
      expect(new Set(clips[0].clips.map(({ tracks }) => tracks.length)).size).toBe(1);
      expect(clips[0].otherChannels).toBe(0);
    });

    it('keeps clothes at the place of a person with it', () => {
      const { skeletons } = group([0, 100, 0]);
      expect(skeletons.map(({ skeleton: { names } }) => names.filter((name) => name.includes(':Hips')))).toEqual([
        ['mixamorig:Hips_0', 'mixamorig:Hips_2'],
        ['mixamorig:Hips_1'],
      ]);
      expect(group([0, 0]).skeletons).toHaveLength(1);
    });

    it('keeps bodies without a skin and curves with the person', () => {
      const bones = [
        'Hips',
        'Spine',
        'Head',
        'LeftArm',
        'LeftForeArm',
        'LeftHand',
        'RightArm',
        'RightForeArm',
        'RightHand',
      ];
      const legs = ['LeftUpLeg', 'LeftLeg', 'LeftFoot', 'RightUpLeg', 'RightLeg', 'RightFoot'];
      const names = [...bones, ...legs];
      const above = [0, 1, 2, 2, 4, 5, 2, 7, 8, 1, 10, 11, 1, 13, 14];
      const body = (first: number, x: number) =>
        names.map((name, k) => {
          const place = above[k] === 0 ? [x, 0, 0] : [name.startsWith('Right') ? -1 : 1, k < 9 ? 1 : -1, 0];
          return model(first + k, `${name}${first}`, 'LimbNode', { 'Lcl Translation': place });
        });
      const links = (first: number): [number, number][] =>
        above.map((parent, k) => [first + k, parent === 0 ? 1 : first + parent - 1]);
      const skins = [cluster(900, moved(0, 0, 0)), cluster(901, moved(50, 0, 0))];
      const objects = [model(1, 'Group', 'Null'), ...body(100, 0), ...body(200, 50)];
      const connections: [number, number][] = [[1, 0], ...links(100), ...links(200)];
      expect(skeletonsOf(objects, connections)).toHaveLength(1);
      expect(skeletonsOf([...objects, ...skins], [...connections, [100, 900], [200, 901]])).toHaveLength(2);
    });
  });
});
