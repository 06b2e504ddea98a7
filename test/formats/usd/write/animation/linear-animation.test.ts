import { describe, expect, it } from 'vitest';
import { linearAnimation } from '../../../../../src/formats/usd/write/animation/linear-animation.ts';
import { animation, geometryOf, track } from '../small-geometry.ts';

const node = (source: number): number => (source === 10 ? 0 : -1);
const { nodes } = geometryOf([['root', -1]]);

describe('linearAnimation', () => {
  it('adds a key right before each jump, and counts the tracks of missing nodes', () => {
    const steps = track(0, 'translation', [0, 1], [0, 0, 0, 5, 0, 0], 'STEP');
    const { animation: linear, lost } = linearAnimation(
      animation('a', [steps, track(1, 'scale', [0], [1, 1, 1])]),
      node,
      nodes,
      2,
    );
    expect(lost).toBe(1);
    const { times, values, interpolation } = linear.tracks.get(0)?.translation ?? steps;
    expect([interpolation, times.length]).toEqual(['LINEAR', 3]);
    expect([times[1] < 1, times[1] > 0.9999, values[3], values[6]]).toEqual([true, true, 0, 5]);
  });

  it('resamples splines', () => {
    const spline = track(
      0,
      'translation',
      [0, 1],
      [0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0],
      'CUBICSPLINE',
    );
    const { animation: linear } = linearAnimation(animation('a', [spline]), node, nodes, 1);
    const { times, spline: exact } = linear.tracks.get(0)?.translation ?? {};
    expect(times?.length).toBeGreaterThan(20);
    // At times that other tracks add, the values are those of the spline.
    expect(exact).toEqual({ ...spline, target: 0 });
  });
});
