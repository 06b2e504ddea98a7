/** Plugins on characters with negative scales: joints are where three.js and Babylon.js put them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as babylon from '../../src/engines/babylon/index.ts';
import { createRetargeter } from '../../src/engines/three/index.ts';
import { retargetAnimationClip } from '../../src/engines/three/retarget-animation-clip.ts';
import { asset, HAS_ASSETS } from '../support/assets.ts';
import { aboutAxis, minus, rotated, type Vector } from '../support/reference/plain.ts';
import * as babylonScenes from './babylon/scenes.ts';
import * as threeScenes from './three/scenes.ts';

const bytes = (name: string): Uint8Array => readFileSync(asset('cases', '02-negative-scale', name));
const NAMES = ['Arm', 'ForeArm', 'Hand', 'HandIndex1', 'HandIndex2', 'UpLeg', 'Leg', 'Foot', 'ToeBase'];
const LIMBS = ['Left', 'Right'].flatMap((side) =>
  NAMES.slice(1).flatMap((name, k) => (name === 'UpLeg' ? [] : [[side + NAMES[k], side + name]])),
);
const CHARACTERS = ['mixamo.glb', 'root_scale_pair.glb', 'babylon_root.glb'];
const TIMES = [0, 0.4, 0.9, 1.7];

type Positions = ReadonlyMap<string, Vector>;

/** Directions of limbs, facing the same way. */
function limbs(positions: Positions, facing: Positions): Vector[] {
  const across = minus(facing.get('LeftUpLeg')!, facing.get('RightUpLeg')!);
  const turn = aboutAxis([0, 1, 0], Math.atan2(across[2], across[0]));
  return LIMBS.map(([from, to]) => {
    const limb = rotated(turn, minus(positions.get(to)!, positions.get(from)!));
    return limb.map((value) => value / Math.hypot(...limb));
  });
}

const largest = (a: readonly Vector[], b: readonly Vector[]): number =>
  Math.max(...a.map((limb, k) => Math.hypot(...minus(limb, b[k]))));

describe.skipIf(!HAS_ASSETS)('anyrig/three on characters with negative scales', () => {
  const positions = (root: threeScenes.Loaded['root']): Positions =>
    new Map(
      [...threeScenes.shown(root)].map(([name, { position }]) => [name.replace('mixamorig', ''), position.toArray()]),
    );

  it.each(CHARACTERS)('%s follows the source as a clip and live', async (name) => {
    const source = await threeScenes.loadBytes('walk.glb', bytes('walk.glb'));
    const [played, live] = [
      await threeScenes.loadBytes(name, bytes(name)),
      await threeScenes.loadBytes(name, bytes(name)),
    ];
    const rests = [source, played, live].map(({ root }) => positions(root));
    const { clip } = retargetAnimationClip(source.animations[0], source.root, played.root);
    const retargeter = createRetargeter(source.root, live.root, { contacts: 'off' });
    const players = [threeScenes.player(source.root, source.animations[0]), threeScenes.player(played.root, clip)];
    for (const time of TIMES) {
      for (const { show } of players) show(time);
      retargeter.update();
      const expected = limbs(positions(source.root), rests[0]);
      expect(largest(expected, limbs(positions(played.root), rests[1]))).toBeLessThan(1e-4);
      expect(largest(expected, limbs(positions(live.root), rests[2]))).toBeLessThan(1e-4);
    }
  });
});

describe.skipIf(!HAS_ASSETS)('anyrig/babylon on characters with negative scales', () => {
  const positions = (root: babylonScenes.Loaded['root']): Positions =>
    new Map(
      [...babylonScenes.shown(root)].map(([name, { position }]) => [name.replace('mixamorig:', ''), position] as const),
    );

  it.each(CHARACTERS)('%s follows the source as a group and live', async (name) => {
    const source = await babylonScenes.loadGlb(bytes('walk.glb'));
    const [played, live] = [await babylonScenes.loadGlb(bytes(name)), await babylonScenes.loadGlb(bytes(name))];
    const rests = [source, played, live].map(({ root }) => positions(root));
    const { group } = babylon.retargetAnimationGroup(source.groups[0], source.root, played.root);
    const retargeter = babylon.createRetargeter(source.root, live.root, { contacts: 'off' });
    for (const time of TIMES) {
      babylonScenes.show(source.groups[0], time);
      babylonScenes.show(group, time);
      retargeter.update();
      const expected = limbs(positions(source.root), rests[0]);
      expect(largest(expected, limbs(positions(played.root), rests[1]))).toBeLessThan(1e-4);
      expect(largest(expected, limbs(positions(live.root), rests[2]))).toBeLessThan(1e-4);
    }
  });
});
