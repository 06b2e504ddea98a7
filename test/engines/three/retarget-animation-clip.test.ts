/** Compares retargetAnimationClip of anyrig/three with the same motion retargeted through files, and checks its invariants. */
import { isDeepStrictEqual } from 'node:util';
import {
  AdditiveAnimationBlendMode,
  type AnimationClip,
  Group,
  type KeyframeTrack,
  LOD,
  Material,
  type Mesh,
  type Object3D,
  PerspectiveCamera,
  type SkinnedMesh,
  Vector3,
} from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { describe, expect, it } from 'vitest';
import { BONES } from '../../../src/core/humanoid/bones.ts';
import { DEMO_CHARACTERS, DEMO_MOTIONS } from '../../../src/demo/index.ts';
import { createHumanoid } from '../../../src/engines/three/index.ts';
import { retargetAnimationClip } from '../../../src/engines/three/retarget-animation-clip.ts';
import { openFile } from '../../../src/files/node.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN, sampledCases } from '../../support/law-runs.ts';
import { demoBytes, openDemo } from '../../support/make/demo-files.ts';
import { EXACT, HIPS_AS_PELVIS, KEPT_OUT, LAW_F32, SECOND_OPINION } from '../../support/tolerances.ts';
import { retargetedFile } from '../glb-without-images.ts';
import { apart, type Loaded, loadAsset, loadBytes, loadGlb, player, shown } from './scenes.ts';

const PARTS = [0, 0.13, 0.5, 0.77, 1];

/** Returns the largest differences between the poses of two scenes at the given times. */
function compare(
  ours: Loaded,
  clip: AnimationClip,
  file: Loaded,
  height: number,
  times: readonly number[],
): ReturnType<typeof apart> {
  const players = [player(ours.root, clip), player(file.root, file.animations[0])];
  const worst = { rotations: 0, positions: 0, compared: 0 };
  for (const time of times) {
    for (const { show } of players) show(time);
    ours.vrm?.humanoid.update();
    const now = apart(shown(ours.root), shown(file.root), height);
    worst.rotations = Math.max(worst.rotations, now.rotations);
    worst.positions = Math.max(worst.positions, now.positions);
    worst.compared = Math.max(worst.compared, now.compared);
  }
  for (const { stop } of players) stop();
  return worst;
}

function demo(name: string): Promise<Loaded> {
  return loadBytes(name, demoBytes(name));
}

describe('retargetAnimationClip equals retargeting of the files', () => {
  const pairs = DEMO_MOTIONS.flatMap((motion) => DEMO_CHARACTERS.map((character) => [motion.name, character.name]));

  // Every motion, and every character with one of them; a full run has all pairs.
  it.each(sampledCases(pairs, 7, 3))('%s on %s', async (motion, character) => {
    const source = await demo(motion);
    const target = await demo(character);
    const hero = createHumanoid(target.vrm ?? target.root);
    const { clip } = retargetAnimationClip(source.animations[0], source.root, hero);
    const file = await loadGlb(await retargetedFile(await openDemo(motion), await openDemo(character)), true);
    const height = hero.humanoid.height / hero.humanoid.metersPerUnit;
    const { rotations, positions, compared } = compare(
      target,
      clip,
      file,
      height,
      PARTS.map((p) => p * clip.duration),
    );
    expect(clip.duration).toBeCloseTo(file.animations[0].duration, 6);
    expect(compared).toBeGreaterThan(15);
    expect(rotations).toBeLessThan(SECOND_OPINION);
    // A scene does not tell that it came from a VRMA, whose standard scales the hips by their height instead of that of the pelvis.
    const isStandard = motion.endsWith('.vrma') && character.endsWith('.vrm');
    expect(positions).toBeLessThan(isStandard ? HIPS_AS_PELVIS : SECOND_OPINION);
  });
});

describe.skipIf(!HAS_ASSETS)('retargetAnimationClip equals retargeting of the files, for third-party files', () => {
  const characters = [
    'glb/m2m_human-male.glb',
    'glb/KayKit_Knight.glb',
    'glb/RobotExpressive.glb',
    'glb/pc_lumberjack.glb',
  ];
  const pairs: (readonly [string, string, number])[] = [
    ...[...characters, 'glb/VALID_AIAN_M_1_Casual.glb', 'vrm/cool_loops.vrm'].map(
      (character) => ['glb/Xbot.glb', character, 6] as const,
    ),
    ['fbx/mixamo_Walking.fbx', 'vrm/cool_loops.vrm', 0],
    ['fbx/mixamo_Walking.fbx', 'vrm/Godette_vrm_v4.vrm', 0],
    ['fbx/mixamo_Walking.fbx', 'glb/Xbot.glb', 0],
    ['bvh/AD_fair1_dab.bvh', 'glb/Xbot.glb', 0],
    ['glb/KayKit_Knight.glb', 'vrm/saturday06_debug_robot.vrm', 5],
  ];

  it.each(sampledCases(pairs, 12))('%s on %s', async (motion, character, index) => {
    const source = await loadAsset(motion);
    const target = await loadAsset(character);
    const hero = createHumanoid(target.vrm ?? target.root);
    const { clip } = retargetAnimationClip(source.animations[index], source.vrm ?? source.root, hero);
    const opened = await Promise.all([motion, character].map((path) => openFile(asset('assets', path))));
    const file = await loadGlb(await retargetedFile(opened[0], opened[1], index), true);
    const height = hero.humanoid.height / hero.humanoid.metersPerUnit;
    // FBXLoader takes the shortest rotation between the keys of Euler curves, which differs from the curves: compare at keys only.
    const { times } = source.animations[index].tracks[0];
    const keys = [0, 0.2, 0.5, 0.8, 1].map((part) => times[Math.round(part * (times.length - 1))]);
    const moments = motion.endsWith('.fbx') ? keys : PARTS.map((part) => part * clip.duration);
    const { rotations, positions, compared } = compare(target, clip, file, height, moments);
    expect(compared).toBeGreaterThan(15);
    expect(rotations).toBeLessThan(SECOND_OPINION);
    expect(positions).toBeLessThan(SECOND_OPINION);
  });
});

describe.skipIf(!HAS_ASSETS || !IS_FULL_RUN)('retargetAnimationClip with contacts equals that of the files', () => {
  const pairs: (readonly [string, string, number])[] = [
    ['glb/Xbot.glb', 'glb/KayKit_Knight.glb', 0],
    ['glb/Xbot.glb', 'vrm/cool_loops.vrm', 2],
    ['glb/Xbot.glb', 'vrm/Godette_vrm_v4.vrm', 0],
    ['bvh/AD_fair1_dab.bvh', 'glb/VALID_AIAN_M_1_Casual.glb', 0],
  ];

  it.each(sampledCases(pairs, 4))('%s on %s', async (motion, character, index) => {
    const source = await loadAsset(motion);
    const target = await loadAsset(character);
    const hero = createHumanoid(target.vrm ?? target.root);
    const { clip, contacts } = retargetAnimationClip(source.animations[index], source.root, hero, { contacts: 'auto' });
    const opened = await Promise.all([motion, character].map((path) => openFile(asset('assets', path))));
    const file = await loadGlb(await retargetedFile(opened[0], opened[1], index, 'auto'), true);
    const height = hero.humanoid.height / hero.humanoid.metersPerUnit;
    const moments = PARTS.map((part) => part * clip.duration);
    const { rotations, positions, compared } = compare(target, clip, file, height, moments);
    expect(hero.describeSurface().from).toBe('skin');
    expect(contacts!.plants.left + contacts!.plants.right).toBeGreaterThan(0);
    expect(compared).toBeGreaterThan(15);
    expect(rotations).toBeLessThan(KEPT_OUT);
    expect(positions).toBeLessThan(KEPT_OUT);
  });
});

/** Returns the times and values of each track by name. */
function numbers(clip: AnimationClip): Record<string, number[]> {
  return Object.fromEntries(clip.tracks.map(({ name, times, values }) => [name, [...times, ...values]]));
}

function expectSameNumbers(actual: AnimationClip, expected: AnimationClip, tolerance: number): void {
  const [a, b] = [numbers(actual), numbers(expected)];
  expect(Object.keys(a)).toEqual(Object.keys(b));
  for (const [name, list] of Object.entries(b)) {
    expect(a[name].length).toBe(list.length);
    const largest = Math.max(...list.map(Math.abs));
    const off = list.map((value, k) => Math.abs(a[name][k] - value));
    expect(Math.max(...off)).toBeLessThanOrEqual(tolerance * Math.max(1, largest));
  }
}

describe('retargetAnimationClip', () => {
  it('source and target are the same character: the motion stays the same', async () => {
    const { root, animations } = await demo('walk.glb');
    const hero = createHumanoid(root);
    const { clip } = retargetAnimationClip(animations[0], hero, hero);
    const show = player(root, animations[0]);
    const own = PARTS.map((part) => {
      show.show(part * clip.duration);
      return shown(root);
    });
    show.stop();
    const again = player(root, clip);
    own.forEach((expected, k) => {
      again.show(PARTS[k] * clip.duration);
      const { rotations, positions } = apart(shown(root), expected, hero.humanoid.height);
      expect(rotations).toBeLessThan(LAW_F32);
      expect(positions).toBeLessThan(LAW_F32);
    });
    again.stop();
  });

  it('transform of the root and its ancestors has no effect', async () => {
    const source = await demo('walk.glb');
    const { root } = await demo('unreal.glb');
    const plain = retargetAnimationClip(source.animations[0], source.root, root).clip;
    const stage = new Group();
    stage.scale.set(2, 2, 2);
    stage.quaternion.setFromAxisAngle(new Vector3(1, 2, 3).normalize(), 2);
    stage.add(root, source.root);
    for (const one of [root, source.root]) {
      one.position.set(5, 6, 7);
      one.quaternion.setFromAxisAngle(new Vector3(0, 1, 1).normalize(), 1);
      one.scale.setScalar(0.01);
    }
    stage.updateMatrixWorld(true);
    expectSameNumbers(retargetAnimationClip(source.animations[0], source.root, root).clip, plain, EXACT);
  });

  it('leaves characters and clip unchanged, and shares no array with the new clip', async () => {
    const source = await demo('walk.glb');
    const target = await demo('mixamo.glb');
    const clip = source.animations[0];
    const before = numbers(clip);
    const poses = [shown(source.root), shown(target.root)];
    const retargeted = retargetAnimationClip(clip, source.root, target.root).clip;
    for (const track of retargeted.tracks) {
      track.times.fill(9);
      track.values.fill(9);
    }
    expect(numbers(clip)).toEqual(before);
    expect([shown(source.root), shown(target.root)]).toEqual(poses);
  });

  it('what is not visible is not the body, except where all of it is not', async () => {
    const hero = await demo('unreal.glb');
    const stage = new Group().add(hero.root);
    const plain = createHumanoid(stage).describeSurface();
    let body: Mesh | null = null;
    hero.root.traverse((object) => {
      if ((object as Partial<SkinnedMesh>).isSkinnedMesh) body ??= object as Mesh;
    });
    const proxy = body!.clone();
    proxy.geometry = body!.geometry.clone().scale(2, 2, 2);
    const group = new Group().add(proxy);
    group.visible = false;
    body!.parent!.add(group);
    // A character can be hidden until all of its files are there.
    hero.root.visible = false;
    const isPlain = (): boolean => isDeepStrictEqual(createHumanoid(stage).describeSurface(), plain);
    expect(isPlain()).toBe(true);
    group.visible = true;
    expect(isPlain()).toBe(false);
    proxy.material = [new Material(), new Material()];
    proxy.material[0].visible = false;
    expect(isPlain()).toBe(false);
    proxy.material[1].visible = false;
    expect(isPlain()).toBe(true);
    // Materials hide their mesh, not what is below it.
    const below = proxy.clone();
    below.material = body!.material;
    proxy.add(below);
    expect(isPlain()).toBe(false);
  });

  it('the first level of detail is the body, whatever the distance of the camera', async () => {
    const hero = await demo('unreal.glb');
    const plain = createHumanoid(hero.root).describeSurface();
    let body: Mesh | null = null;
    hero.root.traverse((object) => {
      if ((object as Partial<SkinnedMesh>).isSkinnedMesh) body ??= object as Mesh;
    });
    const coarse = body!.clone();
    coarse.geometry = body!.geometry.clone().scale(2, 2, 2);
    const lod = new LOD();
    body!.parent!.add(lod.addLevel(body!, 0).addLevel(coarse, 10));
    const camera = new PerspectiveCamera();
    for (const distance of [1, 100]) {
      camera.position.z = distance;
      camera.updateMatrixWorld();
      lod.update(camera);
      expect(createHumanoid(hero.root).describeSurface()).toEqual(plain);
    }
  });

  it('the clip works on a clone of the target', async () => {
    const source = await demo('walk.glb');
    const { root } = await demo('unreal.glb');
    const { clip } = retargetAnimationClip(source.animations[0], source.root, root);
    const copy = clone(root);
    const players = [player(root, clip), player(copy, clip)];
    for (const { show } of players) show(0.4);
    const { rotations, compared } = apart(shown(root), shown(copy), 1);
    expect(compared).toBeGreaterThan(20);
    expect(rotations).toBe(0);
    expect(apart(shown(root), shown((await demo('unreal.glb')).root), 1).rotations).toBeGreaterThan(0.1);
  });
});

/** Returns position and rotation of every object, depth first. */
function poseOf(root: Object3D): number[] {
  const out: number[] = [];
  root.traverse(({ position, quaternion }) => {
    out.push(...position.toArray(), ...quaternion.toArray());
  });
  return out;
}

// twist is off because twist joints are detected by name.
describe('retargetAnimationClip: names of objects', () => {
  async function poseWith(rename: (root: Object3D) => void): Promise<number[]> {
    const source = await demo('walk.glb');
    const { root } = await demo('unreal.glb');
    const { objects, humanoid } = createHumanoid(root);
    const bones = Object.fromEntries(
      [...humanoid.map.nodes.entries()].flatMap(([bone, node]) => (node < 0 ? [] : [[BONES[bone], objects[node]]])),
    );
    rename(root);
    const { clip } = retargetAnimationClip(source.animations[0], source.root, root, {
      target: { bones },
      twist: false,
    });
    player(root, clip).show(0.4);
    return poseOf(root);
  }

  it('empty or equal names give the same pose', async () => {
    const plain = await poseWith(() => {});
    const nameless = await poseWith((root) =>
      root.traverse((object) => {
        object.name = '';
        object.userData = {};
      }),
    );
    const alike = await poseWith((root) =>
      root.traverse((object) => {
        object.name = 'bone';
        object.userData = {};
      }),
    );
    expect(nameless).toEqual(plain);
    expect(alike).toEqual(plain);
  });

  it('names with characters that are invalid in track names give the same pose', async () => {
    const plain = await poseWith(() => {});
    const renamed = await poseWith((root) => root.traverse((object) => (object.name = `[${object.name}]:.x/`)));
    expect(renamed).toEqual(plain);
  });
});

describe('retargetAnimationClip: a skinned mesh as the root', () => {
  async function meshOf(name: string): Promise<{ root: Object3D; mesh: SkinnedMesh }> {
    const { root } = await demo(name);
    let mesh: SkinnedMesh | undefined;
    root.traverse((object) => {
      if ((object as Partial<SkinnedMesh>).isSkinnedMesh) mesh ??= object as SkinnedMesh;
    });
    return { root, mesh: mesh! };
  }

  it('animates bones that are not below the mesh', async () => {
    const source = await demo('walk.glb');
    const { root, mesh } = await meshOf('unreal.glb');
    const { clip, issues } = retargetAnimationClip(source.animations[0], source.root, mesh);
    expect(issues.filter(({ message }) => message.includes('No track name'))).toEqual([]);
    player(mesh, clip).show(0.4);
    const other = await demo('unreal.glb');
    player(other.root, retargetAnimationClip(source.animations[0], source.root, other.root).clip).show(0.4);
    expect(apart(shown(root), shown(other.root), 1).rotations).toBeLessThan(LAW_F32);
  });

  it('binds bones without names by index', async () => {
    const source = await demo('walk.glb');
    const { mesh } = await meshOf('unreal.glb');
    const { objects, humanoid } = createHumanoid(mesh);
    const bones = Object.fromEntries(
      BONES.flatMap((bone, b) => (humanoid.map.nodes[b] < 0 ? [] : [[bone, objects[humanoid.map.nodes[b]]]])),
    );
    for (const bone of mesh.skeleton.bones) {
      bone.name = '';
      bone.userData = {};
    }
    const { clip } = retargetAnimationClip(source.animations[0], source.root, mesh, { target: { bones } });
    expect(clip.tracks.some(({ name }) => /^\.bones\[\d+\]\.quaternion$/.test(name))).toBe(true);
    const before = poseOf(objects[0]);
    player(mesh, clip).show(0.4);
    expect(poseOf(objects[0])).not.toEqual(before);
  });
});

describe('retargetAnimationClip errors and issues', () => {
  it('throws for a root without a humanoid', async () => {
    const source = await demo('walk.glb');
    expect(() => retargetAnimationClip(source.animations[0], source.root, new Group())).toThrow(/no skeleton/);
    const box = new Group();
    box.add(new Group(), new Group());
    expect(() => retargetAnimationClip(source.animations[0], source.root, box)).toThrow(
      /No skeleton below the root is humanoid/,
    );
  });

  it('throws for a root with two humanoids, unless the option skeleton selects one', async () => {
    const source = await demo('walk.glb');
    const stage = new Group();
    const beside = (await demo('mixamo.glb')).root;
    beside.position.x = 2;
    stage.add((await demo('unreal.glb')).root, beside);
    expect(() => createHumanoid(stage)).toThrow(/2 skeletons below the root are humanoid.*option skeleton/);
    expect(() => createHumanoid(stage, { skeleton: 7 })).toThrow(RangeError);
    const { clip } = retargetAnimationClip(source.animations[0], source.root, stage, { target: { skeleton: 1 } });
    expect(clip.tracks.some(({ name }) => name.startsWith('mixamorig'))).toBe(true);
  });

  it('throws for bones that do not exist', async () => {
    const { root } = await demo('unreal.glb');
    expect(() => createHumanoid(root, { bones: { hips: 'pelvi' } })).toThrow(/pelvi.*did you mean "pelvis"/);
    expect(() => createHumanoid(root, { bones: { hips: new Group() } })).toThrow(/hips is not at or below the root/);
  });

  it('throws for an additive clip', async () => {
    const { root, animations } = await demo('walk.glb');
    const clip = animations[0].clone();
    clip.blendMode = AdditiveAnimationBlendMode;
    expect(() => retargetAnimationClip(clip, root, root)).toThrow(/additive/);
  });

  it('reports tracks outside the skeleton', async () => {
    const { root, animations } = await demo('walk.glb');
    const clip = animations[0].clone();
    const codes = (of: AnimationClip): string[] => retargetAnimationClip(of, root, root).issues.map(({ code }) => code);
    expect(codes(clip)).not.toContain('CHANNELS_DROPPED');
    const strange = clip.tracks[0].clone() as KeyframeTrack;
    strange.name = 'nobody.quaternion';
    clip.tracks.push(strange);
    expect(codes(clip)).toContain('CHANNELS_DROPPED');
  });
});
