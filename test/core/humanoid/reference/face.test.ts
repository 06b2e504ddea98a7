import { describe, expect, test } from 'vitest';
import { about, estimate, finding, turnOf } from '../../../make/estimate.ts';
import { tBody } from '../../../make/tiny-humanoid.ts';
import { expectSameRotation } from '../../../near.ts';
import { IDENTITY, type Quaternion } from '../../../reference/plain.ts';
import { EXACT } from '../../../tolerances.ts';

const eye = (turn: Quaternion) => ({ name: 'leftEye', parent: 'head', at: [0.03, 0.06, 0.08], turn });

describe('eyes', () => {
  test('follow the head where nothing shows where they look', () => {
    const found = estimate(tBody({}, eye(about.y(0.2))));
    expectSameRotation(turnOf(found, 'leftEye'), IDENTITY, EXACT);
    expect(finding(found, 'eyes')?.confidence).toBe(0.7);
  });

  test('look to the front where a node lies ahead of them', () => {
    const found = estimate(tBody({}, eye(about.y(0.2)), { name: 'gaze', parent: 'leftEye', at: [0, 0, 0.1] }));
    expectSameRotation(turnOf(found, 'leftEye'), about.y(-0.2), EXACT);
    expect(finding(found, 'eyes')).toMatchObject({ confidence: 1, reason: expect.stringContaining('11°') });
  });

  test('do not look up where the end of their bone does', () => {
    const found = estimate(tBody({}, eye(IDENTITY), { name: 'end', parent: 'leftEye', at: [0, 0.1, 0] }));
    expectSameRotation(turnOf(found, 'leftEye'), IDENTITY, EXACT);
  });
});

describe('the jaw', () => {
  test('follows the head', () => {
    const found = estimate(tBody({}, { name: 'jaw', parent: 'head', at: [0, 0.02, 0.03], turn: about.x(0.3) }));
    expectSameRotation(turnOf(found, 'jaw'), IDENTITY, EXACT);
    expect(finding(found, 'jaw')?.reason).toBe('follows the head');
  });

  test('and eyes that are not there are not mentioned', () => {
    const { findings } = estimate(tBody());
    expect(findings.map(({ part }) => part)).not.toContain('eyes');
    expect(findings.map(({ part }) => part)).not.toContain('jaw');
  });
});
