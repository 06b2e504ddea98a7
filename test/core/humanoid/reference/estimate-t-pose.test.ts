import { describe, expect, test } from 'vitest';
import { BONE, type BoneName } from '../../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { type Estimate, estimateTPose } from '../../../../src/core/humanoid/reference/estimate-t-pose.ts';
import { nodePose } from '../../../../src/core/humanoid/reference/model-pose.ts';
import { type TurnedPose, turnPose } from '../../../../src/core/humanoid/reference/reference-pose.ts';
import { without } from '../../../make/change-rig.ts';
import { type TinyNode, tBody } from '../../../make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../near.ts';
import { aboutAxis, IDENTITY, minus, product, type Quaternion, read } from '../../../reference/plain.ts';
import { EXACT } from '../../../tolerances.ts';

function estimate({ skeleton, map }: Humanoid, attitude: Quaternion = IDENTITY): Estimate & TurnedPose {
  const pose = nodePose(skeleton);
  const found = estimateTPose(skeleton, map.nodes, pose, Float64Array.from(attitude));
  return { ...found, ...turnPose(map.nodes, pose, found.turns) };
}

/** From one bone to another in the T-pose that was found, at length 1. */
function direction({ positions }: TurnedPose, from: BoneName, to: BoneName): readonly number[] {
  const segment = minus(read(positions, 3 * BONE[to], 3), read(positions, 3 * BONE[from], 3));
  return segment.map((x) => x / Math.hypot(...segment));
}

function turnOf({ turns }: Estimate, bone: BoneName): number[] {
  return read(turns, 4 * BONE[bone], 4);
}

const about = {
  x: (angle: number): Quaternion => aboutAxis([1, 0, 0], angle),
  y: (angle: number): Quaternion => aboutAxis([0, 1, 0], angle),
  z: (angle: number): Quaternion => aboutAxis([0, 0, 1], angle),
};

/** A left hand of five fingers, palm down; `curl` bends the first joints of the fingers. */
function leftHand(curl: Quaternion = IDENTITY): TinyNode[] {
  const finger = (name: string, z: number): TinyNode[] => [
    { name: `left${name}Proximal`, parent: 'leftHand', at: [0.09, 0, z], turn: curl },
    { name: `left${name}Intermediate`, parent: `left${name}Proximal`, at: [0.04, 0, 0] },
    { name: `left${name}Distal`, parent: `left${name}Intermediate`, at: [0.03, 0, 0] },
  ];
  return [...finger('Index', 0.03), ...finger('Middle', 0), ...finger('Ring', -0.02), ...finger('Little', -0.04)];
}

const LEFT_THUMB: readonly TinyNode[] = [
  { name: 'leftThumbMetacarpal', parent: 'leftHand', at: [0.02, 0, 0.03] },
  { name: 'leftThumbProximal', parent: 'leftThumbMetacarpal', at: [0.03, 0, 0.03] },
];

describe('arms', () => {
  test('are raised by the shortest arc, each segment on top of the one before', () => {
    const found = estimate(tBody({ leftUpperArm: { turn: about.z(-0.8) }, leftLowerArm: { turn: about.y(-0.4) } }));
    expectSameRotation(turnOf(found, 'leftUpperArm'), about.z(0.8), EXACT);
    expectNear(direction(found, 'leftUpperArm', 'leftLowerArm'), [1, 0, 0], EXACT);
    expectNear(direction(found, 'leftLowerArm', 'leftHand'), [1, 0, 0], EXACT);
    expectSameRotation(turnOf(found, 'rightUpperArm'), IDENTITY, EXACT);
  });

  test('that point across the body are lowered first, then raised sideways', () => {
    const found = estimate(tBody({ leftUpperArm: { turn: about.y(Math.PI) } }));
    expectNear(direction(found, 'leftUpperArm', 'leftLowerArm'), [1, 0, 0], EXACT);
    expectSameRotation(turnOf(found, 'leftUpperArm'), about.z(Math.PI), EXACT);
  });

  test('are rolled by a bent elbow, so that its hinge bends the forearm to the front', () => {
    // Rolled about its own axis, the arm shows its forearm going up instead of forward.
    const found = estimate(
      tBody({ leftUpperArm: { turn: about.x(-Math.PI / 2) }, leftLowerArm: { turn: about.y(-1.2) } }),
    );
    expectSameRotation(turnOf(found, 'leftUpperArm'), about.x(Math.PI / 2), EXACT);
    expectNear(direction(found, 'leftLowerArm', 'leftHand'), [1, 0, 0], EXACT);
  });

  test('are not rolled by an elbow that is hardly bent', () => {
    const found = estimate(
      tBody({ leftUpperArm: { turn: about.x(-Math.PI / 2) }, leftLowerArm: { turn: about.y(-0.4) } }),
    );
    expectSameRotation(turnOf(found, 'leftUpperArm'), IDENTITY, EXACT);
  });

  test('without a forearm point at the hand', () => {
    const body = without(tBody({ leftUpperArm: { turn: about.z(-0.8) } }), [BONE.leftLowerArm]);
    expectNear(direction(estimate(body), 'leftUpperArm', 'leftHand'), [1, 0, 0], EXACT);
  });
});

describe('hands', () => {
  test('are turned palm down by their knuckles', () => {
    const found = estimate(tBody({ leftHand: { turn: product(about.x(1), about.z(0.3)) } }, ...leftHand()));
    expectNear(direction(found, 'leftHand', 'leftMiddleProximal'), [1, 0, 0], EXACT);
    expectNear(direction(found, 'leftLittleProximal', 'leftIndexProximal'), [0, 0, 1], EXACT);
  });

  test('are turned palm down by the thumb without knuckles', () => {
    const found = estimate(tBody({ leftHand: { turn: about.x(1) } }, ...LEFT_THUMB));
    expectSameRotation(turnOf(found, 'leftHand'), about.x(-1), EXACT);
    expect(found.issues.map(({ message }) => message.slice(0, 9))).toEqual(['rightHand']);
  });

  test('keep the roll of the forearm with neither, which is said', () => {
    const found = estimate(tBody({ leftHand: { turn: about.x(1) } }));
    expectSameRotation(turnOf(found, 'leftHand'), IDENTITY, EXACT);
    expect(found.issues.map(({ code }) => code)).toEqual(['POSE_LIMB_UNSURE', 'POSE_LIMB_UNSURE']);
  });

  test('without a middle finger follow their other fingers, whose curl does not count', () => {
    const three = leftHand(about.z(-0.5)).filter(({ name }) => !/Middle|Ring/.test(name));
    const found = estimate(tBody({ leftHand: { turn: about.y(0.4) } }, ...three));
    expectSameRotation(turnOf(found, 'leftHand'), about.y(-0.4), EXACT);
  });

  test('with one finger point at its knuckle', () => {
    const one = leftHand().filter(({ name }) => name.includes('Index'));
    const found = estimate(tBody({}, ...one));
    expectNear(direction(found, 'leftHand', 'leftIndexProximal'), [1, 0, 0], EXACT);
  });
});

describe('fingers', () => {
  test('are straightened joint by joint, thumbs to 45°', () => {
    const found = estimate(tBody({}, ...leftHand(about.z(-0.7)), ...LEFT_THUMB));
    expectNear(direction(found, 'leftRingProximal', 'leftRingIntermediate'), [1, 0, 0], EXACT);
    expectNear(direction(found, 'leftRingIntermediate', 'leftRingDistal'), [1, 0, 0], EXACT);
    expectNear(direction(found, 'leftThumbMetacarpal', 'leftThumbProximal'), [Math.SQRT1_2, 0, Math.SQRT1_2], EXACT);
  });

  test('show by a node at their tip how the last joint is bent', () => {
    const tip = { name: 'tip', parent: 'leftIndexDistal', at: [0.02, -0.02, 0] };
    const bent = estimate(tBody({}, ...leftHand(), tip));
    expectSameRotation(turnOf(bent, 'leftIndexDistal'), about.z(Math.PI / 4), EXACT);
    expectSameRotation(turnOf(estimate(tBody({}, ...leftHand())), 'leftIndexDistal'), IDENTITY, EXACT);
  });

  test('with several nodes at their tip are left alone', () => {
    const tips = [1, 2].map((k) => ({ name: `tip${k}`, parent: 'leftIndexDistal', at: [0.02, -0.02 * k, 0] }));
    expectSameRotation(turnOf(estimate(tBody({}, ...leftHand(), ...tips)), 'leftIndexDistal'), IDENTITY, EXACT);
  });
});

describe('legs', () => {
  test('are straightened downward', () => {
    const found = estimate(tBody({ leftUpperLeg: { turn: about.z(0.3) }, leftLowerLeg: { turn: about.x(0.4) } }));
    expectNear(direction(found, 'leftUpperLeg', 'leftLowerLeg'), [0, -1, 0], EXACT);
    expectNear(direction(found, 'leftLowerLeg', 'leftFoot'), [0, -1, 0], EXACT);
  });

  test('are rolled by a bent knee, so that it bends the shin back', () => {
    const found = estimate(tBody({ leftUpperLeg: { turn: about.y(0.6) }, leftLowerLeg: { turn: about.x(1) } }));
    expectSameRotation(turnOf(found, 'leftUpperLeg'), about.y(-0.6), EXACT);
  });
});

describe('feet', () => {
  test('keep their pitch when the leg is straightened', () => {
    const found = estimate(tBody({ leftUpperLeg: { turn: about.x(-0.5) }, leftFoot: { turn: about.x(0.5) } }));
    expectSameRotation(turnOf(found, 'leftFoot'), IDENTITY, EXACT);
    expectSameRotation(turnOf(found, 'leftToes'), IDENTITY, EXACT);
  });

  test('turn their toes to the front', () => {
    const found = estimate(tBody({ leftFoot: { turn: about.y(0.5) } }));
    expectSameRotation(turnOf(found, 'leftFoot'), about.y(-0.5), EXACT);
  });

  test('without toes turn by the node at their tip, if it lies ahead', () => {
    const toeless = (at: readonly number[]): Estimate => {
      const tip = { name: 'tip', parent: 'leftFoot', at };
      return estimate(tBody({ leftFoot: { turn: about.y(0.5) }, leftToes: { name: 'end', parent: 'hips' } }, tip));
    };
    expectSameRotation(turnOf(toeless([0, -0.05, 0.1]), 'leftFoot'), about.y(-0.5), EXACT);
    expectSameRotation(turnOf(toeless([0, -0.1, 0.01]), 'leftFoot'), IDENTITY, EXACT);
  });
});

describe('trunk', () => {
  test('follows the hips: its curve is the character', () => {
    const attitude = about.y(0.7);
    const found = estimate(tBody({ spine: { turn: about.x(0.4) } }), attitude);
    for (const bone of ['hips', 'spine', 'head'] as const) expectSameRotation(turnOf(found, bone), attitude, EXACT);
  });
});
