import { expect, it } from 'vitest';
import { isSameMap, mapRows, withBone, withSidesSwapped } from '../../../studio/src/app/map-rows.ts';

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
