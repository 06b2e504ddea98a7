import { describe, expect, it } from 'vitest';
import type { PoseErrorMeasure } from '../../src/core/measure/pose-error.ts';
import { faultsOf } from './cover.ts';
import type { PairResult } from './pair.ts';

const GESTURE: PoseErrorMeasure = {
  worldDelta: { max: 0.001, mean: 0, bone: 'hips', time: 0 },
  directions: { leftHand: 0.001 },
  palms: { left: 0.01, right: 0.04 },
  headings: { left: 0, right: 0.04 },
  shifts: { directions: { leftHand: 0.001 }, palms: {}, headings: {} },
  hipsHeight: 0,
  hipsPath: 0,
  isFinite: true,
};
const GOOD: PairResult = {
  motion: 'walk.glb',
  character: 'hero.glb',
  clip: 'walk',
  exit: 0,
  reason: null,
  poseError: GESTURE,
  skate: null,
  allowed: { directions: {}, palms: {}, headings: {} },
  newCodes: [],
};

function faults(poseError: Partial<PoseErrorMeasure>, result: Partial<PairResult> = {}): string[] {
  return faultsOf({ ...GOOD, poseError: { ...GESTURE, ...poseError }, ...result });
}

describe('faults of a pair', () => {
  it('are none where everything is nearly equal', () => {
    expect(faultsOf(GOOD)).toEqual([]);
  });

  it('are hands, palms and feet that are off by more than estimated poses may be', () => {
    expect(faults({ directions: { leftHand: 0.02 } })).toEqual(['leftHand points 0.020° off, allowed 0.010°']);
    expect(faults({ palms: { left: 0.06 } })).toEqual(['left palm faces 0.060° off, allowed 0.050°']);
    expect(faults({ headings: { right: 0.06 } })).toEqual(['right foot heads 0.060° off, allowed 0.050°']);
    expect(faults({ palms: { left: Number.NaN } })).toHaveLength(1);
  });

  it('are no deviations of reference poses that were printed, but what is beyond them', () => {
    const allowed = { directions: { leftHand: 3 }, palms: { left: 4 }, headings: { right: 5 } };
    const off = { directions: { leftHand: 3 }, palms: { left: 4 }, headings: { right: 5 } };
    expect(faults(off, { allowed })).toEqual([]);
    expect(faults({ palms: { right: 4 }, headings: { right: 5.1 } }, { allowed })).toHaveLength(2);
  });

  it('are turns, hips, numbers that are none, and what the validator says anew', () => {
    expect(faults({ worldDelta: { max: 0.02, mean: 0, bone: 'head', time: 0 } })).toEqual(['head is 0.0200° off']);
    expect(faults({ hipsHeight: 1e-4 })).toHaveLength(1);
    expect(faults({ isFinite: false })).toEqual(['not finite']);
    expect(faults({}, { newCodes: ['ACCESSOR_MIN_MISMATCH'] })).toEqual(['validator: ACCESSOR_MIN_MISMATCH']);
  });

  it('are refusals, and failures of any file', () => {
    expect(faultsOf({ ...GOOD, poseError: null, exit: 1, reason: 'no hips' })).toEqual(['exit 1: no hips']);
    const fingers = { ...GOOD, motion: 'ozz_pab_skeleton.fbx', poseError: null, reason: 'it animates no bone of it' };
    expect(faultsOf({ ...fingers, exit: 1 })).toEqual([]);
    expect(faultsOf({ ...fingers, exit: 3 })).toHaveLength(1);
  });
});
