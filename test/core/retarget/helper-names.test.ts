import { describe, expect, test } from 'vitest';
import { helperNames } from '../../../src/core/retarget/helper-names.ts';
import { tinyHumanoid } from '../../support/make/tiny-humanoid.ts';

function read(...names: string[]) {
  return helperNames(tinyHumanoid(...names.map((name) => ({ name }))).skeleton);
}

describe('helperNames', () => {
  test.each([
    'lowerarm_twist_01_l',
    'LeftForeArmRoll',
    'CC_Base_L_ForearmTwist01',
    'forearm.twist.L',
    'Bip01 LUpArmTwist',
    '左手捩',
  ])('recognizes the twist joint %s', (name) => {
    const names = read(name);
    expect(names.isTwist(0)).toBe(true);
    expect(names.isControl(0)).toBe(false);
  });

  test.each([
    'hand',
    'LeftForeArm',
    'arm_controller.l',
    'control-toe-roll.l',
    'LeftFootRollCtrl',
    'LeftHeelRoll',
    'DEF-forearm.L.001',
  ])('does not take %s for a twist joint', (name) => expect(read(name).isTwist(0)).toBe(false));

  test.each(['kneeIK.l', 'handIK.r', 'LeftFootCtrl', 'control-toe-roll.l', 'LeftToeRoll', 'ik_foot_l', 'PoleTarget.L'])(
    'recognizes the control %s',
    (name) => expect(read(name).isControl(0)).toBe(true),
  );

  test.each(['DEF-spine.001', 'Palm1.L', 'cape_02', 'Tail', ''])('does not take %j for a control', (name) =>
    expect(read(name).isControl(0)).toBe(false),
  );

  test('areAlike ignores layer prefixes and numbers', () => {
    const names = read('DEF-hand.L', 'ORG-hand.L', 'hand.L.001', 'hand.R', '', '');
    expect(names.areAlike(0, 1)).toBe(true);
    expect(names.areAlike(0, 2)).toBe(true);
    expect(names.areAlike(0, 3)).toBe(false);
    expect(names.areAlike(4, 5)).toBe(false);
  });

  test.each([
    ['左足D', '左足'],
    ['右ひざＤ', '右ひざ'],
    ['足首D.L', '足首.L'],
  ])('areAlike takes the deforming leg %s of MMD for %s', (deforming, leg) => {
    expect(read(deforming, leg).areAlike(0, 1)).toBe(true);
  });

  test('areAlike keeps legs of two sides apart', () => expect(read('左足D', '右足').areAlike(0, 1)).toBe(false));
});
