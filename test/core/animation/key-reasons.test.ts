import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import { track } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { validateClip } from '../../support/validate-clip.ts';

const TWO: Track = {
  target: 1,
  path: 'rotation',
  interpolation: 'LINEAR',
  times: Float32Array.of(0, 1),
  values: Float32Array.of(0, 0, 0, 1, 0, 0.6, 0, 0.8),
};

function clipOf(tracks: Track[], duration = 10): Clip {
  return { name: 'c', duration, tracks };
}

describe('validateClip', () => {
  it('accepts tracks that follow glTF', () => {
    const property = fc.property(track(), (one) => validateClip(clipOf([one]), 1).valid);
    fc.assert(property, { seed: 30, numRuns: lawRuns(200) });
    expect(validateClip(clipOf([]), 0)).toEqual({ valid: true, reasons: [] });
  });

  const broken: [string, Partial<Track>, RegExp][] = [
    ['a target that is not a node', { target: 3 }, /has an invalid target; the skeleton has 3 nodes/],
    ['a target below 0', { target: -1 }, /has an invalid target/],
    ['an unknown path', { path: 'weights' as 'scale' }, /has an unknown path/],
    ['an unknown interpolation', { interpolation: 'BEZIER' as 'STEP' }, /has interpolation BEZIER; expected STEP/],
    ['no keys', { times: new Float32Array(0), values: new Float32Array(0) }, /has 0 keys; LINEAR needs at least 1/],
    ['a negative time', { times: Float32Array.of(-1, 1) }, /has time -1 at key 0/],
    ['a repeated time', { times: Float32Array.of(1, 1) }, /has time 1 at key 1/],
    ['decreasing times', { times: Float32Array.of(2, 1) }, /has time 1 at key 1/],
    ['NaN as a time', { times: Float32Array.of(0, Number.NaN) }, /has time NaN at key 1/],
    ['an infinite time', { times: Float64Array.of(0, Number.POSITIVE_INFINITY) }, /has time Infinity at key 1/],
    ['too few values', { values: new Float32Array(4) }, /has 4 floats in values; expected 8/],
    ['values of another interpolation', { interpolation: 'CUBICSPLINE' }, /has 8 floats in values; expected 24/],
    ['NaN as a value', { values: new Float32Array(8).fill(Number.NaN) }, /has the value NaN/],
    ['a zero quaternion', { values: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 0) }, /quaternion of length 0 at key 1/],
    ['a long quaternion', { values: Float32Array.of(0, 0, 0, 2, 0, 0, 0, 1) }, /quaternion of length 2 at key 0/],
  ];

  it.each(broken)('rejects %s', (_, change, reason) => {
    const { valid, reasons } = validateClip(clipOf([{ ...TWO, ...change }], Number.MAX_VALUE), 3);
    expect(valid).toBe(false);
    expect(reasons[0]).toMatch(reason);
    expect(reasons[0]).toMatch(/^track 0 \(\w+ of node -?\d+\) /);
  });

  it('rejects a spline with one key', () => {
    const single: Track = {
      target: 0,
      path: 'scale',
      interpolation: 'CUBICSPLINE',
      times: Float32Array.of(0),
      values: new Float32Array(9),
    };
    expect(validateClip(clipOf([single]), 1).reasons[0]).toMatch(/has 1 keys; CUBICSPLINE needs at least 2/);
  });

  it('rejects two tracks with the same target and path, and an invalid duration', () => {
    expect(validateClip(clipOf([TWO, TWO]), 3).reasons).toEqual([
      'track 1 (rotation of node 1) repeats the target and path of an earlier track',
    ]);
    expect(validateClip(clipOf([TWO], 0.5), 3).reasons[0]).toMatch(/ends at 1 s, after the clip's 0.5 s/);
    expect(validateClip(clipOf([], Number.NaN), 3).reasons[0]).toMatch(/the duration is NaN/);
    expect(validateClip(clipOf([], -1), 3).valid).toBe(false);
  });

  it('accepts quaternions rounded to normalized bytes', () => {
    const bytes = [90, 90, 1, 0].map((x) => x / 127);
    const one: Track = { ...TWO, times: Float32Array.of(0), values: Float32Array.from(bytes) };
    expect(validateClip(clipOf([one]), 3).valid).toBe(true);
  });
});
