import { describe, expect, it } from 'vitest';
import type { Findings } from '../../../../../src/formats/usd/read/geometry-findings.ts';
import { faceCount, readPolygons, type UsdPolygons } from '../../../../../src/formats/usd/read/meshes/read-polygons.ts';
import { stageOf } from '../../stage/scene.ts';

function polygonsOf(attributes: string): { polygons: UsdPolygons; messages: string[] } {
  const findings: Findings = new Map();
  const polygons = readPolygons(stageOf(`def Mesh "M" {\n${attributes}\n}`), '/M', findings);
  return { polygons, messages: Array.from(findings, ([what, { count }]) => `${what}: ${count}`) };
}

const POINTS = 'point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]';

describe('readPolygons', () => {
  it('reads corners by face, holes and orientation', () => {
    const { polygons, messages } = polygonsOf(`${POINTS}
      int[] faceVertexCounts = [3, 4]
      int[] faceVertexIndices = [0, 1, 2, 3, 2, 1, 0]
      int[] holeIndices = [1, 7]
      token orientation = "leftHanded"`);
    expect([...polygons.starts]).toEqual([0, 3, 7]);
    expect([...polygons.corners]).toEqual([0, 1, 2, 3, 2, 1, 0]);
    expect([...polygons.holes]).toEqual([0, 1]);
    expect(polygons.isLeftHanded).toBe(true);
    expect(messages).toEqual([]);
  });

  it('reads the first sample of animated points', () => {
    const { polygons } = polygonsOf(`point3f[] points.timeSamples = {
        3: [(7, 0, 0)],
        5: [(9, 0, 0)],
      }`);
    expect([...polygons.points]).toEqual([7, 0, 0]);
  });

  it('drops corners from the first negative count on', () => {
    const { polygons, messages } = polygonsOf(`${POINTS}
      int[] faceVertexCounts = [3, -2, 3]
      int[] faceVertexIndices = [0, 1, 2, 0, 1, 2]`);
    expect([...polygons.starts]).toEqual([0, 3, 3, 3]);
    expect(faceCount(polygons)).toBe(3);
    expect(messages).toEqual(['Face-vertices belong to no face and were dropped: 3']);
  });

  it('drops corners from the first count on that exceeds the indices', () => {
    const { polygons } = polygonsOf(`int[] faceVertexCounts = [2147483647, 2147483647]\nint[] faceVertexIndices = [0]`);
    expect([...polygons.starts]).toEqual([0, 0, 0]);
  });

  it('marks corners of missing points, and sets non-finite coordinates to 0', () => {
    const { polygons, messages } = polygonsOf(`point3f[] points = [(nan, 1, inf)]
      int[] faceVertexCounts = [3]
      int[] faceVertexIndices = [0, 1, -1]`);
    expect([...polygons.points]).toEqual([0, 1, 0]);
    expect([...polygons.corners]).toEqual([0, -1, -1]);
    expect(messages).toEqual([
      'Point coordinates are not finite and were set to 0: 2',
      'Face-vertices refer to missing points; their faces were dropped: 2',
    ]);
  });
});
