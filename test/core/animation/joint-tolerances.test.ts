import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { jointTolerances } from '../../../src/core/animation/joint-tolerances.ts';
import { POSE_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { bareSkeleton } from '../../support/make/rig-text.ts';
import { expectNear } from '../../support/near.ts';
import { EXACT } from '../../support/tolerances.ts';

/** A root on the ground, hips at height 1, an arm with bones of length 0.5 and 0.25, and a leg of length 0.8. */
const SKELETON = bareSkeleton(['root', 'hips', 'arm', 'hand', 'leg'], [-1, 0, 1, 2, 1]);
[0, 1, 0.5, 0.25, 0.8].forEach((length, node) => {
  SKELETON.rest[POSE_STRIDE * node + 1] = length;
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

describe('jointTolerances', () => {
  it('measures chains from the hips, also below a root with root motion', () => {
    const tracks = [moving(0, 'translation'), moving(1, 'translation'), moving(2, 'rotation'), moving(4, 'rotation')];
    const { position, tip, tipDistance, affected } = jointTolerances(SKELETON, tracks, 0.01);
    expectNear(tipDistance, [1, 0.8, 0.25, 0.25, 0.8], EXACT);
    // The least length is the bone of the hips, 0.8. The hand is 0.75 from the hips, its tip 1.
    expectNear(position, [0.008, 0.008, 0.008, 0.008, 0.008], EXACT);
    expectNear(tip, [0.008, 0.008, 0.008, 0.01, 0.016], EXACT);
    expect(Array.from(affected)).toEqual([1, 1, 1, 1, 1]);
  });

  it('limits rotation by the farthest tip: shorter chains allow larger angles', () => {
    const { rotation } = jointTolerances(
      SKELETON,
      [moving(1, 'rotation'), moving(2, 'rotation'), moving(4, 'rotation')],
      0.01,
    );
    expect(rotation[1]).toBeCloseTo(0.01, 12);
    expect(rotation[2]).toBeCloseTo(0.01 / 0.5, 12);
    expect(rotation[3]).toBeCloseTo(0.01 / 0.25, 12);
  });

  it('marks only nodes that a track moves', () => {
    const { affected, position } = jointTolerances(SKELETON, [moving(2, 'rotation')], 0.01);
    expect(Array.from(affected)).toEqual([0, 0, 1, 1, 0]);
    expect(position[3]).toBeCloseTo(0.0025, 12);
  });
});
