import { BufferGeometry, SphereGeometry } from 'three';
import { describe, expect, it } from 'vitest';
import { createLightIndex } from '../../../src/stage/figure/light-index.ts';

/** Signed volume of a closed mesh. */
function volumeOf(positions: ArrayLike<number>, index: ArrayLike<number>): number {
  let volume = 0;
  for (let k = 0; k < index.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) => [0, 1, 2].map((axis) => positions[3 * index[k + corner] + axis]));
    volume += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]);
    volume += a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return volume / 6;
}

describe('createLightIndex', () => {
  it('has a fraction of the triangles and nearly the same volume', async () => {
    const sphere = new SphereGeometry(1, 64, 48);
    const positions = sphere.attributes['position'].array;
    const full = sphere.index?.array as ArrayLike<number>;
    const light = (await createLightIndex(sphere, 0.25))?.array as ArrayLike<number>;
    expect(light.length / full.length).toBeLessThan(0.3);
    expect(light.length).toBeGreaterThan(300);
    expect(volumeOf(positions, light) / volumeOf(positions, full)).toBeGreaterThan(0.97);
  });

  it('returns null for a geometry without an index', async () => {
    expect(await createLightIndex(new BufferGeometry(), 0.5)).toBeNull();
  });
});
