import { describe, expect, it } from 'vitest';
import { fitsFloat32 } from '../../../src/files/clips/fits-float32.ts';

const clip = (path: 'translation' | 'rotation', value: number) => ({
  name: '',
  duration: 0,
  tracks: [
    {
      target: 0,
      path,
      interpolation: 'LINEAR' as const,
      times: Float64Array.of(0),
      values: new Float64Array(path === 'rotation' ? 4 : 3).fill(value),
    },
  ],
});

describe('fitsFloat32', () => {
  it('accepts values within float32, and any rotation', () => {
    expect(fitsFloat32(clip('translation', 3.4e38))).toBe(true);
    expect(fitsFloat32(clip('rotation', 1e39))).toBe(true);
  });

  it.each([3.5e38, -1e300, Number.NaN, Number.POSITIVE_INFINITY])('rejects a translation of %d', (value) => {
    expect(fitsFloat32(clip('translation', value))).toBe(false);
  });
});
