import { describe, expect, test } from 'vitest';
import { about, estimate } from '../../../support/make/estimate.ts';
import { tPoseHumanoid } from '../../../support/make/tiny-humanoid.ts';

const leg = (side: string, thigh: number, shin: number, foot: number) => ({
  [`${side}UpperLeg`]: { turn: about.x(-thigh) },
  [`${side}LowerLeg`]: { turn: about.x(shin) },
  [`${side}Foot`]: { turn: about.x(foot) },
});
const longFeet = { leftToes: { at: [0, -0.25, 0.02] }, rightToes: { at: [0, -0.25, 0.02] } };

describe('classifyStance', () => {
  test.each([
    ['a T-pose', {}, 'standing'],
    ['legs apart', { leftUpperLeg: { turn: about.z(0.35) }, rightUpperLeg: { turn: about.z(-0.35) } }, 'standing'],
    ['a step', { leftUpperLeg: { turn: about.x(-0.5) }, rightUpperLeg: { turn: about.x(0.4) } }, 'moving'],
    ['a crouch on flat feet', { ...leg('left', 0.6, 1.2, -0.6), ...leg('right', 0.6, 1.2, -0.6) }, 'moving'],
    [
      'hind legs that walk on their toes',
      { ...leg('left', 0.6, 1.2, -0.6), ...leg('right', 0.6, 1.2, -0.6), ...longFeet },
      'digitigrade',
    ],
    [
      'knees that are bent by different angles',
      { ...leg('left', 0.6, 1.2, -0.6), ...leg('right', 0.8, 1.6, -0.8), ...longFeet },
      'moving',
    ],
    [
      'stretched feet of a kneeling character',
      { ...leg('left', -0.1, 1.2, 0), ...leg('right', -0.1, 1.2, 0), ...longFeet },
      'moving',
    ],
  ] as const)('classifies %s', (_, changes, stance) => {
    expect(estimate(tPoseHumanoid(changes)).stance).toBe(stance);
  });

  test('classifies an animated pose as digitigrade only when the motion plants steep feet', () => {
    const hindLegs = { ...leg('left', 0.6, 1.2, -0.6), ...leg('right', 0.6, 1.2, -0.6), ...longFeet };
    const stanceOf = (slope: number | null, animated: boolean): string =>
      estimate(tPoseHumanoid(hindLegs), { animated, plantedSlope: () => slope }).stance;
    expect([stanceOf(0.5, true), stanceOf(1.3, true), stanceOf(null, true)]).toEqual([
      'moving',
      'digitigrade',
      'digitigrade',
    ]);
    expect(stanceOf(0.5, false)).toBe('digitigrade');
  });
});
