import { describe, expect, test } from 'vitest';
import { planBasePose, restWithChannels } from '../../../src/core/retarget/plan-base-pose.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { clipOf, tinyHumanoid, track } from '../../support/make/tiny-humanoid.ts';
import { expectSameRotation } from '../../support/near.ts';
import { aboutAxis } from '../../support/reference/plain.ts';
import { EXACT } from '../../support/tolerances.ts';

const TWIST = aboutAxis([0, 1, 0], 1);
const plain = tinyHumanoid(
  { name: 'armature' },
  { name: 'hips', parent: 'armature', at: [0, 1, 0] },
  { name: 'twist', parent: 'hips' },
  { name: 'spine', parent: 'twist', at: [0, 0.2, 0] },
  { name: 'hair', parent: 'spine' },
);

/** A rest pose other than the base pose: every node rotated, moved and scaled. */
function changed(): Float64Array {
  const rest = Float64Array.from(plain.skeleton.rest);
  for (let node = 0; node < 5; node++) rest.set([9, 9, 9, ...TWIST, 3, 3, 3], 10 * node);
  return rest;
}

const restsElsewhere = {
  ...plain,
  skeleton: { ...plain.skeleton, rest: changed() },
  basePose: Float64Array.from(plain.skeleton.rest),
};

describe('planBasePose', () => {
  test('returns nothing if the rest pose is the base pose', () => {
    expect(planBasePose(plain)).toEqual([]);
    expect(planBasePose({ ...plain, basePose: Float64Array.from(plain.skeleton.rest) })).toEqual([]);
  });

  test('returns all channels of nodes between bones, translation and scale of bones, and the scale of the hips', () => {
    const channels = planBasePose(restsElsewhere).map(
      ({ targetNode, path }) => `${plain.skeleton.names[targetNode]} ${path}`,
    );
    expect(channels.sort()).toEqual([
      'hips scale',
      'spine scale',
      'spine translation',
      'twist rotation',
      'twist scale',
      'twist translation',
    ]);
  });

  test('returns the channels of skin joints that are parented to bones', () => {
    const joints = plain.skeleton.names.map((name) => Number(name === 'hair' || name === 'armature'));
    const bound = { ...restsElsewhere, skeleton: { ...restsElsewhere.skeleton, joints: Uint8Array.from(joints) } };
    const channels = planBasePose(bound).map(({ targetNode, path }) => `${plain.skeleton.names[targetNode]} ${path}`);
    expect(channels.filter((one) => one.startsWith('hair'))).toEqual([
      'hair translation',
      'hair rotation',
      'hair scale',
    ]);
    expect(channels.filter((one) => one.startsWith('armature'))).toEqual([]);
  });

  test('ignores differences of float32 rounding', () => {
    const rest = Float64Array.from(plain.skeleton.rest, (value) => value * (1 + 1e-7));
    expect(planBasePose({ ...restsElsewhere, skeleton: { ...plain.skeleton, rest } })).toEqual([]);
  });
});

describe('restWithChannels', () => {
  test('returns the rest pose with the channels applied', () => {
    const rest = restWithChannels(restsElsewhere, planBasePose(restsElsewhere));
    expect(rest.subarray(20, 30)).toEqual(plain.skeleton.rest.subarray(20, 30));
    expect(rest.subarray(40, 50)).toEqual(restsElsewhere.skeleton.rest.subarray(40, 50));
  });
});

describe('retargetClip with a base pose', () => {
  test('writes constant tracks for the base pose and applies the motion to it', () => {
    const source = tinyHumanoid({ name: 'hips', at: [0, 1, 0] }, { name: 'spine', parent: 'hips', at: [0, 0.2, 0] });
    const bend = aboutAxis([1, 0, 0], 0.5);
    const moving = track(source, 'spine', 'rotation', 'STEP', [0, 1], [[0, 0, 0, 1], bend]);
    const { tracks } = retargetClip(planRetarget(source, restsElsewhere), clipOf(moving));
    const twist = tracks.find(({ target, path }) => target === 2 && path === 'rotation');
    expect(twist).toMatchObject({
      interpolation: 'STEP',
      times: Float32Array.of(0),
      values: Float64Array.of(0, 0, 0, 1),
    });
    const spine = tracks.find(({ target, path }) => target === 3 && path === 'rotation');
    expectSameRotation(spine!.values.subarray(4), bend, EXACT);
  });
});
