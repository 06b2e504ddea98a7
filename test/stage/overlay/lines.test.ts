import type { Mesh } from 'three';
import type { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { describe, expect, it } from 'vitest';
import { createLines } from '../../../src/stage/overlay/lines.ts';
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
