/** Groups straight on nodes of Babylon.js, against files, against three.js, and the laws that need neither. */
import { type AnimationGroup, Quaternion, TransformNode, Vector3 } from '@babylonjs/core';
import { PropertyBinding } from 'three';
import { describe, expect, it } from 'vitest';
import { DEMO_CHARACTERS } from '../../../src/demo/index.ts';
import { humanoidOf, retargetAnimationGroup } from '../../../src/engines/babylon/index.ts';
import { retargetClip } from '../../../src/engines/three/index.ts';
import { openFile } from '../../../src/files/node.ts';
import { asset, HAS_ASSETS } from '../../assets.ts';
import { demoBytes, openDemo } from '../../make/demo-files.ts';
import { LAW_F32, SECOND_OPINION } from '../../tolerances.ts';
import { retargetedFile, wholeGlb } from '../glb-without-images.ts';
import * as three from '../three/scenes.ts';
import { apart, emptyScene, type Loaded, loadGlb, show, shown } from './scenes.ts';

const PARTS = [0, 0.13, 0.5, 0.77, 1];

function secondsOf(group: AnimationGroup): number {
  return (group.to - group.from) / group.targetedAnimations[0].animation.framePerSecond;
}

const demo = async (name: string): Promise<Loaded> => loadGlb(demoBytes(name));
/** What three.js calls a node of a glTF. */
const inThree = (name: string): string => PropertyBinding.sanitizeNodeName(name);

/** World rotations and places in three.js, for comparison. */
function shownInThree(root: three.Loaded['root']): Map<string, { rotation: number[]; position: number[] }> {
  return new Map(
    [...three.shown(root)].map(([name, { rotation, position }]) => [
      name,
      { rotation: rotation.toArray(), position: position.toArray() },
    ]),
  );
}

describe('the same motion in Babylon.js, in three.js and through files', () => {
  // A VRM is a plain glTF for Babylon.js: it does not know the pose that is declared.
  const characters = DEMO_CHARACTERS.map(({ name }) => name).filter((name) => name.endsWith('.glb'));
  const pairs = ['walk.glb', 'wave.vrma'].flatMap((motion) => characters.map((character) => [motion, character]));

  it.each(pairs)('%s on %s of the demo', async (motion, character) => {
    const source = await demo(motion);
    const target = await demo(character);
    const body = humanoidOf(target.root);
    const { group } = retargetAnimationGroup(source.groups[0], source.root, body);
    const other = await three.loadBytes(character, demoBytes(character));
    const otherSource = await three.loadBytes(motion, demoBytes(motion));
    const { clip } = retargetClip(otherSource.animations[0], otherSource.root, other.root);
    const file = await loadGlb(await retargetedFile(await openDemo(motion), await openDemo(character)));
    const player = three.player(other.root, clip);
    const height = body.humanoid.height / body.humanoid.metersPerUnit;
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

describe.skipIf(!HAS_ASSETS)('files of others', () => {
  const characters = ['m2m_human-male.glb', 'KayKit_Knight.glb', 'RobotExpressive.glb', 'pc_lumberjack.glb'];

  it.each(characters)('walk of glb/Xbot.glb on glb/%s comes out as in three.js', async (character) => {
    const bytes = await Promise.all(
      ['Xbot.glb', character].map(async (name) => wholeGlb(await openFile(asset('assets', 'glb', name)))),
    );
    const [source, target] = [await loadGlb(bytes[0]), await loadGlb(bytes[1])];
    const body = humanoidOf(target.root);
    const { group } = retargetAnimationGroup(source.groups[6], source.root, body);
    const [otherSource, other] = [await three.loadGlb(bytes[0]), await three.loadGlb(bytes[1])];
    const { clip } = retargetClip(otherSource.animations[6], otherSource.root, other.root);
    const player = three.player(other.root, clip);
    const height = body.humanoid.height / body.humanoid.metersPerUnit;
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

/** Every key of every animation, by node and property. */
function numbers(group: AnimationGroup): Record<string, unknown> {
  return Object.fromEntries(
    group.targetedAnimations.map(({ animation, target }) => [
      `${(target as TransformNode).name}.${animation.targetProperty}`,
      animation.getKeys().map(({ frame, value }) => [frame, ...(value as Vector3 | Quaternion).asArray()]),
    ]),
  );
}

describe('laws', () => {
  it('a motion on its own body stays as it is', async () => {
    const { root, groups } = await demo('walk.glb');
    const body = humanoidOf(root);
    const { group } = retargetAnimationGroup(groups[0], body, body);
    for (const part of PARTS) {
      show(groups[0], part * secondsOf(groups[0]));
      const own = shown(root);
      show(group, part * secondsOf(group));
      const { rotations, positions } = apart(shown(root), own, body.humanoid.height);
      expect(rotations).toBeLessThan(LAW_F32);
      expect(positions).toBeLessThan(LAW_F32);
    }
  });

  it('where a character stands in the world, how it is turned and how large it is shown does not count', async () => {
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

  it('what a skinned character shows at the moment does not count', async () => {
    const source = await demo('walk.glb');
    const target = await demo('blender.glb');
    const before = retargetAnimationGroup(source.groups[0], source.root, target.root).group;
    show(before, 0.4);
    show(source.groups[0], 0.4);
    expect(numbers(retargetAnimationGroup(source.groups[0], source.root, target.root).group)).toEqual(numbers(before));
  });

  it('a right-handed scene shows the same', async () => {
    const source = await loadGlb(demoBytes('walk.glb'), emptyScene(true));
    const target = await loadGlb(demoBytes('unreal.glb'), emptyScene(true));
    const right = retargetAnimationGroup(source.groups[0], source.root, target.root).group;
    const [leftSource, leftTarget] = [await demo('walk.glb'), await demo('unreal.glb')];
    const left = retargetAnimationGroup(leftSource.groups[0], leftSource.root, leftTarget.root).group;
    expect(numbers(right)).toEqual(numbers(left));
  });

  it('a skeleton stands for its character', async () => {
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

  it('characters and groups are not changed', async () => {
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

/** A copy of the nodes below a root as left-handed nodes of their own, without a skin, mirrored along z. */
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

describe('left-handed nodes', () => {
  it('get the mirror image of what right-handed ones get, and give it back', async () => {
    const source = await demo('walk.glb');
    // Without a skin the reference pose is the same for both.
    const target = await demo('walk.glb');
    for (const mesh of target.root.getChildMeshes()) mesh.skeleton = null;
    const { copy, of } = leftHandedCopy(target.root);
    const right = retargetAnimationGroup(source.groups[0], source.root, target.root).group;
    const left = retargetAnimationGroup(source.groups[0], source.root, copy);
    expect(humanoidOf(copy).mirrored).toBe(true);
    const back = retargetAnimationGroup(left.group, copy, target.root).group;
    for (const part of PARTS) {
      show(right, part * secondsOf(right));
      const straight = shown(target.root);
      show(left.group, part * secondsOf(left.group));
      for (const [node, other] of of) {
        const { x, y, z, w } = node.rotationQuaternion ?? Quaternion.Identity();
        if (node === target.root) continue;
        const turned = other.rotationQuaternion!.asArray();
        const chord = Math.hypot(turned[0] + x, turned[1] + y, turned[2] - z, turned[3] - w);
        expect(Math.min(chord, Math.hypot(turned[0] - x, turned[1] - y, turned[2] + z, turned[3] + w))).toBeLessThan(
          LAW_F32,
        );
      }
      show(back, part * secondsOf(back));
      const { rotations, positions } = apart(shown(target.root), straight, 1.75);
      expect(rotations).toBeLessThan(LAW_F32);
      expect(positions).toBeLessThan(LAW_F32);
    }
  });
});

describe('what cannot be done', () => {
  it('is said for a node without a humanoid, and for several', async () => {
    const { scene, root, groups } = await demo('walk.glb');
    const empty = new TransformNode('empty', scene);
    expect(() => retargetAnimationGroup(groups[0], root, empty)).toThrow(/no skeleton/);
    const stage = new TransformNode('stage', scene);
    root.parent = stage;
    (await loadGlb(demoBytes('unreal.glb'), scene)).root.parent = stage;
    expect(() => humanoidOf(stage)).toThrow(/2 nodes __root__/);
  });

  it('is said for an additive group', async () => {
    const { root, groups } = await demo('walk.glb');
    groups[0].isAdditive = true;
    expect(() => retargetAnimationGroup(groups[0], root, root)).toThrow(/additive/);
  });
});
