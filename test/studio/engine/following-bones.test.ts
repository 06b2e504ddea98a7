import { expect, it } from 'vitest';
import { followingBones } from '../../../studio/src/engine/following-bones.ts';
import { positionedRig } from '../../support/make/positioned-rig.ts';

/** A trunk with an arm on each side; `joint` is between upper arm and elbow. */
const rigWith = (joint: string) =>
  positionedRig(
    `hips 0 1 0 > spine 0 1.1 0 > chest 0 1.3 0\n *shoulder 0.03 1.4 0 > arm 0.18 1.4 0 > ${joint} 0.3 1.38 0 > elbow 0.45 1.4 -0.01 > hand 0.7 1.4 0\n neck 0 1.45 0 > head 0 1.55 0`,
  );

/** The bones of the left arm by name of the joint, from clicks on head and hands; file nodes are 100 and up. */
function leftArm(joint: string): string[] {
  const skeleton = rigWith(joint);
  const sourceNodes = skeleton.names.map((_, node) => 100 + node);
  const node = (name: string): number => 100 + skeleton.names.indexOf(name);
  const known = { head: node('head'), leftHand: node('hand.L'), rightHand: node('hand.R') };
  const found = followingBones({ skeleton, sourceNodes, motion: null }, known);
  return (['leftUpperArm', 'leftLowerArm', 'leftHand'] as const).map(
    (bone) => skeleton.names[(found[bone] as number) - 100],
  );
}

it.each(['arm_twist', 'ArmTwist', 'ArmRoll', 'arm_roll_01', 'ArmRollBone'])(
  'followingBones: %s is passed over',
  (name) => {
    expect(leftArm(name)).toEqual(['arm.L', 'elbow.L', 'hand.L']);
  },
);

it('followingBones: a bent joint whose name is that of a controller may be part of the arm', () => {
  expect(leftArm('arm_controller')).toContain('arm_controller.L');
});

it('followingBones: without a joint for a hand, the other limbs are not guessed', () => {
  const skeleton = rigWith('joint');
  const sourceNodes = skeleton.names.map((_, node) => node);
  const hips = skeleton.names.indexOf('hips');
  expect(followingBones({ skeleton, sourceNodes, motion: null }, { hips })).toEqual({ hips });
});

it('followingBones: of two controls above all limbs, the lower one becomes the hips where a joint beside them was clicked', () => {
  const skeleton = positionedRig(
    `root 0 0 0 > outer 0 0.98 0 > torso 0 1 0.03\n pelvis 0 0.97 0\n  *thigh 0.1 0.93 0 > shin 0.1 0.5 0.01 > foot 0.1 0.08 0\n chest 0 1.3 0\n  *arm 0.18 1.4 0 > elbow 0.45 1.4 -0.01 > hand 0.7 1.4 0\n  neck 0 1.45 0 > head 0 1.55 0`,
  );
  const node = (name: string): number => skeleton.names.indexOf(name);
  const known = {
    hips: node('pelvis'),
    head: node('head'),
    leftHand: node('hand.L'),
    rightHand: node('hand.R'),
    leftFoot: node('foot.L'),
    rightFoot: node('foot.R'),
  };
  const found = followingBones({ skeleton, sourceNodes: skeleton.names.map((_, k) => k), motion: null }, known);
  expect(skeleton.names[found.hips as number]).toBe('torso');
});
