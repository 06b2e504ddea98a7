import { describe, expect, it } from 'vitest';
import { ContactMarks, triangulate } from '../../../src/stage/overlay/marks.ts';
import { OverlayMaterials } from '../../../src/stage/overlay/overlay-materials.ts';

/** Returns the area of triangles on the ground. */
function areaOf(points: Float32Array, triangles: readonly number[]): number {
  let area = 0;
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = triangles.slice(k, k + 3).map((corner) => [points[3 * corner], points[3 * corner + 2]]);
    area += Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2;
  }
  return area;
}

describe('triangulate', () => {
  it('covers a polygon with a concave corner exactly', () => {
    const points = new Float32Array([0, 0, 0, 2, 0, 0, 2, 0, 2, 1, 0, 1, 0, 0, 2]);
    expect(areaOf(points, triangulate(points))).toBeCloseTo(3, 6);
  });

  it('returns nothing below three corners', () => {
    expect(triangulate(new Float32Array([0, 0, 0, 1, 0, 0]))).toEqual([]);
  });
});

describe('ContactMarks', () => {
  it('shows marks from their first to their last moment', () => {
    const points = new Float32Array([0, 0, 0, 1, 0, 0, 1, 0, 1]);
    const areas = [
      { points, from: 0, to: 1, color: '#ff0000' },
      { points, from: 1, to: 2, color: 0x00ff00 },
    ];
    const marks = new ContactMarks(areas, new OverlayMaterials());
    const shownAt = (time: number): boolean[] => {
      marks.show(time);
      return marks.object.children.map(({ visible }) => visible);
    };
    expect(shownAt(0)).toEqual([true, false]);
    expect(shownAt(1)).toEqual([true, true]);
    expect(shownAt(1.5)).toEqual([false, true]);
    expect(shownAt(2.1)).toEqual([false, false]);
  });
});
