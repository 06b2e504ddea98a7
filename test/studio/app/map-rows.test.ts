import { expect, it } from 'vitest';
import { mapRows, withBone } from '../../../studio/src/app/map-rows.ts';

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
  reason: null,
  json: '',
  issues: [],
};
const stateOf = (rows: ReturnType<typeof mapRows>, bone: string) => rows.find((row) => row.bone === bone)?.state;

it('mapRows: certain bones are automatic, uncertain ones are to be reviewed, missing ones are unmapped', () => {
  const rows = mapRows(DATA, null);
  expect(rows).toHaveLength(55);
  expect(['hips', 'spine', 'head'].map((bone) => stateOf(rows, bone))).toEqual(['auto', 'review', 'unmapped']);
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
