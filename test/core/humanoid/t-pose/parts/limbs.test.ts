import { describe, expect, test } from 'vitest';
import { type LimbAlignment, limbConfidence } from '../../../../../src/core/humanoid/t-pose/parts/limbs.ts';

const DEGREE = Math.PI / 180;

describe('limbConfidence', () => {
  test.each<[string, LimbAlignment, number]>([
    ['is 1 for a small movement', { moved: 45 * DEGREE, bend: 0, hinged: false }, 1],
    [
      'is lower for a straight limb that moves far: its roll is uncertain',
      { moved: 80 * DEGREE, bend: 0, hinged: false },
      0.8,
    ],
    ['is 1 when the hinge shows the roll', { moved: 80 * DEGREE, bend: 1, hinged: true }, 1],
    ['is low for a very large movement', { moved: 120 * DEGREE, bend: 0, hinged: false }, 0.4],
    [
      'is medium for a very large movement when the hinge shows the roll',
      { moved: 120 * DEGREE, bend: 1, hinged: true },
      0.6,
    ],
    ['is medium without a lower segment', { moved: 0, bend: null, hinged: false }, 0.5],
  ])('%s', (_, alignment, confidence) => {
    expect(limbConfidence(alignment)).toBe(confidence);
  });
});
