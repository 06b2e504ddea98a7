import type { Mesh } from 'three';
import type { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { describe, expect, it } from 'vitest';
import { createLines, simplifyLine } from '../../../src/stage/overlay/lines.ts';
import { OverlayMaterials } from '../../../src/stage/overlay/overlay-materials.ts';

describe('createLines', () => {
  it('creates a line per trail in its color, and omits trails of one point', () => {
    const trails = [
      { points: new Float32Array([0, 0, 0, 1, 1, 1, 2, 0, 0]), color: '#ff0000' },
      { points: new Float32Array([0, 0, 0]), color: '#00ff00' },
    ];
    const group = createLines(trails, new OverlayMaterials());
    expect(group.children).toHaveLength(1);
    const { geometry, material } = group.children[0] as Mesh;
    expect(geometry.attributes['instanceStart'].count).toBe(2);
    expect((material as LineMaterial).color.getHex()).toBe(0xff0000);
  });
});

/** Distance of a point to the nearest of the segments, in steps along each. */
function distanceTo(point: readonly number[], line: Float32Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k + 5 < line.length; k += 3) {
    for (let step = 0; step <= 40; step++) {
      const at = [0, 1, 2].map((c) => line[k + c] + (step / 40) * (line[k + 3 + c] - line[k + c]));
      least = Math.min(least, Math.hypot(...at.map((value, c) => value - point[c])));
    }
  }
  return least;
}

describe('simplifyLine', () => {
  it('keeps the corners of a line and leaves out what is between them', () => {
    const line = new Float32Array([0, 0, 0, 0.5, 0.001, 0, 1, 0, 0, 1, 0.5, 0, 1, 1, 0]);
    expect([...simplifyLine(line, 0.01)]).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0]);
  });

  it('stays within the tolerance of all points of a curve, with far fewer points', () => {
    const count = 600;
    const curve = Float32Array.from({ length: 3 * count }, (_, k) => {
      const turn = (4 * Math.PI * Math.floor(k / 3)) / count;
      return [Math.cos(turn), 0.1 * turn, Math.sin(turn)][k % 3];
    });
    const simple = simplifyLine(curve, 0.01);
    expect(simple.length).toBeLessThan(curve.length / 10);
    for (let k = 0; k < curve.length; k += 36) {
      expect(distanceTo([...curve.subarray(k, k + 3)], simple)).toBeLessThan(0.011);
    }
  });

  it('reduces points on one spot to the first and the last', () => {
    expect(simplifyLine(new Float32Array(30), 0.01)).toHaveLength(6);
  });
});
