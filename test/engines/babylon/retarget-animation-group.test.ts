/** Compares retargetAnimationGroup with retargeting through files and in three.js, and checks its invariants. */
import { isDeepStrictEqual } from 'node:util';
import {
  type AnimationGroup,
  LoadAssetContainerAsync,
  type Mesh,
  Quaternion,
  type Skeleton,
  TransformNode,
  Vector3,
} from '@babylonjs/core';
import { PropertyBinding } from 'three';
import { describe, expect, it } from 'vitest';
import { DEMO_CHARACTERS } from '../../../src/demo/index.ts';
import { createHumanoid, retargetAnimationGroup } from '../../../src/engines/babylon/index.ts';
import { retargetAnimationClip } from '../../../src/engines/three/retarget-animation-clip.ts';
import { openFile } from '../../../src/files/node.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN, sampledCases } from '../../support/law-runs.ts';
import { demoBytes, openDemo } from '../../support/make/demo-files.ts';
import { KEPT_OUT, LAW_F32, SECOND_OPINION } from '../../support/tolerances.ts';
import { retargetedFile, wholeGlb } from '../glb-without-images.ts';
import * as three from '../three/scenes.ts';
import { apart, emptyScene, type Loaded, loadGlb, show, shown } from './scenes.ts';

const PARTS = [0, 0.13, 0.5, 0.77, 1];

function secondsOf(group: AnimationGroup): number {
  return (group.to - group.from) / group.targetedAnimations[0].animation.framePerSecond;
}

const demo = async (name: string): Promise<Loaded> => loadGlb(demoBytes(name));
/** Returns the name of a glTF node in three.js. */
const inThree = (name: string): string => PropertyBinding.sanitizeNodeName(name);

/** Returns rotations and positions in three.js, for comparison. */
function shownInThree(root: three.Loaded['root']): Map<string, { rotation: number[]; position: number[] }> {
  return new Map(
    [...three.shown(root)].map(([name, { rotation, position }]) => [
      name,
      { rotation: rotation.toArray(), position: position.toArray() },
    ]),
  );
}

describe('retargetAnimationGroup equals three.js and retargeting of the files', () => {
  // Babylon.js loads a VRM as a plain glTF, without its declared pose.
  const characters = DEMO_CHARACTERS.map(({ name }) => name).filter((name) => name.endsWith('.glb'));
  const pairs = ['walk.glb', 'wave.vrma'].flatMap((motion) => characters.map((character) => [motion, character]));

  it.each(sampledCases(pairs, 5))('%s on %s', async (motion, character) => {
    const source = await demo(motion);
    const target = await demo(character);
    const hero = createHumanoid(target.root);
    const { group } = retargetAnimationGroup(source.groups[0], source.root, hero);
    const other = await three.loadBytes(character, demoBytes(character));
    const otherSource = await three.loadBytes(motion, demoBytes(motion));
    const { clip } = retargetAnimationClip(otherSource.animations[0], otherSource.root, other.root);
    const file = await loadGlb(await retargetedFile(await openDemo(motion), await openDemo(character)));
    const player = three.player(other.root, clip);
    const height = hero.humanoid.height / hero.humanoid.metersPerUnit;
    expect(secondsOf(group)).toBeCloseTo(clip.duration, 6);
    for (const part of PARTS) {
      show(group, part * secondsOf(group));
      show(file.groups[0], part * secondsOf(file.groups[0]));
      player.show(part * clip.duration);
      const ours = shown(target.root);
      const differences = [
        apart(ours, shown(file.root), height),
        apart(ours, shownInThree(other.root), height, inThree),
      ];
      for (const { rotations, positions, compared } of differences) {
        expect(compared).toBeGreaterThan(15);
        expect(rotations).toBeLessThan(SECOND_OPINION);
        expect(positions).toBeLessThan(SECOND_OPINION);
      }
    }
  });
});

describe.skipIf(!HAS_ASSETS)('retargetAnimationGroup equals three.js, for third-party files', () => {
  const characters = ['m2m_human-male.glb', 'KayKit_Knight.glb', 'RobotExpressive.glb', 'pc_lumberjack.glb'];

  it.each(sampledCases(characters, 4))('glb/Xbot.glb on glb/%s', async (character) => {
    const bytes = await Promise.all(
      ['Xbot.glb', character].map(async (name) => wholeGlb(await openFile(asset('assets', 'glb', name)))),
    );
    const [source, target] = [await loadGlb(bytes[0]), await loadGlb(bytes[1])];
    const hero = createHumanoid(target.root);
    const { group } = retargetAnimationGroup(source.groups[6], source.root, hero);
    const [otherSource, other] = [await three.loadGlb(bytes[0]), await three.loadGlb(bytes[1])];
    const { clip } = retargetAnimationClip(otherSource.animations[6], otherSource.root, other.root);
    const player = three.player(other.root, clip);
    const height = hero.humanoid.height / hero.humanoid.metersPerUnit;
    for (const part of PARTS) {
      show(group, part * secondsOf(group));
      player.show(part * clip.duration);
      const { rotations, positions, compared } = apart(shown(target.root), shownInThree(other.root), height, inThree);
      expect(compared).toBeGreaterThan(15);
      expect(rotations).toBeLessThan(SECOND_OPINION);
      expect(positions).toBeLessThan(SECOND_OPINION);
    }
  });
});

describe.skipIf(!HAS_ASSETS || !IS_FULL_RUN)(
  'retargetAnimationGroup with contacts equals retargeting of the files',
  () => {
    // Not RobotExpressive: the search for its hands does not end, and rounding decides more than 0.3°.
    it.each(
      sampledCases(
        ['KayKit_Knight.glb', 'm2m_human-male.glb', 'm2m_human-zombie.glb', 'quaternius_women_Witch.glb'],
        4,
      ),
    )('glb/Xbot.glb on glb/%s', async (character) => {
      const files = await Promise.all(['Xbot.glb', character].map((name) => openFile(asset('assets', 'glb', name))));
      const [motion, body] = await Promise.all(files.map(wholeGlb));
      const [source, target] = [await loadGlb(motion), await loadGlb(body)];
      const hero = createHumanoid(target.root);
      const { group, contacts } = retargetAnimationGroup(source.groups[0], source.root, hero, { contacts: 'auto' });
      const file = await loadGlb(await retargetedFile(files[0], files[1], 0, 'auto'));
      const height = hero.humanoid.height / hero.humanoid.metersPerUnit;
      expect(contacts!.plants.left + contacts!.plants.right).toBeGreaterThan(0);
      for (const part of PARTS) {
        show(group, part * secondsOf(group));
        show(file.groups[0], part * secondsOf(file.groups[0]));
        const { rotations, positions, compared } = apart(shown(target.root), shown(file.root), height);
        expect(compared).toBeGreaterThan(15);
        expect(rotations).toBeLessThan(KEPT_OUT);
        expect(positions).toBeLessThan(KEPT_OUT);
      }
    });
  },
);

/** Returns the keys of each animation by node and property. */
function numbers(group: AnimationGroup): Record<string, unknown> {
  return Object.fromEntries(
    group.targetedAnimations.map(({ animation, target }) => [
      `${(target as TransformNode).name}.${animation.targetProperty}`,
      animation.getKeys().map(({ frame, value }) => [frame, ...(value as Vector3 | Quaternion).asArray()]),
    ]),
  );
}

describe('retargetAnimationGroup', () => {
  it('source and target are the same character: the motion stays the same', async () => {
    const { root, groups } = await demo('walk.glb');
    const hero = createHumanoid(root);
    const { group } = retargetAnimationGroup(groups[0], hero, hero);
    for (const part of PARTS) {
      show(groups[0], part * secondsOf(groups[0]));
      const own = shown(root);
      show(group, part * secondsOf(group));
      const { rotations, positions } = apart(shown(root), own, hero.humanoid.height);
      expect(rotations).toBeLessThan(LAW_F32);
      expect(positions).toBeLessThan(LAW_F32);
    }
  });

  it('transform of the root and its ancestors has no effect', async () => {
    const source = await demo('walk.glb');
    const target = await demo('unreal.glb');
    const plain = numbers(retargetAnimationGroup(source.groups[0], source.root, target.root).group);
    const stage = new TransformNode('stage', target.scene);
    stage.position.set(1, 2, 3);
    stage.rotation.set(1, 2, 3);
    stage.scaling.setAll(3);
    target.root.parent = stage;
    target.root.position.set(4, 5, 6);
    for (const root of [target.root, stage]) {
      expect(numbers(retargetAnimationGroup(source.groups[0], source.root, root).group)).toEqual(plain);
    }
  });

  it('the current pose of a skinned character has no effect', async () => {
    const source = await demo('walk.glb');
    const target = await demo('blender.glb');
    const before = retargetAnimationGroup(source.groups[0], source.root, target.root).group;
    show(before, 0.4);
    show(source.groups[0], 0.4);
    expect(numbers(retargetAnimationGroup(source.groups[0], source.root, target.root).group)).toEqual(numbers(before));
  });

  it('what is not enabled or not visible below the root is not the body', async () => {
    const { root, scene } = await demo('unreal.glb');
    const plain = createHumanoid(root).describeSurface();
    const body = scene.meshes.find(({ skeleton }) => skeleton !== null) as Mesh;
    const proxy = body.clone('proxy');
    proxy.makeGeometryUnique();
    proxy.skeleton = body.skeleton;
    proxy.setVerticesData(
      'position',
      Float32Array.from(body.getVerticesData('position')!, (value) => 2 * value),
    );
    const stage = new TransformNode('stage', scene);
    stage.parent = body.parent;
    proxy.parent = stage;
    const isPlain = (): boolean => isDeepStrictEqual(createHumanoid(root).describeSurface(), plain);
    expect(isPlain()).toBe(false);
    proxy.visibility = 0;
    expect(isPlain()).toBe(true);
    proxy.visibility = 1;
    stage.setEnabled(false);
    expect(isPlain()).toBe(true);
    stage.setEnabled(true);
    proxy.isVisible = false;
    // A character can be hidden until all of its files are there.
    root.setEnabled(false);
    expect(isPlain()).toBe(true);
  });

  it('a right-handed scene gives the same group', async () => {
    const source = await loadGlb(demoBytes('walk.glb'), emptyScene(true));
    const target = await loadGlb(demoBytes('unreal.glb'), emptyScene(true));
    const right = retargetAnimationGroup(source.groups[0], source.root, target.root).group;
    const [leftSource, leftTarget] = [await demo('walk.glb'), await demo('unreal.glb')];
    const left = retargetAnimationGroup(leftSource.groups[0], leftSource.root, leftTarget.root).group;
    expect(numbers(right)).toEqual(numbers(left));
  });

  it('a skeleton is accepted as a character', async () => {
    const source = await demo('walk.glb');
    const target = await demo('unreal.glb');
    const byRoot = retargetAnimationGroup(source.groups[0], source.root, target.root).group;
    const bySkeleton = retargetAnimationGroup(
      source.groups[0],
      source.scene.skeletons[0],
      target.scene.skeletons[0],
    ).group;
    expect(numbers(bySkeleton)).toEqual(numbers(byRoot));
  });

  it('the skeleton of one of several instances below a node, at any scale, receives the same group', async () => {
    const source = await demo('walk.glb');
    const container = await LoadAssetContainerAsync(demoBytes('unreal.glb'), source.scene, { pluginExtension: '.glb' });
    const level = new TransformNode('level', source.scene);
    const instances = [1, 2].map(() => container.instantiateModelsToScene());
    for (const { rootNodes } of instances) rootNodes[0].parent = level;
    (instances[1].rootNodes[0] as TransformNode).scaling.setAll(2);
    const given = (target: TransformNode | Skeleton): unknown[] =>
      Object.values(numbers(retargetAnimationGroup(source.groups[0], source.root, target).group));
    expect(given(instances[1].skeletons[0])).toEqual(given(container.rootNodes[0] as TransformNode));
  });

  it.each([false, true])(
    'an instance with another name, at any scale, receives the same group (right-handed: %s)',
    async (right) => {
      const source = await loadGlb(demoBytes('walk.glb'), emptyScene(right));
      const container = await LoadAssetContainerAsync(demoBytes('unreal.glb'), source.scene, {
        pluginExtension: '.glb',
      });
      const level = new TransformNode('level', source.scene);
      const instances = [1, 2].map((k) =>
        container.instantiateModelsToScene((name) => name.replace('__root__', `hero ${k}`)),
      );
      for (const { rootNodes } of instances) rootNodes[0].parent = level;
      (instances[1].rootNodes[0] as TransformNode).scaling.setAll(2);
      const given = (target: TransformNode | Skeleton): unknown[] =>
        Object.values(numbers(retargetAnimationGroup(source.groups[0], source.root, target).group));
      const [root, skeleton] = [instances[1].rootNodes[0] as TransformNode, instances[1].skeletons[0]];
      const expected = given(container.rootNodes[0] as TransformNode);
      expect(given(root)).toEqual(expected);
      expect(given(skeleton)).toEqual(expected);
    },
  );

  it('leaves characters and groups unchanged', async () => {
    const source = await demo('walk.glb');
    const target = await demo('mixamo.glb');
    const before = [numbers(source.groups[0]), shown(source.root), shown(target.root)];
    const { group } = retargetAnimationGroup(source.groups[0], source.root, target.root);
    for (const { animation } of group.targetedAnimations) {
      for (const key of animation.getKeys()) (key.value as Vector3).set(1, 2, 3);
    }
    expect([numbers(source.groups[0]), shown(source.root), shown(target.root)]).toEqual(before);
  });
});

/** Copies the nodes below a root as left-handed nodes without a skin, mirrored along z. */
function leftHandedCopy(root: TransformNode): { copy: TransformNode; of: Map<TransformNode, TransformNode> } {
  const of = new Map<TransformNode, TransformNode>();
  const visit = (node: TransformNode, parent: TransformNode | null): TransformNode => {
    const copy = new TransformNode(node === root ? 'native' : node.name, root.getScene());
    of.set(node, copy);
    copy.parent = parent;
    if (node !== root) {
      const { x, y, z, w } = node.rotationQuaternion ?? Quaternion.Identity();
      copy.position = new Vector3(node.position.x, node.position.y, -node.position.z);
      copy.rotationQuaternion = new Quaternion(-x, -y, z, w);
      copy.scaling = node.scaling.clone();
    }
    for (const child of node.getChildTransformNodes(true)) visit(child, copy);
    return copy;
  };
  return { copy: visit(root, null), of };
}

describe('retargetAnimationGroup: left-handed nodes', () => {
  it('receive the mirrored motion, and give back the original one', async () => {
    const source = await demo('walk.glb');
    // Without a skin, both have the same reference pose.
    const target = await demo('walk.glb');
    for (const mesh of target.root.getChildMeshes()) mesh.skeleton = null;
    const { copy, of } = leftHandedCopy(target.root);
    const right = retargetAnimationGroup(source.groups[0], source.root, target.root).group;
    const left = retargetAnimationGroup(source.groups[0], source.root, copy);
    expect(createHumanoid(copy).mirrored).toBe(true);
    const back = retargetAnimationGroup(left.group, copy, target.root).group;
    for (const part of PARTS) {
      show(right, part * secondsOf(right));
      const straight = shown(target.root);
      show(left.group, part * secondsOf(left.group));
      for (const [node, other] of of) {
        const { x, y, z, w } = node.rotationQuaternion ?? Quaternion.Identity();
        if (node === target.root) continue;
        const rotation = other.rotationQuaternion!.asArray();
        const chord = Math.hypot(rotation[0] + x, rotation[1] + y, rotation[2] - z, rotation[3] - w);
        expect(
          Math.min(chord, Math.hypot(rotation[0] - x, rotation[1] - y, rotation[2] + z, rotation[3] + w)),
        ).toBeLessThan(LAW_F32);
      }
      show(back, part * secondsOf(back));
      const { rotations, positions } = apart(shown(target.root), straight, 1.75);
      expect(rotations).toBeLessThan(LAW_F32);
      expect(positions).toBeLessThan(LAW_F32);
    }
  });
});

describe('retargetAnimationGroup errors', () => {
  it('throws for a node without a humanoid, and for several', async () => {
    const { scene, root, groups } = await demo('walk.glb');
    const empty = new TransformNode('empty', scene);
    expect(() => retargetAnimationGroup(groups[0], root, empty)).toThrow(/no skeleton/);
    const stage = new TransformNode('stage', scene);
    root.parent = stage;
    (await loadGlb(demoBytes('unreal.glb'), scene)).root.parent = stage;
    expect(() => createHumanoid(stage)).toThrow(/2 nodes __root__/);
  });

  it('throws for an additive group', async () => {
    const { root, groups } = await demo('walk.glb');
    groups[0].isAdditive = true;
    expect(() => retargetAnimationGroup(groups[0], root, root)).toThrow(/additive/);
  });
});
