import { describe, expect, test } from 'vitest';
import { type Alignment, limbConfidence } from '../../../../src/core/humanoid/reference/limbs.ts';

const DEGREE = Math.PI / 180;

describe('limbConfidence', () => {
  test.each<[string, Alignment, number]>([
    ['is full near its place', { moved: 45 * DEGREE, bend: 0, hinged: false }, 1],
    [
      'is less where a straight limb is moved far: it may roll on its way',
      { moved: 80 * DEGREE, bend: 0, hinged: false },
      0.8,
    ],
    ['is full where the hinge shows the roll', { moved: 80 * DEGREE, bend: 1, hinged: true }, 1],
    ['is low where it is moved very far', { moved: 120 * DEGREE, bend: 0, hinged: false }, 0.4],
    ['is middling where the hinge shows the roll of one that is', { moved: 120 * DEGREE, bend: 1, hinged: true }, 0.6],
    ['is middling without a lower segment', { moved: 0, bend: null, hinged: false }, 0.5],
  ])('%s', (_, alignment, confidence) => {
    expect(limbConfidence(alignment)).toBe(confidence);
  });
});
