import { describe, expect, it } from 'vitest';
import { BONE, type BoneName } from '../../../src/core/humanoid/bones.ts';
import { worldPose } from '../../../src/demo/characters/character-pose.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { makeFigure } from '../../../src/demo/figure/figure.ts';
import { makePose } from '../../../src/demo/figure/pose.ts';
import { makePosture, type Posture } from '../../../src/demo/figure/posture.ts';
import { ADULT, HEAVY } from '../../../src/demo/figure/proportions.ts';
import { expectNear } from '../../support/near.ts';
import { EXACT, EXACT_CHAIN } from '../../support/tolerances.ts';

function positionsOf(posture: Posture, proportions = ADULT): (bone: BoneName) => number[] {
  const body = makeCharacter({ proportions });
  const { positions } = worldPose(body, makePosture(body.figure, posture));
  return (bone) => Array.from(positions.subarray(body.bones[BONE[bone]] * 3, body.bones[BONE[bone]] * 3 + 3));
}

function degreesBelow(from: number[], to: number[]): number {
  const [x, y, z] = to.map((v, c) => v - from[c]);
  return (Math.atan2(-y, Math.hypot(x, z)) * 180) / Math.PI;
}

describe('makePosture', () => {
  it('returns the T-pose without angles', () => {
    const figure = makeFigure(ADULT);
    const pose = makePosture(figure, {});
    const straight = makePose(figure);
    expectNear(pose.hips, straight.hips, EXACT);
    expectNear(pose.deltas, straight.deltas, EXACT);
  });

  it('lowers the arms by the requested angle', () => {
    const at = positionsOf({ arms: 48 });
    expect(degreesBelow(at('leftUpperArm'), at('leftLowerArm'))).toBeCloseTo(48, 9);
    expect(degreesBelow(at('rightLowerArm'), at('rightHand'))).toBeCloseTo(48, 9);
  });

  it('keeps the soles flat on the ground with bent knees, legs apart and a lean', () => {
    for (const proportions of [ADULT, HEAVY]) {
      const at = positionsOf({ knees: 50, legs: 12, lean: 10 }, proportions);
      const straight = positionsOf({}, proportions);
      for (const side of ['left', 'right'] as const) {
        const foot = at(`${side}Foot`);
        expect(foot[1]).toBeCloseTo(proportions.ankle, 9);
        const toes = at(`${side}Toes`).map((v, c) => v - foot[c]);
        const before = straight(`${side}Foot`);
        expectNear(
          toes,
          straight(`${side}Toes`).map((v, c) => v - before[c]),
          EXACT_CHAIN,
        );
        expect(at(`${side}LowerLeg`)[2]).toBeGreaterThan(0.1);
      }
      expect(at('leftFoot')[0] - at('rightFoot')[0]).toBeGreaterThan(proportions.hipWidth + 0.1);
      expect(at('head')[2]).toBeGreaterThan(straight('head')[2] + 0.05);
      const thigh = at('leftLowerLeg').map((v, c) => v - at('leftUpperLeg')[c]);
      const shin = at('leftFoot').map((v, c) => v - at('leftLowerLeg')[c]);
      const cos = thigh.reduce((sum, v, c) => sum + v * shin[c], 0) / (Math.hypot(...thigh) * Math.hypot(...shin));
      expect((Math.acos(cos) * 180) / Math.PI).toBeCloseTo(50, 6);
    }
  });
});
