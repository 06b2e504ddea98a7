import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { tipTolerance } from '../../../src/core/animation/tip-tolerance.ts';
import { bareSkeleton } from '../../make/rig-text.ts';
import { expectNear } from '../../near.ts';
import { EXACT } from '../../tolerances.ts';

/** A root on the ground, hips 1 up, an arm of two bones of 0.5 and 0.25, and a leg of 0.8. */
const SKELETON = bareSkeleton(['root', 'hips', 'arm', 'hand', 'leg'], [-1, 0, 1, 2, 1]);
[0, 1, 0.5, 0.25, 0.8].forEach((length, node) => {
  SKELETON.rest[10 * node + 1] = length;
});

function moving(target: number, path: 'rotation' | 'translation'): Track {
  const values = path === 'rotation' ? [0, 0, 0, 1, 1, 0, 0, 0] : [0, 0, 0, 0, 0, 1];
  return {
    target,
    path,
    interpolation: 'LINEAR',
    times: new Float32Array([0, 1]),
    values: Float64Array.from(values),
  };
}

describe('tipTolerance', () => {
  it('measures chains from the hips, also below a root that travels with them', () => {
    const tracks = [moving(0, 'translation'), moving(1, 'translation'), moving(2, 'rotation'), moving(4, 'rotation')];
    const { joint, tip, reach, affected } = tipTolerance(SKELETON, tracks, 0.01);
    expectNear(reach, [1, 0.8, 0.25, 0.25, 0.8], EXACT);
    // The bone of the hips, 0.8, counts at least; the hand is 0.75 from the hips, its tip 1.
    expectNear(joint, [0.008, 0.008, 0.008, 0.008, 0.008], EXACT);
    expectNear(tip, [0.008, 0.008, 0.008, 0.01, 0.016], EXACT);
    expect(Array.from(affected)).toEqual([1, 1, 1, 1, 1]);
  });

  it('lets a joint turn by the angle of its farthest tip: more, the less hangs on it', () => {
    const { turn } = tipTolerance(
      SKELETON,
      [moving(1, 'rotation'), moving(2, 'rotation'), moving(4, 'rotation')],
      0.01,
    );
    expect(turn[1]).toBeCloseTo(0.01, 12);
    expect(turn[2]).toBeCloseTo(0.01 / 0.5, 12);
    expect(turn[3]).toBeCloseTo(0.01 / 0.25, 12);
  });

  it('looks only at nodes that a track moves', () => {
    const { affected, joint } = tipTolerance(SKELETON, [moving(2, 'rotation')], 0.01);
    expect(Array.from(affected)).toEqual([0, 0, 1, 1, 0]);
    expect(joint[3]).toBeCloseTo(0.0025, 12);
  });
});
