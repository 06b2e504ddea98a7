import { describe, expect, test } from 'vitest';
import { BONES } from '../../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import type { RetargetOptions } from '../../../../src/core/retarget/options.ts';
import { planRetarget } from '../../../../src/core/retarget/plan-retarget.ts';
import { retargetPose } from '../../../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../../../src/core/skeleton/pose.ts';
import { chooseHumanoid } from '../../../../src/files/humanoid/find-humanoid.ts';
import { openFile } from '../../../../src/files/node.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { type TinyNode, tinyHumanoid, tPoseHumanoid } from '../../../support/make/tiny-humanoid.ts';
import {
  aboutAxis,
  angle,
  apart,
  IDENTITY,
  inverse,
  product,
  type Quaternion,
  rotationOf,
  worldPose,
} from '../../../support/reference/plain.ts';
import { LAW_F64 } from '../../../support/tolerances.ts';

const DEGREE = Math.PI / 180;
const X = [1, 0, 0];
const Y = [0, 1, 0];
const Z = [0, 0, 1];

/** A pose with some of the nodes rotated; the rest pose has no rotations. */
function posed(character: Humanoid, rotations: Readonly<Record<string, Quaternion>>): Float64Array {
  const local = restPose(character.skeleton);
  for (const [name, rotation] of Object.entries(rotations)) {
    local.set(rotation, 10 * character.skeleton.names.indexOf(name) + 3);
  }
  return local;
}

const source = tPoseHumanoid();

/** Retargets a pose and returns the world rotations of the nodes of the target; its rest pose has no rotations. */
function rotationsOf(
  target: Humanoid,
  rotations: Readonly<Record<string, Quaternion>>,
  options: RetargetOptions = {},
  from: Humanoid = source,
): (name: string) => Quaternion {
  const local = retargetPose(planRetarget(from, target, options), posed(from, rotations), restPose(target.skeleton));
  const world = worldPose(target.skeleton.parents, local);
  return (name) => world.rotations[target.skeleton.names.indexOf(name)];
}

function expectRotation(actual: Quaternion, expected: Quaternion): void {
  expect(angle(actual, expected)).toBeLessThan(LAW_F64);
}

const roll = aboutAxis(X, 80 * DEGREE);
const HAND_ROLL = { leftHand: roll };

describe('planTwists on the forearm', () => {
  test('joints between elbow and hand take a fraction of the roll by their position; the hand keeps its rotation', () => {
    const target = withBetween('leftLowerArm', 'leftHand', [
      { name: 'twistA', at: [0.0625, 0, 0] },
      { name: 'x', at: [0.1875, 0, 0] },
    ]);
    const rotated = rotationsOf(target, HAND_ROLL);
    expectRotation(rotated('leftLowerArm'), IDENTITY);
    expectRotation(rotated('twistA'), aboutAxis(X, 20 * DEGREE));
    expectRotation(rotated('x'), aboutAxis(X, 60 * DEGREE));
    expectRotation(rotated('leftHand'), roll);
  });

  test('joints beside the line rotate so that the hand keeps its position', () => {
    const target = withBetween('leftLowerArm', 'leftHand', [{ name: 'wrist', at: [0.2, 0.01, 0] }]);
    const local = retargetPose(planRetarget(source, target), posed(source, HAND_ROLL), restPose(target.skeleton));
    const shown = worldPose(target.skeleton.parents, local);
    const rest = worldPose(target.skeleton.parents, target.skeleton.rest);
    const [wrist, hand] = ['wrist', 'leftHand'].map((name) => target.skeleton.names.indexOf(name));
    expect(angle(shown.rotations[wrist], IDENTITY)).toBeGreaterThan(60 * DEGREE);
    expect(apart(shown.positions[hand], rest.positions[hand])).toBeLessThan(LAW_F64);
    expectRotation(shown.rotations[hand], roll);
  });

  test('joints beside the hand need the name of a twist joint', () => {
    const beside = (name: string): Humanoid => tPoseHumanoid({}, { name, parent: 'leftLowerArm', at: [0.125, 0, 0] });
    expectRotation(
      rotationsOf(beside('lowerarm_twist_01_l'), HAND_ROLL)('lowerarm_twist_01_l'),
      aboutAxis(X, 40 * DEGREE),
    );
    expectRotation(rotationsOf(beside('bracer'), HAND_ROLL)('bracer'), IDENTITY);
    expectRotation(rotationsOf(beside('ForeArmRoll'), HAND_ROLL, { twist: false })('ForeArmRoll'), IDENTITY);
  });

  test('twist joints take no swing of the hand', () => {
    const target = tPoseHumanoid({}, { name: 'forearm_twist', parent: 'leftLowerArm', at: [0.2, 0, 0] });
    const bent = product(aboutAxis(Z, 1), aboutAxis(X, 0.5));
    const rotated = rotationsOf(target, { leftHand: bent });
    expectRotation(rotated('forearm_twist'), aboutAxis(X, 0.4));
    expectRotation(rotated('leftHand'), bent);
  });

  test('joints far from the limb are not twist joints', () => {
    const target = tPoseHumanoid({}, { name: 'roll_handle', parent: 'leftLowerArm', at: [0.1, 0.2, 0] });
    expectRotation(rotationsOf(target, HAND_ROLL)('roll_handle'), IDENTITY);
  });

  test('nested twist joints take the fraction of their own position', () => {
    const target = tPoseHumanoid(
      {},
      { name: 'twist_1', parent: 'leftLowerArm', at: [0.05, 0, 0] },
      { name: 'twist_2', parent: 'twist_1', at: [0.1, 0, 0] },
    );
    const rotated = rotationsOf(target, HAND_ROLL);
    expectRotation(rotated('twist_1'), aboutAxis(X, 16 * DEGREE));
    expectRotation(rotated('twist_2'), aboutAxis(X, 48 * DEGREE));
  });
});

describe('planTwists on the upper arm and the thigh', () => {
  test('twist joints rotate less than the limb, the less the nearer to the torso', () => {
    const target = tPoseHumanoid(
      {},
      { name: 'upperarm_twist_01', parent: 'leftUpperArm', at: [0, 0, 0] },
      { name: 'upperarm_twist_02', parent: 'leftUpperArm', at: [0.15, 0, 0] },
      { name: 'thigh_twist', parent: 'leftUpperLeg', at: [0, -0.125, 0] },
    );
    const rotated = rotationsOf(target, { leftUpperArm: roll, leftUpperLeg: aboutAxis(Y, 0.8) });
    expectRotation(rotated('leftUpperArm'), roll);
    expectRotation(rotated('upperarm_twist_01'), IDENTITY);
    expectRotation(rotated('upperarm_twist_02'), aboutAxis(X, 40 * DEGREE));
    expectRotation(rotated('thigh_twist'), aboutAxis(Y, 0.2));
  });

  test('twist joints follow the swing of the limb', () => {
    const target = tPoseHumanoid({}, { name: 'upperarm_twist', parent: 'leftUpperArm', at: [0.15, 0, 0] });
    const swing = aboutAxis(Z, -1.2);
    const rotated = rotationsOf(target, { leftUpperArm: product(swing, roll) });
    expectRotation(rotated('upperarm_twist'), product(swing, aboutAxis(X, 40 * DEGREE)));
  });
});

/** A character in T-pose with nodes inserted between two of its nodes; `at` is relative to `above`. */
function withBetween(above: string, below: string, joints: readonly TinyNode[]): Humanoid {
  const plain = tPoseHumanoid();
  const { names, parents, rest } = plain.skeleton;
  const first = names.indexOf(below);
  const total = Array.from(rest.subarray(10 * first, 10 * first + 3));
  const last = joints[joints.length - 1].at ?? [0, 0, 0];
  const nodes: TinyNode[] = names.flatMap((name, node) => {
    const parent = parents[node] < 0 ? {} : { parent: names[parents[node]] };
    const own: TinyNode = { name, ...parent, at: Array.from(rest.subarray(10 * node, 10 * node + 3)) };
    if (name !== below) return [own];
    const chain = joints.map((joint, k): TinyNode => {
      const before = k === 0 ? [0, 0, 0] : (joints[k - 1].at ?? [0, 0, 0]);
      const at = (joint.at ?? [0, 0, 0]).map((x, c) => x - before[c]);
      return { name: joint.name, parent: k === 0 ? above : joints[k - 1].name, at };
    });
    return [...chain, { ...own, parent: joints[joints.length - 1].name, at: total.map((x, c) => x - last[c]) }];
  });
  return tinyHumanoid(...nodes);
}

describe('planTwists between bones of the spine', () => {
  const chain = withBetween('spine', 'head', [
    { name: 'a', at: [0, 0.1, 0] },
    { name: 'b', at: [0, 0.1, 0] },
    { name: 'c', at: [0, 0.3, 0] },
  ]);
  const nod = product(aboutAxis(Y, 0.4), aboutAxis(X, 0.6));

  test('joints keep their rest rotation by default', () => {
    const rotated = rotationsOf(chain, { head: nod });
    for (const name of ['a', 'b', 'c']) expectRotation(rotated(name), IDENTITY);
    expectRotation(rotated('head'), nod);
  });

  test('distribute: joints take equal steps per position, and the end bone is exact', () => {
    const rotated = rotationsOf(chain, { spine: aboutAxis(Z, 0.3), head: nod }, { distribute: true });
    const spine = aboutAxis(Z, 0.3);
    const whole = product(spine, nod);
    const third = product(rotated('a'), inverse(spine));
    expectRotation(rotated('spine'), spine);
    expectRotation(rotated('head'), whole);
    expectRotation(rotated('b'), rotated('a'));
    expectRotation(product(third, third, third), product(whole, inverse(spine)));
    expectRotation(rotated('c'), product(third, third, spine));
  });

  test('distribute: other bones below the joints keep their rotation', () => {
    // The arm is parented to the second of three spine joints.
    const spine = tinyHumanoid(
      { name: 'hips', at: [0, 1, 0] },
      { name: 'spine', parent: 'hips', at: [0, 0.2, 0] },
      { name: 'x', parent: 'spine', at: [0, 0.2, 0] },
      { name: 'head', parent: 'x', at: [0, 0.2, 0] },
      { name: 'leftUpperArm', parent: 'x', at: [0.2, 0, 0] },
    );
    const rotated = rotationsOf(spine, { head: nod, leftUpperArm: roll }, { distribute: true });
    expectRotation(product(rotated('x'), rotated('x')), nod);
    expectRotation(rotated('leftUpperArm'), roll);
    expectRotation(rotated('head'), nod);
  });
});

describe('planTwists on fingers', () => {
  test('distribute: joints after the first finger bone take a fraction, joints of the palm do not', () => {
    const hand = (extra: readonly TinyNode[], ...rest: readonly TinyNode[]): Humanoid =>
      tPoseHumanoid({}, ...extra, ...rest);
    const from = hand([{ name: 'leftIndexProximal', parent: 'leftHand', at: [0.1, 0, 0] }], {
      name: 'leftIndexIntermediate',
      parent: 'leftIndexProximal',
      at: [0.05, 0, 0],
    });
    const target = hand(
      [
        { name: 'palm.01', parent: 'leftHand', at: [0.05, 0, 0] },
        { name: 'leftIndexProximal', parent: 'palm.01', at: [0.05, 0, 0] },
        { name: 'index_b', parent: 'leftIndexProximal', at: [0.02, 0, 0] },
      ],
      { name: 'leftIndexIntermediate', parent: 'index_b', at: [0.03, 0, 0] },
    );
    const bend = aboutAxis(Z, -0.5);
    const rotated = rotationsOf(
      target,
      { leftIndexProximal: bend, leftIndexIntermediate: bend },
      { distribute: true },
      from,
    );
    expectRotation(rotated('palm.01'), IDENTITY);
    expectRotation(rotated('leftIndexProximal'), bend);
    expectRotation(rotated('index_b'), aboutAxis(Z, -0.75));
    expectRotation(rotated('leftIndexIntermediate'), aboutAxis(Z, -1));
  });
});

describe('planTwists on duplicates of a bone', () => {
  const index: TinyNode = { name: 'leftIndexProximal', parent: 'palm', at: [0.1, 0, 0] };
  const bend = aboutAxis(Z, 0.7);

  test('a duplicate with the child bones below it rotates with the bone; the child bones keep their rotation', () => {
    const target = tPoseHumanoid({}, { name: 'palm', parent: 'leftLowerArm', at: [0.25, 0, 0] }, index);
    const from = tPoseHumanoid({}, { ...index, parent: 'leftHand' });
    const rotated = rotationsOf(target, { leftHand: bend, leftIndexProximal: roll }, {}, from);
    expectRotation(rotated('palm'), bend);
    expectRotation(rotated('leftIndexProximal'), product(bend, roll));
  });

  test('a duplicate without bones below it rotates with the bone only if the names are similar', () => {
    const target = tPoseHumanoid(
      {},
      { name: 'leftHand.001', parent: 'leftLowerArm', at: [0.25, 0, 0] },
      { name: 'bracelet', parent: 'leftLowerArm', at: [0.25, 0, 0] },
    );
    const rotated = rotationsOf(target, { leftHand: bend });
    expectRotation(rotated('leftHand.001'), bend);
    expectRotation(rotated('bracelet'), IDENTITY);
  });
});

describe('planTwists on nodes outside the skin', () => {
  test('nodes that are not joints of the skin keep their rest rotation', () => {
    const target = withBetween('leftLowerArm', 'leftHand', [{ name: 'twist', at: [0.125, 0, 0] }]);
    const joints = target.skeleton.joints.map((_, node) => (target.skeleton.names[node] === 'twist' ? 0 : 1));
    const skinned = { ...target, skeleton: { ...target.skeleton, joints } };
    const local = retargetPose(planRetarget(source, skinned), posed(source, HAND_ROLL), restPose(target.skeleton));
    expect(rotationOf(local, target.skeleton.names.indexOf('twist'))).toEqual(IDENTITY);
    expect(planRetarget(source, skinned).twists).toEqual([]);
  });
});

describe.skipIf(!HAS_ASSETS)('planTwists on real characters', () => {
  const describeTwists = async (path: string, options: RetargetOptions = {}): Promise<string[]> => {
    const { humanoid } = chooseHumanoid(await openFile(asset(path)), 'target', {}).found!;
    const plan = planRetarget(source, humanoid, options);
    return plan.twists
      .filter(({ bone }) => bone < 0)
      .map(({ targetNode, driver, axis, fraction }) =>
        [
          humanoid.skeleton.names[targetNode],
          axis === null ? 'rotation' : 'twist',
          BONES[plan.bones[driver]],
          fraction.toFixed(2),
        ].join(' '),
      );
  };

  test('finds the twist joints of SeedSan and pc_lumberjack', async () => {
    expect(await describeTwists('assets/fbx/SeedSan_betterfbx.fbx')).toEqual([
      'forearm.twist.L twist leftHand 0.27',
      'forearm.twist.R twist rightHand 0.27',
    ]);
    expect(await describeTwists('assets/glb/pc_lumberjack.glb')).toContain('DEF-forearm.L.001_048 twist leftHand 0.50');
  });

  test('rotates the palm joints of RobotExpressive with the hand', async () => {
    expect(await describeTwists('assets/glb/RobotExpressive.glb')).toEqual(
      ['Palm1.L', 'Palm3.L', 'Palm1.R', 'Palm3.R'].map(
        (name) => `${name} rotation ${name.endsWith('L') ? 'left' : 'right'}Hand 1.00`,
      ),
    );
  });

  test('distributes the long spines of ozz and mocopi on request', async () => {
    expect(await describeTwists('assets/fbx/ozz_pab_skeleton.fbx')).toEqual([]);
    expect(await describeTwists('assets/fbx/ozz_pab_skeleton.fbx', { distribute: true })).toEqual([
      'Spine2 rotation upperChest 0.50',
    ]);
    expect(await describeTwists('assets/vrma/ChatVRM_idle_loop.vrma', { distribute: true })).toContain(
      'torso_5 rotation upperChest 0.33',
    );
  });

  test('returns nothing for Xbot, which has no twist joints', async () => {
    expect(await describeTwists('assets/glb/Xbot.glb', { distribute: true })).toEqual([]);
  });
});
