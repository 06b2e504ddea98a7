import { describe, expect, test } from 'vitest';
import { sampleClip } from '../../../../src/core/animation/sample.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { planRetarget } from '../../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../../src/core/retarget/retarget-clip.ts';
import { restPose } from '../../../../src/core/skeleton/pose.ts';
import { clipOf, tinyHumanoid, tPoseHumanoid, track } from '../../../support/make/tiny-humanoid.ts';
import { aboutAxis, angle, IDENTITY, rotationOf } from '../../../support/reference/plain.ts';
import { LAW_F64, RESAMPLED_RADIANS } from '../../../support/tolerances.ts';

const source = tPoseHumanoid();
const target = tPoseHumanoid({}, { name: 'forearm_twist', parent: 'leftLowerArm', at: [0.125, 0, 0] });
const X = [1, 0, 0];
const Z = [0, 0, 1];

/** Retargets a clip and returns the tracks of a node. */
function tracksOf(character: Humanoid, name: string, clip: Parameters<typeof retargetClip>[1]) {
  const node = character.skeleton.names.indexOf(name);
  return retargetClip(planRetarget(source, character, { distribute: true }), clip).tracks.filter(
    (one) => one.target === node,
  );
}

describe('twistTrack of a joint', () => {
  const roll = clipOf(
    track(
      source,
      'leftHand',
      'rotation',
      'CUBICSPLINE',
      [0, 1],
      [[0, 0, 0, 0], IDENTITY, [0, 0, 0, 0], [0, 0, 0, 0], aboutAxis(X, 1), [0, 0, 0, 0]],
    ),
  );

  test('is resampled within the tolerance; the bone keeps its keys', () => {
    const [hand] = tracksOf(target, 'leftHand', roll);
    expect(hand.interpolation).toBe('CUBICSPLINE');
    expect(hand.times).toBe(roll.tracks[0].times);
    const [twist, ...more] = tracksOf(target, 'forearm_twist', roll);
    expect(more).toEqual([]);
    expect([twist.path, twist.interpolation]).toEqual(['rotation', 'LINEAR']);
    const pose = restPose(source.skeleton);
    const shown = restPose(target.skeleton);
    for (const time of [0, 0.2, 0.5, 0.9, 1]) {
      sampleClip(roll, time, pose);
      sampleClip({ name: '', duration: 1, tracks: [twist] }, time, shown);
      const hands = angle(rotationOf(pose, source.map.nodes[12]), IDENTITY);
      const expected = aboutAxis(X, hands / 2);
      expect(angle(rotationOf(shown, twist.target), expected)).toBeLessThan(RESAMPLED_RADIANS);
    }
  });

  test('has one key if the driver is constant; without a track of the driver there is no track', () => {
    const still = clipOf(track(source, 'leftHand', 'rotation', 'LINEAR', [0, 1], [aboutAxis(X, 1), aboutAxis(X, 1)]));
    const [twist] = tracksOf(target, 'forearm_twist', still);
    expect(twist.times).toHaveLength(1);
    expect(angle(Array.from(twist.values), aboutAxis(X, 0.5))).toBeLessThan(LAW_F64);
    const other = clipOf(track(source, 'head', 'rotation', 'LINEAR', [0, 1], [IDENTITY, aboutAxis(X, 1)]));
    expect(tracksOf(target, 'forearm_twist', other)).toEqual([]);
  });

  test('follows the jumps of a STEP track', () => {
    const steps = clipOf(
      track(source, 'leftHand', 'rotation', 'STEP', [0, 0.5, 1], [IDENTITY, aboutAxis(X, 1), IDENTITY]),
    );
    const [twist] = tracksOf(target, 'forearm_twist', steps);
    const shown = restPose(target.skeleton);
    for (const [time, roll] of [
      [0.49, 0],
      [0.51, 0.5],
      [0.99, 0.5],
    ]) {
      sampleClip({ name: '', duration: 1, tracks: [twist] }, time, shown);
      expect(angle(rotationOf(shown, twist.target), aboutAxis(X, roll))).toBeLessThan(RESAMPLED_RADIANS);
    }
  });

  test('has keys on a uniform grid with fps', () => {
    const node = target.skeleton.names.indexOf('forearm_twist');
    const result = retargetClip(planRetarget(source, target), roll, { fps: 10 });
    expect(result.tracks.find((one) => one.target === node)?.times).toHaveLength(11);
  });
});

describe('twistTrack of a bone below rotated joints', () => {
  const trunk = tinyHumanoid(
    { name: 'hips', at: [0, 1, 0] },
    { name: 'spine', parent: 'hips', at: [0, 0.2, 0] },
    { name: 'x', parent: 'spine', at: [0, 0.2, 0] },
    { name: 'head', parent: 'x', at: [0, 0.2, 0] },
    { name: 'leftUpperArm', parent: 'x', at: [0.2, 0, 0] },
  );
  const arm = track(source, 'leftUpperArm', 'rotation', 'LINEAR', [0, 1], [IDENTITY, aboutAxis(Z, 1)]);

  test('keeps its keys while the rotation of the joints is constant', () => {
    const head = track(source, 'head', 'rotation', 'LINEAR', [0], [aboutAxis(X, 0.8)]);
    const [result] = tracksOf(trunk, 'leftUpperArm', clipOf(head, arm));
    expect(result.times).toBe(arm.times);
    // Half of the nod is canceled in front of its own rotation.
    expect(angle(Array.from(result.values.subarray(0, 4)), aboutAxis(X, -0.4))).toBeLessThan(LAW_F64);
  });

  test('is resampled if the joints rotate', () => {
    const head = track(source, 'head', 'rotation', 'LINEAR', [0, 0.5, 1], [IDENTITY, aboutAxis(X, 0.8), IDENTITY]);
    const [result] = tracksOf(trunk, 'leftUpperArm', clipOf(head, arm));
    expect(result.times.length).toBeGreaterThan(2);
    const shown = restPose(trunk.skeleton);
    sampleClip({ name: '', duration: 1, tracks: [result] }, 0, shown);
    expect(angle(rotationOf(shown, result.target), IDENTITY)).toBeLessThan(LAW_F64);
  });
});
