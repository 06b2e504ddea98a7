import { expect, it } from 'vitest';
import {
  isSameMap,
  mapRows,
  nextProblem,
  withBone,
  withLimb,
  withSidesSwapped,
} from '../../../studio/src/app/map-rows.ts';

const DATA = {
  bones: {
    hips: { node: 1, name: 'pelvis', confidence: 0.98 },
    spine: { node: 2, name: 'belly', confidence: 0.4 },
  },
  nodes: [
    { node: 0, name: 'root', parent: -1 },
    { node: 1, name: 'pelvis', parent: 0 },
    { node: 2, name: 'belly', parent: 1 },
    { node: 3, name: 'ribs', parent: 2 },
  ],
  presets: [],
  reason: null,
  json: '',
  issues: [],
};
const stateOf = (rows: ReturnType<typeof mapRows>, bone: string) => rows.find((row) => row.bone === bone)?.state;

it('mapRows: certain bones are automatic, uncertain ones are to be reviewed, missing ones are unmapped, or optional', () => {
  const rows = mapRows(DATA, null);
  expect(rows).toHaveLength(55);
  const states = ['hips', 'spine', 'head', 'jaw'].map((bone) => stateOf(rows, bone));
  expect(states).toEqual(['auto', 'review', 'unmapped', 'optional']);
});

it('mapRows: nodes of the user are found by name and by index', () => {
  const rows = mapRows(DATA, { hips: 1, spine: 'ribs' });
  expect(['hips', 'spine'].map((bone) => stateOf(rows, bone))).toEqual(['auto', 'given']);
  expect(rows.find(({ bone }) => bone === 'spine')?.node).toBe(3);
});

it('withBone: a node has one bone, so its former bone loses it', () => {
  const rows = mapRows(DATA, null);
  expect(withBone(rows, 'chest', 2)).toEqual({ hips: 1, chest: 2 });
  expect(withBone(rows, 'spine', null)).toEqual({ hips: 1 });
});

it('withSidesSwapped: left and right have each other’s nodes, the middle keeps its own', () => {
  const rows = mapRows(DATA, { hips: 1, leftHand: 2, rightHand: 3, leftEye: 0 });
  const swapped = withSidesSwapped(rows);
  expect(swapped).toEqual({ hips: 1, leftHand: 3, rightHand: 2, rightEye: 0 });
  expect(withSidesSwapped(mapRows(DATA, swapped))).toEqual({ hips: 1, leftHand: 2, rightHand: 3, leftEye: 0 });
});

it('isSameMap: bones and nodes count, not their order', () => {
  expect(isSameMap({ hips: 1, head: 2 }, { head: 2, hips: 1 })).toBe(true);
  expect(isSameMap({ hips: 1 }, { hips: 1, head: 2 })).toBe(false);
});

/** A trunk with two arms of which the left has a twist joint, and a neck; nothing is detected. */
const RIG = {
  ...DATA,
  bones: {},
  nodes: (
    [
      ['hips', -1],
      ['chest', 0],
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['c_twist', 4],
      ['d', 5],
      ['e', 1],
      ['f', 7],
      ['g', 8],
      ['h', 9],
      ['neck', 1],
      ['skull', 11],
      ['top', 12],
    ] as const
  ).map(([name, parent], k) => ({ node: 100 + k, name, parent })),
};

it('withLimb: a click on the hand maps the arm up to the trunk, without twist joints', () => {
  const map = withLimb(mapRows(RIG, {}), RIG.nodes, 'leftHand', 106);
  expect(map).toEqual({ leftHand: 106, leftLowerArm: 104, leftUpperArm: 103, leftShoulder: 102 });
  expect(withLimb(mapRows(RIG, map), RIG.nodes, 'head', 112)).toEqual({ ...map, head: 112, neck: 111 });
});

it('withLimb: bones that have joints keep them, and the others get those between', () => {
  const upper = mapRows(RIG, { leftUpperArm: 102 });
  expect(withLimb(upper, RIG.nodes, 'leftHand', 106)).toEqual({ leftUpperArm: 102, leftHand: 106, leftLowerArm: 104 });
  const lower = mapRows(RIG, { leftLowerArm: 103 });
  expect(withLimb(lower, RIG.nodes, 'leftHand', 106)).toEqual({ leftLowerArm: 103, leftHand: 106, leftUpperArm: 102 });
  const shoulder = mapRows(RIG, { leftShoulder: 102 });
  const whole = { leftShoulder: 102, leftHand: 106, leftLowerArm: 104, leftUpperArm: 103 };
  expect(withLimb(shoulder, RIG.nodes, 'leftHand', 106)).toEqual(whole);
});

it('withLimb: nothing is filled beside a bone whose joint is on another limb', () => {
  const rows = mapRows(RIG, { leftUpperArm: 108 });
  expect(withLimb(rows, RIG.nodes, 'leftHand', 106)).toEqual({ leftUpperArm: 108, leftHand: 106 });
});

it.each(['arm_twist', 'LeftArmTwist', 'LeftArmRoll', 'arm_roll_01', 'ArmRollBone'])(
  'withLimb: %s is passed over',
  (name) => {
    const nodes = RIG.nodes.map((one) => (one.node === 103 ? { ...one, name } : one));
    const map = withLimb(mapRows(RIG, {}), nodes, 'leftHand', 106);
    expect(map).toEqual({ leftHand: 106, leftLowerArm: 104, leftUpperArm: 102 });
  },
);

it.each(['arm_controller', 'ARM_CONTROLLER'])('withLimb: %s is a joint like others', (name) => {
  const nodes = RIG.nodes.map((one) => (one.node === 103 ? { ...one, name } : one));
  expect(withLimb(mapRows(RIG, {}), nodes, 'leftHand', 106)).toMatchObject({ leftUpperArm: 103 });
});

it('nextProblem: asks for ends of limbs first, and begins again after the last', () => {
  const rows = mapRows(RIG, {});
  expect(nextProblem(rows, null)?.bone).toBe('hips');
  expect(nextProblem(rows, 'hips')?.bone).toBe('head');
  expect(nextProblem(mapRows(RIG, { hips: 100 }), 'rightFoot')?.bone).toBe('spine');
  expect(nextProblem(mapRows(DATA, null).slice(0, 1), null)).toBeNull();
});
