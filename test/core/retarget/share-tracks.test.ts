import { describe, expect, test } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { planRetarget } from '../../../src/core/retarget/plan.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { clipOf, tBody, tinyHumanoid, track } from '../../make/tiny-humanoid.ts';
import { aboutAxis, angle, IDENTITY, rotationOf } from '../../reference/plain.ts';
import { LAW_F64, RESAMPLED_RADIANS } from '../../tolerances.ts';

const source = tBody();
const target = tBody({}, { name: 'forearm_twist', parent: 'leftLowerArm', at: [0.125, 0, 0] });
const X = [1, 0, 0];
const Z = [0, 0, 1];

/** The tracks of a node. */
function tracksOf(body: Humanoid, name: string, clip: Parameters<typeof retargetClip>[1]) {
  const node = body.skeleton.names.indexOf(name);
  return retargetClip(planRetarget(source, body, { distribute: true }), clip).tracks.filter(
    (one) => one.target === node,
  );
}

describe('tracks of joints that share turns', () => {
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

  test('are resampled to within the bound; keys of bones beside them pass as they are', () => {
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

  test('are one key where the driver stands still, none where it rests and the motion says nothing of it', () => {
    const still = clipOf(track(source, 'leftHand', 'rotation', 'LINEAR', [0, 1], [aboutAxis(X, 1), aboutAxis(X, 1)]));
    const [twist] = tracksOf(target, 'forearm_twist', still);
    expect(twist.times).toHaveLength(1);
    expect(angle(Array.from(twist.values), aboutAxis(X, 0.5))).toBeLessThan(LAW_F64);
    const other = clipOf(track(source, 'head', 'rotation', 'LINEAR', [0, 1], [IDENTITY, aboutAxis(X, 1)]));
    expect(tracksOf(target, 'forearm_twist', other)).toEqual([]);
  });

  test('follow a STEP track with jumps', () => {
    const steps = clipOf(
      track(source, 'leftHand', 'rotation', 'STEP', [0, 0.5, 1], [IDENTITY, aboutAxis(X, 1), IDENTITY]),
    );
    const [twist] = tracksOf(target, 'forearm_twist', steps);
    const shown = restPose(target.skeleton);
    for (const [time, turn] of [
      [0.49, 0],
      [0.51, 0.5],
      [0.99, 0.5],
    ]) {
      sampleClip({ name: '', duration: 1, tracks: [twist] }, time, shown);
      expect(angle(rotationOf(shown, twist.target), aboutAxis(X, turn))).toBeLessThan(RESAMPLED_RADIANS);
    }
  });

  test('have keys at the rate that is asked for', () => {
    const node = target.skeleton.names.indexOf('forearm_twist');
    const result = retargetClip(planRetarget(source, target), roll, { fps: 10 });
    expect(result.tracks.find((one) => one.target === node)?.times).toHaveLength(11);
  });
});

describe('bones below joints that share turns', () => {
  const trunk = tinyHumanoid(
    { name: 'hips', at: [0, 1, 0] },
    { name: 'spine', parent: 'hips', at: [0, 0.2, 0] },
    { name: 'x', parent: 'spine', at: [0, 0.2, 0] },
    { name: 'head', parent: 'x', at: [0, 0.2, 0] },
    { name: 'leftUpperArm', parent: 'x', at: [0.2, 0, 0] },
  );
  const arm = track(source, 'leftUpperArm', 'rotation', 'LINEAR', [0, 1], [IDENTITY, aboutAxis(Z, 1)]);

  test('keep their keys while the joints stand still, even turned', () => {
    const head = track(source, 'head', 'rotation', 'LINEAR', [0], [aboutAxis(X, 0.8)]);
    const [result] = tracksOf(trunk, 'leftUpperArm', clipOf(head, arm));
    expect(result.times).toBe(arm.times);
    // Half of the nod is undone in front of its own rotation.
    expect(angle(Array.from(result.values.subarray(0, 4)), aboutAxis(X, -0.4))).toBeLessThan(LAW_F64);
  });

  test('are resampled where these move', () => {
    const head = track(source, 'head', 'rotation', 'LINEAR', [0, 0.5, 1], [IDENTITY, aboutAxis(X, 0.8), IDENTITY]);
    const [result] = tracksOf(trunk, 'leftUpperArm', clipOf(head, arm));
    expect(result.times.length).toBeGreaterThan(2);
    const shown = restPose(trunk.skeleton);
    sampleClip({ name: '', duration: 1, tracks: [result] }, 0, shown);
    expect(angle(rotationOf(shown, result.target), IDENTITY)).toBeLessThan(LAW_F64);
  });
});
