import { describe, expect, it } from 'vitest';
import type { Findings } from '../../../../src/formats/usd/read/geometry-findings.ts';
import { faceCount, readPolygons, type UsdPolygons } from '../../../../src/formats/usd/read/read-polygons.ts';
import { stageOf } from '../stage/scene.ts';

function polygonsOf(attributes: string): { polygons: UsdPolygons; told: string[] } {
  const findings: Findings = new Map();
  const polygons = readPolygons(stageOf(`def Mesh "M" {\n${attributes}\n}`), '/M', findings);
  return { polygons, told: Array.from(findings, ([what, { count }]) => `${what}: ${count}`) };
}

const POINTS = 'point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]';

describe('the polygons of a Mesh', () => {
  it('are corners, face after face, with holes and the side from which they are seen', () => {
    const { polygons, told } = polygonsOf(`${POINTS}
      int[] faceVertexCounts = [3, 4]
      int[] faceVertexIndices = [0, 1, 2, 3, 2, 1, 0]
      int[] holeIndices = [1, 7]
      token orientation = "leftHanded"`);
    expect([...polygons.starts]).toEqual([0, 3, 7]);
    expect([...polygons.corners]).toEqual([0, 1, 2, 3, 2, 1, 0]);
    expect([...polygons.holes]).toEqual([0, 1]);
    expect(polygons.isLeftHanded).toBe(true);
    expect(told).toEqual([]);
  });

  it('of a mesh that moves are those of the first sample', () => {
    const { polygons } = polygonsOf(`point3f[] points.timeSamples = {
        3: [(7, 0, 0)],
        5: [(9, 0, 0)],
      }`);
    expect([...polygons.points]).toEqual([7, 0, 0]);
  });

  it('have no corners from the first count on that is none', () => {
    const { polygons, told } = polygonsOf(`${POINTS}
      int[] faceVertexCounts = [3, -2, 3]
      int[] faceVertexIndices = [0, 1, 2, 0, 1, 2]`);
    expect([...polygons.starts]).toEqual([0, 3, 3, 3]);
    expect(faceCount(polygons)).toBe(3);
    expect(told).toEqual(['Corners that belong to no face were left out: 3']);
  });

  it('have no corners where counts ask for more than there are', () => {
    const { polygons } = polygonsOf(`int[] faceVertexCounts = [2147483647, 2147483647]\nint[] faceVertexIndices = [0]`);
    expect([...polygons.starts]).toEqual([0, 0, 0]);
  });

  it('mark corners of points that are not there, and set numbers that are none to 0', () => {
    const { polygons, told } = polygonsOf(`point3f[] points = [(nan, 1, inf)]
      int[] faceVertexCounts = [3]
      int[] faceVertexIndices = [0, 1, -1]`);
    expect([...polygons.points]).toEqual([0, 1, 0]);
    expect([...polygons.corners]).toEqual([0, -1, -1]);
    expect(told).toEqual([
      'Numbers of points that are not finite were set to 0: 2',
      'Corners lead to points that are not there; their faces were left out: 2',
    ]);
  });
});
