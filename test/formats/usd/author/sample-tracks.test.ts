import { describe, expect, it } from 'vitest';
import { sampleProperty, sampleTimes, sampleWeights } from '../../../../src/formats/usd/author/sample-tracks.ts';
import { track } from '../write/small-geometry.ts';

describe('sample-tracks', () => {
  const REST = [1, 2, 3, 0, 0, 0, 1, 1, 1, 1, 4, 5, 6, 0, 0, 0, 1, 1, 1, 1];

  it('sampleTimes: returns the key times of changing tracks, and two times for constant ones', () => {
    const moving = track(0, 'translation', [0, 0.5], [0, 0, 0, 1, 0, 0]);
    const other = track(1, 'translation', [0.25, 1], [0, 0, 0, 1, 0, 0]);
    const still = track(1, 'translation', [0.1, 0.2], [7, 0, 0, 7, 0, 0]);
    expect(Array.from(sampleTimes([moving, undefined, other], 1))).toEqual([0, 0.25, 0.5, 1]);
    expect(Array.from(sampleTimes([still], 3))).toEqual([0, 3]);
    const { values } = sampleProperty(
      'translation',
      [{ translation: moving }, undefined],
      REST,
      Float64Array.of(0, 0.25),
    );
    expect(values.map((sample) => [...sample])).toEqual([
      [0, 0, 0, 4, 5, 6],
      [0.5, 0, 0, 4, 5, 6],
    ]);
  });

  it('sampleProperty: takes the values of a spline at times between its linear keys', () => {
    const ease = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0];
    const spline = track(0, 'translation', [0, 1], ease, 'CUBICSPLINE');
    const linear = { ...track(0, 'translation', [0, 1], [0, 0, 0, 1, 0, 0]), spline };
    const { values } = sampleProperty('translation', [{ translation: linear }], REST, Float64Array.of(0, 0.25, 1));
    expect(values.map(([x]) => x)).toEqual([0, 0.15625, 1]);
  });

  it('sampleProperty: normalizes quaternions and keeps them in one hemisphere', () => {
    const flipped = track(0, 'rotation', [0, 1], [0, 0, 0, 1.001, 0, 0.6, 0, -0.8]);
    const { values } = sampleProperty('rotation', [{ rotation: flipped }], REST, Float64Array.of(0, 1));
    expect([...values[0]]).toEqual([0, 0, 0, 1]);
    expect(values[1][1]).toBeCloseTo(-0.6, 6);
    expect(values[1][3]).toBeCloseTo(0.8, 6);
  });

  it('sampleWeights: keeps static weights, and returns null without tracks', () => {
    const smile = {
      sourceNode: 0,
      nodeName: '',
      targetCount: 2,
      interpolation: 'LINEAR',
      times: Float64Array.of(0, 2),
      values: Float64Array.of(0, 1, 1, 0),
    } as const;
    const own = { track: undefined, target: 0, weight: 0.25 };
    expect(sampleWeights([own], 1)).toBeNull();
    const sampled = sampleWeights([{ track: smile, target: 1, weight: 0 }, own], 2);
    expect(sampled?.values.map((sample) => [...sample])).toEqual([
      [1, 0.25],
      [0, 0.25],
    ]);
  });
});
