import { describe, expect, it } from 'vitest';
import type { PoseErrorMeasure } from '../../support/reference/pose-error.ts';
import { faultsOf } from './cover.ts';
import type { PairResult } from './pair.ts';

const POSE_ERROR: PoseErrorMeasure = {
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
  poseError: POSE_ERROR,
  skate: null,
  allowed: { directions: {}, palms: {}, headings: {} },
  hipsShift: 0,
  newCodes: [],
};

function faults(poseError: Partial<PoseErrorMeasure>, result: Partial<PairResult> = {}): string[] {
  return faultsOf({ ...GOOD, poseError: { ...POSE_ERROR, ...poseError }, ...result });
}

describe('faultsOf', () => {
  it('returns no faults within the tolerances', () => {
    expect(faultsOf(GOOD)).toEqual([]);
  });

  it('reports hands, palms and feet beyond the tolerance of estimated poses', () => {
    expect(faults({ directions: { leftHand: 0.02 } })).toEqual(['leftHand points 0.020° off, allowed 0.010°']);
    expect(faults({ palms: { left: 0.06 } })).toEqual(['left palm faces 0.060° off, allowed 0.050°']);
    expect(faults({ headings: { right: 0.06 } })).toEqual(['right foot heads 0.060° off, allowed 0.050°']);
    expect(faults({ palms: { left: Number.NaN } })).toHaveLength(1);
  });

  it('allows the reported deviations of reference poses, and reports larger ones', () => {
    const allowed = { directions: { leftHand: 3 }, palms: { left: 4 }, headings: { right: 5 } };
    const off = { directions: { leftHand: 3 }, palms: { left: 4 }, headings: { right: 5 } };
    expect(faults(off, { allowed })).toEqual([]);
    expect(faults({ palms: { right: 4 }, headings: { right: 5.1 } }, { allowed })).toHaveLength(2);
  });

  it('reports rotations, hips, non-finite numbers and new validator codes', () => {
    expect(faults({ worldDelta: { max: 0.02, mean: 0, bone: 'head', time: 0 } })).toEqual(['head is 0.0200° off']);
    expect(faults({ hipsHeight: 1e-4 })).toHaveLength(1);
    expect(faults({ hipsHeight: 0.1 }, { hipsShift: 0.1 })).toEqual([]);
    expect(faults({ hipsHeight: 0.1 }, { hipsShift: 0.09 })).toHaveLength(1);
    expect(faults({ isFinite: false })).toEqual(['not finite']);
    expect(faults({}, { newCodes: ['ACCESSOR_MIN_MISMATCH'] })).toEqual(['validator: ACCESSOR_MIN_MISMATCH']);
  });

  it('reports refusals and failures, except for motions without a common bone', () => {
    expect(faultsOf({ ...GOOD, poseError: null, exit: 1, reason: 'no hips' })).toEqual(['exit 1: no hips']);
    const fingers = { ...GOOD, motion: 'ozz_pab_skeleton.fbx', poseError: null, reason: 'it animates no bone of it' };
    expect(faultsOf({ ...fingers, exit: 1 })).toEqual([]);
    expect(faultsOf({ ...fingers, exit: 3 })).toHaveLength(1);
  });
});
