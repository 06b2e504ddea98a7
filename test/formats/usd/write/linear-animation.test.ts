import { describe, expect, it } from 'vitest';
import {
  linearAnimation,
  sampleProperty,
  sampleWeights,
  timesOf,
} from '../../../../src/formats/usd/write/linear-animation.ts';
import { animation, track } from './small-geometry.ts';

const node = (source: number): number => (source === 10 ? 0 : -1);

describe('animations for USD', () => {
  it('have a key right before every jump, and count the tracks of nodes that are not there', () => {
    const steps = track(0, 'translation', [0, 1], [0, 0, 0, 5, 0, 0], 'STEP');
    const { animation: made, lost } = linearAnimation(
      animation('a', [steps, track(1, 'scale', [0], [1, 1, 1])]),
      node,
      2,
    );
    expect(lost).toBe(1);
    const { times, values, interpolation } = made.tracks.get(0)?.translation ?? steps;
    expect([interpolation, times.length]).toEqual(['LINEAR', 3]);
    expect([times[1] < 1, times[1] > 0.9999, values[3], values[6]]).toEqual([true, true, 0, 5]);
  });

  it('have as many keys as a spline needs', () => {
    const spline = track(
      0,
      'translation',
      [0, 1],
      [0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0],
      'CUBICSPLINE',
    );
    const { animation: made } = linearAnimation(animation('a', [spline]), node, 1);
    expect(made.tracks.get(0)?.translation?.times.length).toBeGreaterThan(20);
  });
});

describe('samples of joints', () => {
  const REST = [1, 2, 3, 0, 0, 0, 1, 1, 1, 1, 4, 5, 6, 0, 0, 0, 1, 1, 1, 1];

  it('are at the times of all keys of what changes, twice where nothing does', () => {
    const moving = track(0, 'translation', [0, 0.5], [0, 0, 0, 1, 0, 0]);
    const other = track(1, 'translation', [0.25, 1], [0, 0, 0, 1, 0, 0]);
    const still = track(1, 'translation', [0.1, 0.2], [7, 0, 0, 7, 0, 0]);
    expect(Array.from(timesOf([moving, undefined, other], 1))).toEqual([0, 0.25, 0.5, 1]);
    expect(Array.from(timesOf([still], 3))).toEqual([0, 3]);
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

  it('have quaternions of length 1 in one hemisphere', () => {
    const turns = track(0, 'rotation', [0, 1], [0, 0, 0, 1.001, 0, 0.6, 0, -0.8]);
    const { values } = sampleProperty('rotation', [{ rotation: turns }], REST, Float64Array.of(0, 1));
    expect([...values[0]]).toEqual([0, 0, 0, 1]);
    expect(values[1][1]).toBeCloseTo(-0.6, 6);
    expect(values[1][3]).toBeCloseTo(0.8, 6);
  });

  it('have the weights of shapes without keys all the time; none have samples without a track', () => {
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
