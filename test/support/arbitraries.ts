/** fast-check arbitraries: vectors, rotations, TRS, tracks. */
import fc from 'fast-check';
import type { Interpolation, Track, TrackPath } from '../../src/core/animation/clip.ts';

/** Finite numbers of −limit…limit, without the denormal numbers that fc.double prefers. */
export function real(limit = 10): fc.Arbitrary<number> {
  return fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => (n / 1_000_000) * limit);
}

/** Three numbers of −limit…limit. */
export function vector(limit = 10): fc.Arbitrary<number[]> {
  return fc.array(real(limit), { minLength: 3, maxLength: 3 });
}

/** Unit vectors. */
export function direction(): fc.Arbitrary<number[]> {
  return vector(1)
    .filter((v) => Math.hypot(...v) > 0.01)
    .map((v) => v.map((x) => x / Math.hypot(...v)));
}

/** Unit quaternions. */
export function rotation(): fc.Arbitrary<number[]> {
  return fc
    .array(real(1), { minLength: 4, maxLength: 4 })
    .filter((q) => Math.hypot(...q) > 0.01)
    .map((q) => q.map((x) => x / Math.hypot(...q)));
}

/** 10 floats: translation, rotation, scale of 0.1…10. */
export function trs(): fc.Arbitrary<number[]> {
  const factor = fc.integer({ min: 100, max: 10_000 }).map((n) => n / 1000);
  return fc
    .tuple(vector(), rotation(), fc.tuple(factor, factor, factor))
    .map(([translation, quaternion, scale]) => [...translation, ...quaternion, ...scale]);
}

/** Tracks of node 0: up to 8 keys at float32 times, float32 or float64 values. */
export function track(
  paths: readonly TrackPath[] = ['translation', 'rotation', 'scale'],
  interpolations: readonly Interpolation[] = ['STEP', 'LINEAR', 'CUBICSPLINE'],
): fc.Arbitrary<Track> {
  return fc
    .record({
      path: fc.constantFrom(...paths),
      interpolation: fc.constantFrom(...interpolations),
      isDouble: fc.boolean(),
      steps: fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 2, maxLength: 8 }),
      start: fc.integer({ min: 0, max: 500 }),
      elements: fc.array(fc.tuple(rotation(), vector(3)), { minLength: 24, maxLength: 24 }),
    })
    .map(({ path, interpolation, isDouble, steps, start, elements }) => {
      const times = new Float32Array(steps.length);
      let elapsed = start;
      steps.forEach((step, key) => {
        times[key] = elapsed / 1000;
        elapsed += step;
      });
      const each = interpolation === 'CUBICSPLINE' ? 3 : 1;
      const list = elements.slice(0, each * steps.length).flatMap(([quaternion, v], element) => {
        if (path !== 'rotation') return v;
        // Tangents need not be unit quaternions.
        return each === 3 && element % 3 !== 1 ? quaternion.map((x) => 3 * x) : quaternion;
      });
      const values = isDouble ? Float64Array.from(list) : Float32Array.from(list);
      return { target: 0, path, interpolation, times, values };
    });
}
