import { describe, expect, it, test } from 'vitest';
import type { Track } from '../../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../../src/core/animation/sample.ts';
import { BONES } from '../../../../src/core/humanoid/bones.ts';
import { planDetachedBones } from '../../../../src/core/retarget/detached/plan-detached-joints.ts';
import { planRetarget } from '../../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../../src/core/retarget/retarget-clip.ts';
import { restPose } from '../../../../src/core/skeleton/pose.ts';
import { describeFileHumanoid } from '../../../../src/files/humanoid/describe-file-humanoid.ts';
import { openFile } from '../../../../src/files/node.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { clipOf, tinyHumanoid, track } from '../../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../../support/near.ts';
import { aboutAxis, IDENTITY, worldPose } from '../../../support/reference/plain.ts';
import { DETACHED_METERS, EXACT } from '../../../support/tolerances.ts';

const whole = tinyHumanoid(
  { name: 'hips', at: [0, 1, 0] },
  { name: 'leftUpperLeg', parent: 'hips', at: [0.1, 0, 0] },
  { name: 'leftLowerLeg', parent: 'leftUpperLeg', at: [0, -0.5, 0] },
  { name: 'leftFoot', parent: 'leftLowerLeg', at: [0, -0.4, 0] },
);
/** The foot is parented to a root of its own, and its node comes before that of the shin, which is parented to the hips. */
const split = tinyHumanoid(
  { name: 'ik', at: [0, 0, 5], turn: aboutAxis([0, 1, 0], 1), scale: [2, 2, 2] },
  { name: 'leftFoot', parent: 'ik', at: [1, 0, 0] },
  { name: 'hips', at: [0, 1, 0] },
  { name: 'leftUpperLeg', parent: 'hips', at: [0.1, 0, 0] },
  { name: 'leftLowerLeg', parent: 'hips', at: [0.1, -0.5, 0] },
);
const positions = Float64Array.from(split.reference.positions);
const target = { ...split, reference: { ...split.reference, positions } };
// The reference position of the foot is the end of the shin, wherever its node is.
positions.set([0.1, 0.1, 0], 3 * 15);

describe('planDetachedBones', () => {
  test('finds the bones whose parent bone is not their ancestor, in the order of the bones', () => {
    const plans = planDetachedBones(target);
    expect(plans.map(({ targetNode }) => split.skeleton.names[targetNode])).toEqual(['leftLowerLeg', 'leftFoot']);
    expectNear(plans[0].offset, [0, -0.5, 0], EXACT);
    expectNear(plans[1].offset, [0, -0.4, 0], EXACT);
    expect(plans[1].boneChain).toEqual(Int32Array.of(2, 4));
    expect(plans[1].parentChain).toEqual(Int32Array.of(0));
  });

  test('returns nothing if every bone is below its parent bone', () => {
    expect(planDetachedBones(whole)).toEqual([]);
  });
});

it.skipIf(!HAS_ASSETS)('planDetachedBones: moves the bones that BONE_HIERARCHY says are moved', async () => {
  const file = await openFile(asset('assets/glb/RobotExpressive.glb'));
  const { humanoid, issues } = describeFileHumanoid(file, 0);
  const { map } = humanoid!;
  const [message] = issues.flatMap((one) => (one.code === 'BONE_HIERARCHY' ? [one.message] : []));
  const named = [...message.matchAll(/(\w+) \([^)]*\)/g)].map(([, bone]) => bone);
  const moved = planDetachedBones(humanoid!).map(({ targetNode }) => BONES[map.nodes.indexOf(targetNode)]);
  expect(moved.length).toBeGreaterThan(2);
  expect(named).toEqual(moved);
  expect(message).toContain('they are moved so that they stay there');
});

describe('detachedTracks of bones', () => {
  const bend = aboutAxis([1, 0, 0], 1.2);
  const clip = clipOf(
    track(whole, 'leftUpperLeg', 'rotation', 'LINEAR', [0, 1], [IDENTITY, bend]),
    track(whole, 'leftLowerLeg', 'rotation', 'LINEAR', [0, 1], [IDENTITY, bend]),
  );
  const result = retargetClip(planRetarget(whole, target), clip);

  test('keep the bones at the end of their limb, also between keys', () => {
    const local = restPose(target.skeleton);
    const lawful = restPose(whole.skeleton);
    for (const time of [0, 0.21, 0.5, 0.83, 1]) {
      sampleClip(result, time, local);
      sampleClip(clip, time, lawful);
      const shown = worldPose(target.skeleton.parents, local).positions[1];
      expectNear(shown, worldPose(whole.skeleton.parents, lawful).positions[3], DETACHED_METERS);
    }
  });

  test('writes one translation track per bone', () => {
    const translated = result.tracks
      .filter(({ path }: Track) => path === 'translation')
      .map(({ target: node }) => node);
    expect(translated).toEqual([4, 1]);
  });

  test('write no more keys for a node that is at its parent but for rounding', () => {
    const keysOf = (distance: number): number => {
      const bone = [0.1, -0.5, 0];
      const near = tinyHumanoid(
        { name: 'hips', at: [0, 1, 0] },
        { name: 'leftUpperLeg', parent: 'hips', at: [0.1, 0, 0] },
        { name: 'control', at: [bone[0] - distance, 1 + bone[1], bone[2]] },
        { name: 'leftLowerLeg', parent: 'control', at: [distance, 0, 0] },
        { name: 'leftFoot', parent: 'leftLowerLeg', at: [0, -0.4, 0] },
      );
      const { tracks } = retargetClip(planRetarget(whole, near), clip);
      return tracks.reduce((sum, { times }) => sum + times.length, 0);
    };
    expect(keysOf(1e-9)).toBe(keysOf(0.1));
  });
});
