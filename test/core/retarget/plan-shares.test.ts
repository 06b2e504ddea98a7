import { describe, expect, test } from 'vitest';
import { BONES } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import type { RetargetOptions } from '../../../src/core/retarget/options.ts';
import { planRetarget } from '../../../src/core/retarget/plan.ts';
import { retargetPose } from '../../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { chooseBody } from '../../../src/files/choose-body.ts';
import { openFile } from '../../../src/files/node.ts';
import { asset, HAS_ASSETS } from '../../assets.ts';
import { type TinyNode, tBody, tinyHumanoid } from '../../make/tiny-humanoid.ts';
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
} from '../../reference/plain.ts';
import { LAW_F64 } from '../../tolerances.ts';

const DEGREE = Math.PI / 180;
const X = [1, 0, 0];
const Y = [0, 1, 0];
const Z = [0, 0, 1];

/** The pose of a T body with some of its nodes turned; nodes rest without rotation. */
function posed(body: Humanoid, turns: Readonly<Record<string, Quaternion>>): Float64Array {
  const local = restPose(body.skeleton);
  for (const [name, turn] of Object.entries(turns)) local.set(turn, 10 * body.skeleton.names.indexOf(name) + 3);
  return local;
}

const source = tBody();

/** How much a node of the target is turned in the world when the source is posed so; its rest has no rotation. */
function turnsOf(
  target: Humanoid,
  turns: Readonly<Record<string, Quaternion>>,
  options: RetargetOptions = {},
  from: Humanoid = source,
): (name: string) => Quaternion {
  const local = retargetPose(planRetarget(from, target, options), posed(from, turns), restPose(target.skeleton));
  const { rotations } = worldPose(target.skeleton.parents, local);
  return (name) => rotations[target.skeleton.names.indexOf(name)];
}

function expectTurn(actual: Quaternion, expected: Quaternion): void {
  expect(angle(actual, expected)).toBeLessThan(LAW_F64);
}

const roll = aboutAxis(X, 80 * DEGREE);
const HAND_ROLL = { leftHand: roll };

describe('twist joints of the forearm', () => {
  test('between elbow and hand take their share of its roll by their place, and the hand stays', () => {
    const target = withBetween('leftLowerArm', 'leftHand', [
      { name: 'twistA', at: [0.0625, 0, 0] },
      { name: 'x', at: [0.1875, 0, 0] },
    ]);
    const turned = turnsOf(target, HAND_ROLL);
    expectTurn(turned('leftLowerArm'), IDENTITY);
    expectTurn(turned('twistA'), aboutAxis(X, 20 * DEGREE));
    expectTurn(turned('x'), aboutAxis(X, 60 * DEGREE));
    expectTurn(turned('leftHand'), roll);
  });

  test('that are a little off the line turn so that the hand stays where it is', () => {
    const target = withBetween('leftLowerArm', 'leftHand', [{ name: 'wrist', at: [0.2, 0.01, 0] }]);
    const local = retargetPose(planRetarget(source, target), posed(source, HAND_ROLL), restPose(target.skeleton));
    const shown = worldPose(target.skeleton.parents, local);
    const rest = worldPose(target.skeleton.parents, target.skeleton.rest);
    const [wrist, hand] = ['wrist', 'leftHand'].map((name) => target.skeleton.names.indexOf(name));
    expect(angle(shown.rotations[wrist], IDENTITY)).toBeGreaterThan(60 * DEGREE);
    expect(apart(shown.positions[hand], rest.positions[hand])).toBeLessThan(LAW_F64);
    expectTurn(shown.rotations[hand], roll);
  });

  test('beside the hand as well, where they are named as such', () => {
    const beside = (name: string): Humanoid => tBody({}, { name, parent: 'leftLowerArm', at: [0.125, 0, 0] });
    expectTurn(turnsOf(beside('lowerarm_twist_01_l'), HAND_ROLL)('lowerarm_twist_01_l'), aboutAxis(X, 40 * DEGREE));
    expectTurn(turnsOf(beside('bracer'), HAND_ROLL)('bracer'), IDENTITY);
    expectTurn(turnsOf(beside('ForeArmRoll'), HAND_ROLL, { twist: false })('ForeArmRoll'), IDENTITY);
  });

  test('take nothing of the bend of the hand', () => {
    const target = tBody({}, { name: 'forearm_twist', parent: 'leftLowerArm', at: [0.2, 0, 0] });
    const bent = product(aboutAxis(Z, 1), aboutAxis(X, 0.5));
    const turned = turnsOf(target, { leftHand: bent });
    expectTurn(turned('forearm_twist'), aboutAxis(X, 0.4));
    expectTurn(turned('leftHand'), bent);
  });

  test('far off the limb are none', () => {
    const target = tBody({}, { name: 'roll_handle', parent: 'leftLowerArm', at: [0.1, 0.2, 0] });
    expectTurn(turnsOf(target, HAND_ROLL)('roll_handle'), IDENTITY);
  });

  test('nested below each other each have the share of their own place', () => {
    const target = tBody(
      {},
      { name: 'twist_1', parent: 'leftLowerArm', at: [0.05, 0, 0] },
      { name: 'twist_2', parent: 'twist_1', at: [0.1, 0, 0] },
    );
    const turned = turnsOf(target, HAND_ROLL);
    expectTurn(turned('twist_1'), aboutAxis(X, 16 * DEGREE));
    expectTurn(turned('twist_2'), aboutAxis(X, 48 * DEGREE));
  });
});

describe('twist joints of the upper arm and the thigh', () => {
  test('turn less than the limb, the less the nearer to the trunk', () => {
    const target = tBody(
      {},
      { name: 'upperarm_twist_01', parent: 'leftUpperArm', at: [0, 0, 0] },
      { name: 'upperarm_twist_02', parent: 'leftUpperArm', at: [0.15, 0, 0] },
      { name: 'thigh_twist', parent: 'leftUpperLeg', at: [0, -0.125, 0] },
    );
    const turned = turnsOf(target, { leftUpperArm: roll, leftUpperLeg: aboutAxis(Y, 0.8) });
    expectTurn(turned('leftUpperArm'), roll);
    expectTurn(turned('upperarm_twist_01'), IDENTITY);
    expectTurn(turned('upperarm_twist_02'), aboutAxis(X, 40 * DEGREE));
    expectTurn(turned('thigh_twist'), aboutAxis(Y, 0.2));
  });

  test('go with the swing of the limb', () => {
    const target = tBody({}, { name: 'upperarm_twist', parent: 'leftUpperArm', at: [0.15, 0, 0] });
    const swing = aboutAxis(Z, -1.2);
    const turned = turnsOf(target, { leftUpperArm: product(swing, roll) });
    expectTurn(turned('upperarm_twist'), product(swing, aboutAxis(X, 40 * DEGREE)));
  });
});

/** A T body with more nodes on the way from one of its nodes to another; `at` counts from `above`. */
function withBetween(above: string, below: string, joints: readonly TinyNode[]): Humanoid {
  const plain = tBody();
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

describe('joints between bones of the trunk', () => {
  const chain = withBetween('spine', 'head', [
    { name: 'a', at: [0, 0.1, 0] },
    { name: 'b', at: [0, 0.1, 0] },
    { name: 'c', at: [0, 0.3, 0] },
  ]);
  const nod = product(aboutAxis(Y, 0.4), aboutAxis(X, 0.6));

  test('hold still by default', () => {
    const turned = turnsOf(chain, { head: nod });
    for (const name of ['a', 'b', 'c']) expectTurn(turned(name), IDENTITY);
    expectTurn(turned('head'), nod);
  });

  test('share the turn evenly from place to place when it is distributed, and the end is exact', () => {
    const turned = turnsOf(chain, { spine: aboutAxis(Z, 0.3), head: nod }, { distribute: true });
    const spine = aboutAxis(Z, 0.3);
    const whole = product(spine, nod);
    const third = product(turned('a'), inverse(spine));
    expectTurn(turned('spine'), spine);
    expectTurn(turned('head'), whole);
    expectTurn(turned('b'), turned('a'));
    expectTurn(product(third, third, third), product(whole, inverse(spine)));
    expectTurn(turned('c'), product(third, third, spine));
  });

  test('leave other bones below them where they belong', () => {
    // The arms hang on the second of three joints of a trunk.
    const trunk = tinyHumanoid(
      { name: 'hips', at: [0, 1, 0] },
      { name: 'spine', parent: 'hips', at: [0, 0.2, 0] },
      { name: 'x', parent: 'spine', at: [0, 0.2, 0] },
      { name: 'head', parent: 'x', at: [0, 0.2, 0] },
      { name: 'leftUpperArm', parent: 'x', at: [0.2, 0, 0] },
    );
    const turned = turnsOf(trunk, { head: nod, leftUpperArm: roll }, { distribute: true });
    expectTurn(product(turned('x'), turned('x')), nod);
    expectTurn(turned('leftUpperArm'), roll);
    expectTurn(turned('head'), nod);
  });
});

describe('fingers', () => {
  test('share turns from their second bone on; a palm is rigid', () => {
    const hand = (extra: readonly TinyNode[], ...rest: readonly TinyNode[]): Humanoid => tBody({}, ...extra, ...rest);
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
    const turned = turnsOf(
      target,
      { leftIndexProximal: bend, leftIndexIntermediate: bend },
      { distribute: true },
      from,
    );
    expectTurn(turned('palm.01'), IDENTITY);
    expectTurn(turned('leftIndexProximal'), bend);
    expectTurn(turned('index_b'), aboutAxis(Z, -0.75));
    expectTurn(turned('leftIndexIntermediate'), aboutAxis(Z, -1));
  });
});

describe('copies of a bone beside it', () => {
  const index: TinyNode = { name: 'leftIndexProximal', parent: 'palm', at: [0.1, 0, 0] };
  const bend = aboutAxis(Z, 0.7);

  test('turn as it does when its own bones hang below them, and these stay', () => {
    const target = tBody({}, { name: 'palm', parent: 'leftLowerArm', at: [0.25, 0, 0] }, index);
    const from = tBody({}, { ...index, parent: 'leftHand' });
    const turned = turnsOf(target, { leftHand: bend, leftIndexProximal: roll }, {}, from);
    expectTurn(turned('palm'), bend);
    expectTurn(turned('leftIndexProximal'), product(bend, roll));
  });

  test('turn as it does when they are named alike, otherwise not', () => {
    const target = tBody(
      {},
      { name: 'leftHand.001', parent: 'leftLowerArm', at: [0.25, 0, 0] },
      { name: 'bracelet', parent: 'leftLowerArm', at: [0.25, 0, 0] },
    );
    const turned = turnsOf(target, { leftHand: bend });
    expectTurn(turned('leftHand.001'), bend);
    expectTurn(turned('bracelet'), IDENTITY);
  });
});

describe('nodes that no vertex hangs on', () => {
  test('take no share where a skin tells which nodes are joints', () => {
    const target = withBetween('leftLowerArm', 'leftHand', [{ name: 'twist', at: [0.125, 0, 0] }]);
    const joints = target.skeleton.joints.map((_, node) => (target.skeleton.names[node] === 'twist' ? 0 : 1));
    const skinned = { ...target, skeleton: { ...target.skeleton, joints } };
    const local = retargetPose(planRetarget(source, skinned), posed(source, HAND_ROLL), restPose(target.skeleton));
    expect(rotationOf(local, target.skeleton.names.indexOf('twist'))).toEqual(IDENTITY);
    expect(planRetarget(source, skinned).shares).toEqual([]);
  });
});

describe.skipIf(!HAS_ASSETS)('real characters', () => {
  const shares = async (path: string, options: RetargetOptions = {}): Promise<string[]> => {
    const { humanoid } = chooseBody(await openFile(asset(path)), 'target', {}).body!;
    const plan = planRetarget(source, humanoid, options);
    return plan.shares
      .filter(({ bone }) => bone < 0)
      .map(({ targetNode, driver, axis, share }) =>
        [
          humanoid.skeleton.names[targetNode],
          axis === null ? 'turn' : 'twist',
          BONES[plan.bones[driver]],
          share.toFixed(2),
        ].join(' '),
      );
  };

  test('have their twist joints found: Seed-san, the lumberjack', async () => {
    expect(await shares('assets/fbx/SeedSan_betterfbx.fbx')).toEqual([
      'forearm.twist.L twist leftHand 0.27',
      'forearm.twist.R twist rightHand 0.27',
    ]);
    expect(await shares('assets/glb/pc_lumberjack.glb')).toContain('DEF-forearm.L.001_048 twist leftHand 0.50');
  });

  test('have all palm bones turn with the hand: RobotExpressive', async () => {
    expect(await shares('assets/glb/RobotExpressive.glb')).toEqual(
      ['Palm1.L', 'Palm3.L', 'Palm1.R', 'Palm3.R'].map(
        (name) => `${name} turn ${name.endsWith('L') ? 'left' : 'right'}Hand 1.00`,
      ),
    );
  });

  test('have long spines shared when asked for: ozz, mocopi', async () => {
    expect(await shares('assets/fbx/ozz_pab_skeleton.fbx')).toEqual([]);
    expect(await shares('assets/fbx/ozz_pab_skeleton.fbx', { distribute: true })).toEqual([
      'Spine2 turn upperChest 0.50',
    ]);
    expect(await shares('assets/vrma/ChatVRM_idle_loop.vrma', { distribute: true })).toContain(
      'torso_5 turn upperChest 0.33',
    );
  });

  test('without any are left as they are: Xbot', async () => {
    expect(await shares('assets/glb/Xbot.glb', { distribute: true })).toEqual([]);
  });
});
