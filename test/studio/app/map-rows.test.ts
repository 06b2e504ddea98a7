import { expect, it } from 'vitest';
import type { BoneAssignments } from '../../../src/core/index.ts';
import {
  bonesThatStay,
  isSameMap,
  mapOfClicks,
  mapRows,
  NO_CLICKS,
  nextProblem,
  withBone,
  withClick,
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
  skeleton: 0,
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

it('mapRows: what was clicked, and what followed from it, needs no further look', () => {
  const clicks = { clicked: { hips: 1 }, followed: { spine: 2 } };
  const states = (map: BoneAssignments) => {
    const rows = mapRows(DATA, map, clicks);
    return ['hips', 'spine'].map((bone) => stateOf(rows, bone));
  };
  expect(states({ hips: 1, spine: 2 })).toEqual(['given', 'given']);
  expect(states({ hips: 1, spine: 3 })).toEqual(['given', 'given']);
  // The clicks were undone.
  expect(mapRows(DATA, null, clicks)).toEqual(mapRows(DATA, null));
});

it('bonesThatStay: what is certain and what was chosen stays, what is to be looked at and what followed does not', () => {
  const rows = mapRows(DATA, null);
  expect(bonesThatStay(rows, NO_CLICKS, 'head', 3)).toEqual({ hips: 1, head: 3 });
  const clicks = { clicked: { head: 3 }, followed: { spine: 2 } };
  const after = mapRows(DATA, { hips: 1, spine: 2, head: 3 }, clicks);
  expect(bonesThatStay(after, clicks, 'jaw', 0)).toEqual({ hips: 1, head: 3, jaw: 0 });
  expect(bonesThatStay(after, clicks, 'jaw', 3)).toEqual({ hips: 1, jaw: 3 });
});

it('withClick: bones follow from a click, and a control that was clicked gives the joint where it is', () => {
  const stay = { hips: 1, head: 0 };
  const found = { hips: 1, head: 3, spine: 2 } as const;
  expect(withClick(NO_CLICKS, 'head', stay, found)).toEqual({ clicked: { head: 3 }, followed: { spine: 2 } });
  // The click stays where nothing follows from it, as on a joint of another skeleton.
  expect(withClick(NO_CLICKS, 'head', { head: 9 }, {})).toEqual({ clicked: { head: 9 }, followed: {} });
});

it('mapOfClicks: bones that did not follow keep their joints as far as these are free', () => {
  const rows = mapRows(DATA, { hips: 1, spine: 2, jaw: 3 });
  expect(mapOfClicks(rows, { clicked: { head: 3 }, followed: { chest: 2 } })).toEqual({ hips: 1, chest: 2, head: 3 });
});

it('nextProblem: asks for ends of limbs first, and begins again after the last', () => {
  const rows = mapRows(RIG, {});
  expect(nextProblem(rows, null)?.bone).toBe('hips');
  expect(nextProblem(rows, 'hips')?.bone).toBe('head');
  expect(nextProblem(mapRows(RIG, { hips: 100 }), 'rightFoot')?.bone).toBe('spine');
  expect(nextProblem(mapRows(DATA, null).slice(0, 1), null)).toBeNull();
});
