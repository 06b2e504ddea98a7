import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import type { AssetClip } from '../../../src/core/asset/asset.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { animatesHumanoid, droppedChannels, usedNodes } from '../../../src/files/reports/dropped-channels.ts';
import { openDemo } from '../../support/make/demo-files.ts';

const source = chooseHumanoid(await openDemo('walk.glb'), 'source', {}).found!;
const target = chooseHumanoid(await openDemo('odd-axes.glb'), 'target', {}).found!;
const followed = usedNodes(planRetarget(source.humanoid, target.humanoid), []);
const { names } = source.humanoid.skeleton;

const track = (name: string, path: Track['path'], moves = true): Track => {
  const width = path === 'rotation' ? 4 : 3;
  const values = new Float32Array(2 * width).fill(0.5);
  if (moves) values[0] = 0.25;
  return { target: names.indexOf(name), path, interpolation: 'LINEAR', times: new Float32Array([0, 1]), values };
};
const clip = (tracks: Track[], morphs = 0, otherChannels = 0): AssetClip => ({
  name: 'a',
  duration: 1,
  clips: [{ name: 'a', duration: 1, tracks }],
  morphs: Array.from({ length: morphs }, () => ({}) as never),
  otherChannels,
});
const messagesOf = (clips: AssetClip[], carried = 0): string[] => {
  return droppedChannels('walk.glb', source.humanoid, followed, clips, 0, carried).map(({ message }) => message);
};

describe('droppedChannels', () => {
  it('reports nothing when all channels are used: bone rotations, root motion, armature transforms', () => {
    const all = ['mixamorig:Hips', 'mixamorig:LeftArm'].map((name) => track(name, 'rotation'));
    const armature = (['translation', 'rotation', 'scale'] as const).map((path) => track('Armature', path));
    expect(messagesOf([clip([...all, track('mixamorig:Hips', 'translation'), ...armature], 2)], 2)).toEqual([]);
  });

  it('counts dropped channels by kind over all clips', () => {
    const tracks = [track('mixamorig:LeftArm', 'scale'), track('mixamorig:LeftArm', 'translation')];
    expect(messagesOf([clip(tracks, 3, 1), clip(tracks, 1)], 2)).toEqual([
      'Channels of walk.glb that have no counterpart were dropped: 2 × scale of bones, 2 × translation of bones, 2 × morph weights, 1 × other properties or nodes',
    ]);
  });

  it('distinguishes bones that the character lacks from non-bone nodes', () => {
    const tip = names.find((name) => name.endsWith('_End') || name.endsWith('4')) as string;
    expect(messagesOf([clip([track('mixamorig:LeftToeBase', 'rotation'), track(tip, 'rotation')])])[0]).toMatch(
      /1 × rotation of bones, 1 × rotation of non-bone nodes/,
    );
  });

  it('does not count constant channels', () => {
    expect(messagesOf([clip([track('mixamorig:LeftArm', 'scale', false)])])).toEqual([]);
  });
});

describe('animatesHumanoid', () => {
  it('is true for any used channel, false otherwise', () => {
    expect(animatesHumanoid(followed, clip([track('mixamorig:LeftArm', 'rotation')]), 0)).toBe(true);
    expect(animatesHumanoid(followed, clip([track('Armature', 'translation')]), 0)).toBe(true);
    expect(animatesHumanoid(followed, clip([track('mixamorig:LeftArm', 'scale')]), 0)).toBe(false);
    expect(animatesHumanoid(followed, clip([], 3, 3), 0)).toBe(false);
  });
});
