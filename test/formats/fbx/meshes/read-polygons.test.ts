import { describe, expect, it } from 'vitest';
import type { IssueTally } from '../../../../src/core/report/issue-tally.ts';
import { numbersIn } from '../../../../src/formats/fbx/document/records.ts';
import { integersIn, readPolygons } from '../../../../src/formats/fbx/meshes/read-polygons.ts';
import { rec } from '../fbx-bytes.ts';
import { mesh, polygonRecords, SQUARE } from '../fbx-mesh.ts';

function polygonsOf(points: readonly number[], corners: readonly number[]) {
  const faults: IssueTally = new Map();
  const inside = [
    rec('Vertices', [Float64Array.from(points)]),
    rec('PolygonVertexIndex', [Float64Array.from(corners)]),
  ];
  return { ...readPolygons(mesh(1, inside), faults), faults: [...faults.entries()] };
}

describe('readPolygons', () => {
  it('ends polygons at negative corners', () => {
    const faults: IssueTally = new Map();
    const read = readPolygons(
      mesh(
        1,
        polygonRecords(SQUARE.points, [
          [0, 1, 2],
          [2, 3, 0],
        ]),
      ),
      faults,
    );
    expect([...read.points]).toEqual(SQUARE.points);
    expect([...read.corners]).toEqual([0, 1, 2, 2, 3, 0]);
    expect([...read.starts]).toEqual([0, 3, 6]);
    expect(faults.size).toBe(0);
  });

  it('keeps the numbering for corners of missing control points', () => {
    const { corners, starts, faults } = polygonsOf(SQUARE.points, [0, 1, ~9, 2.5, 3, ~0, 4, Number.NaN]);
    expect([...corners]).toEqual([0, 1, -1, -1, 3, 0, -1, -1]);
    expect([...starts]).toEqual([0, 3, 6]);
    expect(faults).toEqual([
      ['corners refer to missing control points; their polygons were left out', 4],
      ['corners at the end belong to an incomplete polygon; it was left out', 2],
    ]);
  });

  it('replaces coordinates that are not finite by 0, and ignores incomplete control points', () => {
    const { points, faults } = polygonsOf([1, Number.NaN, 1e300, 4, 5], []);
    expect([...points]).toEqual([1, 0, 0]);
    expect(faults).toEqual([['coordinates of control points are not finite; they were set to 0', 2]]);
  });

  it('returns no polygons without records', () => {
    expect(readPolygons(rec('Geometry'), new Map())).toEqual({
      points: new Float64Array(0),
      corners: new Int32Array(0),
      starts: new Int32Array(1),
    });
  });
});

it('integersIn: reads integers of any array type, −1 for invalid values', () => {
  expect([...integersIn([rec('A', [Float64Array.of(1, -2, 1.5, Number.NaN, 1e12)])], 'A')]).toEqual([
    1, -2, -1, -1, -1,
  ]);
  expect([...integersIn([rec('A', [BigInt64Array.of(7n)])], 'A')]).toEqual([7]);
  expect([...numbersIn([rec('A', [1, 'x', 2])], 'A')]).toEqual([1, Number.NaN, 2]);
  expect(numbersIn([], 'A')).toHaveLength(0);
});
