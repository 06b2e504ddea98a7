import { describe, expect, test } from 'vitest';
import { planRetarget } from '../../../src/core/retarget/plan.ts';
import { planShape, restWith } from '../../../src/core/retarget/plan-shape.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { clipOf, tinyHumanoid, track } from '../../make/tiny-humanoid.ts';
import { expectSameRotation } from '../../near.ts';
import { aboutAxis } from '../../reference/plain.ts';
import { EXACT } from '../../tolerances.ts';

const TWIST = aboutAxis([0, 1, 0], 1);
const plain = tinyHumanoid(
  { name: 'armature' },
  { name: 'hips', parent: 'armature', at: [0, 1, 0] },
  { name: 'twist', parent: 'hips' },
  { name: 'spine', parent: 'twist', at: [0, 0.2, 0] },
  { name: 'hair', parent: 'spine' },
);

/** The body in a rest pose other than its shape: every node turned, moved and scaled. */
function changed(): Float64Array {
  const rest = Float64Array.from(plain.skeleton.rest);
  for (let node = 0; node < 5; node++) rest.set([9, 9, 9, ...TWIST, 3, 3, 3], 10 * node);
  return rest;
}

const resting = {
  ...plain,
  skeleton: { ...plain.skeleton, rest: changed() },
  shape: Float64Array.from(plain.skeleton.rest),
};

describe('planShape', () => {
  test('holds nothing where the rest is the shape', () => {
    expect(planShape(plain)).toEqual([]);
    expect(planShape({ ...plain, shape: Float64Array.from(plain.skeleton.rest) })).toEqual([]);
  });

  test('holds all of a node between bones, translation and scale of bones, and the scale of the hips', () => {
    const held = planShape(resting).map(({ targetNode, path }) => `${plain.skeleton.names[targetNode]} ${path}`);
    expect(held.sort()).toEqual([
      'hips scale',
      'spine scale',
      'spine translation',
      'twist rotation',
      'twist scale',
      'twist translation',
    ]);
  });

  test('holds joints of the skin that hang beside the bones', () => {
    const joints = plain.skeleton.names.map((name) => Number(name === 'hair' || name === 'armature'));
    const bound = { ...resting, skeleton: { ...resting.skeleton, joints: Uint8Array.from(joints) } };
    const held = planShape(bound).map(({ targetNode, path }) => `${plain.skeleton.names[targetNode]} ${path}`);
    expect(held.filter((one) => one.startsWith('hair'))).toEqual(['hair translation', 'hair rotation', 'hair scale']);
    expect(held.filter((one) => one.startsWith('armature'))).toEqual([]);
  });

  test('takes differences of float32 rounding for none', () => {
    const rest = Float64Array.from(plain.skeleton.rest, (value) => value * (1 + 1e-7));
    expect(planShape({ ...resting, skeleton: { ...plain.skeleton, rest } })).toEqual([]);
  });
});

describe('restWith', () => {
  test('is the rest with the held values in it', () => {
    const rest = restWith(resting, planShape(resting));
    expect(rest.subarray(20, 30)).toEqual(plain.skeleton.rest.subarray(20, 30));
    expect(rest.subarray(40, 50)).toEqual(resting.skeleton.rest.subarray(40, 50));
  });
});

describe('held values of a clip', () => {
  test('are constant tracks, and the motion goes on top of them', () => {
    const source = tinyHumanoid({ name: 'hips', at: [0, 1, 0] }, { name: 'spine', parent: 'hips', at: [0, 0.2, 0] });
    const turn = aboutAxis([1, 0, 0], 0.5);
    const moving = track(source, 'spine', 'rotation', 'STEP', [0, 1], [[0, 0, 0, 1], turn]);
    const { tracks } = retargetClip(planRetarget(source, resting), clipOf(moving));
    const held = tracks.find(({ target, path }) => target === 2 && path === 'rotation');
    expect(held).toMatchObject({
      interpolation: 'STEP',
      times: Float32Array.of(0),
      values: Float64Array.of(0, 0, 0, 1),
    });
    const spine = tracks.find(({ target, path }) => target === 3 && path === 'rotation');
    expectSameRotation(spine!.values.subarray(4), turn, EXACT);
  });
});
