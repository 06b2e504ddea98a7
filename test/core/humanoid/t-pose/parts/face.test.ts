import { describe, expect, test } from 'vitest';
import { about, correctionOf, estimate, finding } from '../../../../support/make/estimate.ts';
import { tPoseHumanoid } from '../../../../support/make/tiny-humanoid.ts';
import { expectSameRotation } from '../../../../support/near.ts';
import { IDENTITY, type Quaternion } from '../../../../support/reference/plain.ts';
import { EXACT } from '../../../../support/tolerances.ts';

const eye = (turn: Quaternion) => ({ name: 'leftEye', parent: 'head', at: [0.03, 0.06, 0.08], turn });

describe('alignEyes', () => {
  test('lets eyes follow the head without a look-at direction', () => {
    const found = estimate(tPoseHumanoid({}, eye(about.y(0.2))));
    expectSameRotation(correctionOf(found, 'leftEye'), IDENTITY, EXACT);
    expect(finding(found, 'eyes')?.confidence).toBe(0.7);
  });

  test('lets eyes with a child node ahead look to the front', () => {
    const found = estimate(
      tPoseHumanoid({}, eye(about.y(0.2)), { name: 'lookAt', parent: 'leftEye', at: [0, 0, 0.1] }),
    );
    expectSameRotation(correctionOf(found, 'leftEye'), about.y(-0.2), EXACT);
    expect(finding(found, 'eyes')).toMatchObject({ confidence: 1, reason: expect.stringContaining('11°') });
  });

  test('ignores a bone end above the eye', () => {
    const found = estimate(tPoseHumanoid({}, eye(IDENTITY), { name: 'end', parent: 'leftEye', at: [0, 0.1, 0] }));
    expectSameRotation(correctionOf(found, 'leftEye'), IDENTITY, EXACT);
  });
});

describe('alignJaw', () => {
  test('lets the jaw follow the head', () => {
    const found = estimate(tPoseHumanoid({}, { name: 'jaw', parent: 'head', at: [0, 0.02, 0.03], turn: about.x(0.3) }));
    expectSameRotation(correctionOf(found, 'jaw'), IDENTITY, EXACT);
    expect(finding(found, 'jaw')?.reason).toBe('follows the head');
  });

  test('adds no finding for an absent jaw or absent eyes', () => {
    const { findings } = estimate(tPoseHumanoid());
    expect(findings.map(({ part }) => part)).not.toContain('eyes');
    expect(findings.map(({ part }) => part)).not.toContain('jaw');
  });
});
