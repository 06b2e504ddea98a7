import { describe, expect, test } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { planRetarget } from '../../../src/core/retarget/plan.ts';
import { planAttachments } from '../../../src/core/retarget/plan-attachments.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { clipOf, tinyHumanoid, track } from '../../make/tiny-humanoid.ts';
import { expectNear } from '../../near.ts';
import { aboutAxis, IDENTITY, worldPose } from '../../reference/plain.ts';
import { ATTACHED_METERS, EXACT } from '../../tolerances.ts';

const whole = tinyHumanoid(
  { name: 'hips', at: [0, 1, 0] },
  { name: 'leftUpperLeg', parent: 'hips', at: [0.1, 0, 0] },
  { name: 'leftLowerLeg', parent: 'leftUpperLeg', at: [0, -0.5, 0] },
  { name: 'leftFoot', parent: 'leftLowerLeg', at: [0, -0.4, 0] },
);
/** The foot hangs below a root of its own, and its node comes before that of the shin, which hangs below the hips. */
const loose = tinyHumanoid(
  { name: 'ik', at: [0, 0, 5], turn: aboutAxis([0, 1, 0], 1), scale: [2, 2, 2] },
  { name: 'leftFoot', parent: 'ik', at: [1, 0, 0] },
  { name: 'hips', at: [0, 1, 0] },
  { name: 'leftUpperLeg', parent: 'hips', at: [0.1, 0, 0] },
  { name: 'leftLowerLeg', parent: 'hips', at: [0.1, -0.5, 0] },
);
const positions = Float64Array.from(loose.reference.positions);
const target = { ...loose, reference: { ...loose.reference, positions } };
// The foot belongs to the end of the shin, whatever its node says.
positions.set([0.1, 0.1, 0], 3 * 15);

describe('planAttachments', () => {
  test('finds the bones whose parent bone is not above them, in the order of the bones', () => {
    const attachments = planAttachments(target);
    expect(attachments.map(({ targetNode }) => loose.skeleton.names[targetNode])).toEqual(['leftLowerLeg', 'leftFoot']);
    expectNear(attachments[0].offset, [0, -0.5, 0], EXACT);
    expectNear(attachments[1].offset, [0, -0.4, 0], EXACT);
    expect(attachments[1].holderChain).toEqual(Int32Array.of(2, 4));
    expect(attachments[1].parentChain).toEqual(Int32Array.of(0));
  });

  test('is empty for bodies whose bones hang one below the other', () => {
    expect(planAttachments(whole)).toEqual([]);
  });
});

describe('attached bones of a clip', () => {
  const bend = aboutAxis([1, 0, 0], 1.2);
  const clip = clipOf(
    track(whole, 'leftUpperLeg', 'rotation', 'LINEAR', [0, 1], [IDENTITY, bend]),
    track(whole, 'leftLowerLeg', 'rotation', 'LINEAR', [0, 1], [IDENTITY, bend]),
  );
  const result = retargetClip(planRetarget(whole, target), clip);

  test('get a translation that keeps them at the end of their limb, between the keys too', () => {
    const local = restPose(target.skeleton);
    const lawful = restPose(whole.skeleton);
    for (const time of [0, 0.21, 0.5, 0.83, 1]) {
      sampleClip(result, time, local);
      sampleClip(clip, time, lawful);
      const shown = worldPose(target.skeleton.parents, local).positions[1];
      expectNear(shown, worldPose(whole.skeleton.parents, lawful).positions[3], ATTACHED_METERS);
    }
  });

  test('get one translation track each', () => {
    const translated = result.tracks
      .filter(({ path }: Track) => path === 'translation')
      .map(({ target: node }) => node);
    expect(translated).toEqual([4, 1]);
  });
});
