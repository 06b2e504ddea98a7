import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { addExtraTracks, planExtraBones } from '../../../src/core/retarget/extra-bones.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { localToModelMatrices } from '../../../src/core/skeleton/pose.ts';
import { findHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { retargetClips } from '../../../src/files/jobs/retarget-clips.ts';
import { resourceReader } from '../../../src/files/node/read-input.ts';
import { openBytes } from '../../../src/files/open.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { regauge } from '../../support/make/change-rig.ts';
import { openDemo } from '../../support/make/demo-files.ts';
import type { Quaternion } from '../../support/reference/plain.ts';

/** A humanoid whose right hand holds a sword with a blade below it. */
function armed({ skeleton, ...humanoid }: Humanoid, prefix = ''): Humanoid {
  const { names, parents, rest } = skeleton;
  const hand = humanoid.map.nodes[BONE.rightHand];
  const count = names.length;
  const grip = [0.02, -0.07, 0.03, 0.5, 0.5, -0.5, 0.5, 1, 1, 1];
  const blade = [0, 0.1, 0, 0, Math.SQRT1_2, 0, Math.SQRT1_2, 1, 1, 1];
  return {
    ...humanoid,
    basePose: null,
    skeleton: {
      ...skeleton,
      names: [...names, `${prefix}sword`, `${prefix}blade`],
      parents: Int32Array.of(...parents, hand, count),
      rest: Float64Array.of(...rest, ...grip, ...blade),
      bind: null,
      joints: Uint8Array.of(...skeleton.joints, 1, 1),
    },
  };
}

const turnAbout = (axis: number, angle: number): Quaternion => {
  const q: [number, number, number, number] = [0, 0, 0, Math.cos(angle / 2)];
  q[axis] = Math.sin(angle / 2);
  return q;
};

let source: Humanoid;
let clip: Clip;
beforeAll(async () => {
  const file = await openDemo('walk.glb');
  source = armed(findHumanoid(file).humanoid);
  const sword = source.skeleton.names.indexOf('sword');
  const times = Float32Array.of(0, 0.5, 1);
  const rotation = [turnAbout(0, 0.3), turnAbout(1, 1), turnAbout(2, -2)].flat();
  const track = (target: number, path: Track['path'], values: number[]): Track => {
    return { target, path, interpolation: 'LINEAR', times, values: Float64Array.from(values) };
  };
  clip = {
    name: 'swing',
    duration: 1,
    tracks: [
      ...file.asset.clips[0].clips[0].tracks,
      track(sword, 'rotation', rotation),
      track(sword, 'translation', [0.02, -0.07, 0.03, 0.1, 0, 0, 0, 0.2, 0.3]),
      track(sword + 1, 'rotation', rotation.toReversed()),
    ],
  };
});

describe('planExtraBones', () => {
  it('gives the same rig with other axes what the same motion has there, to 1e-6', () => {
    const gauges = source.skeleton.names.map((_, node) => turnAbout(node % 3, 0.4 + node));
    const changed = regauge(source, gauges);
    const target = {
      ...changed.humanoid,
      skeleton: { ...changed.humanoid.skeleton, names: source.skeleton.names.map((name) => `hero ${name}`) },
    };
    const plan = planRetarget(source, target);
    const extra = planExtraBones(plan, source, target, { sword: 'hero sword', blade: 'hero blade' });
    const { tracks } = addExtraTracks(plan, extra, clip, retargetClip(plan, clip));
    const expected = changed.clip(clip).tracks;
    const names = ['hero sword', 'hero blade'].map((name) => target.skeleton.names.indexOf(name));
    const wanted = expected.filter((track) => names.includes(track.target));
    expect(wanted).toHaveLength(3);
    for (const { target: node, path, values } of wanted) {
      const found = tracks.find((track) => track.target === node && track.path === path);
      const sign = path === 'rotation' && found!.values[3] * values[3] < 0 ? -1 : 1;
      for (const [k, value] of values.entries()) expect(Math.abs(sign * found!.values[k] - value)).toBeLessThan(1e-6);
    }
  });

  it('says which node does not exist, is a bone, or hangs on another bone', () => {
    const plan = planRetarget(source, source);
    const run = (pairs: Record<string, string>) => () => planExtraBones(plan, source, source, pairs);
    expect(run({ axe: 'sword' })).toThrow(/The motion has no node "axe"; expected one beyond its bones, such as/);
    const hand = source.skeleton.names[source.map.nodes[BONE.leftHand]];
    expect(run({ sword: hand })).toThrow(/is the bone leftHand; name it in the bone map/);
    const moved = { ...source, skeleton: { ...source.skeleton, parents: source.skeleton.parents.slice() } };
    moved.skeleton.parents[source.skeleton.names.indexOf('sword')] = source.map.nodes[BONE.leftHand];
    expect(() => planExtraBones(plan, source, moved, { sword: 'sword' })).toThrow(
      /hangs on rightHand, "sword" of the character on leftHand/,
    );
  });
});

describe.skipIf(!HAS_ASSETS)('weapons of a character', () => {
  const open = async (path: string) =>
    openBytes(readFileSync(path), { name: path, readResource: resourceReader(path) });

  it('stay in the hands of a knight to 1e-6 while it dances', async () => {
    const [dance, knight] = [
      await open(asset('assets', 'bvh', 'AD_rokoko_jesse_dance.bvh')),
      await open(asset('assets', 'glb', 'KayKit_Knight.glb')),
    ];
    const { clips } = await retargetClips([dance], knight, { clips: [0], edits: { trim: { to: 2 } }, contacts: 'off' });
    const { humanoid } = findHumanoid(knight);
    const { skeleton, map } = humanoid;
    const slot = skeleton.names.indexOf('handslot.r');
    const hand = map.nodes[BONE.rightHand];
    const count = skeleton.names.length;
    expect(slot).toBeGreaterThan(0);
    const [local, model] = [new Float64Array(10 * count), new Float64Array(16 * count)];
    /** Where the slot is in the axes of the hand. */
    const held = (): number[] => {
      localToModelMatrices(model, skeleton.parents, local);
      const [m, p] = [model.subarray(16 * hand, 16 * hand + 16), model.subarray(16 * slot, 16 * slot + 16)];
      return [0, 4, 8].map((c) => [0, 1, 2].reduce((sum, r) => sum + m[c + r] * (p[12 + r] - m[12 + r]), 0));
    };
    local.set(skeleton.rest);
    const first = held();
    for (let time = 0; time <= 2; time += 0.05) {
      local.set(skeleton.rest);
      sampleClip(clips[0].clip, time, local);
      for (const [k, value] of held().entries()) expect(Math.abs(value - first[k])).toBeLessThan(1e-6);
    }
  });
});
