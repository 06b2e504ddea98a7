import { expect, it } from 'vitest';
import { createBoneMask } from '../../../src/playback/blend/bone-mask.ts';
import { tPoseHumanoid } from '../../support/make/tiny-humanoid.ts';

const humanoid = tPoseHumanoid({}, { name: 'hand_tip', parent: 'leftHand' }, { name: 'armature' });
const weightOf = (mask: Float32Array, name: string): number => mask[humanoid.skeleton.names.indexOf(name)];

it('createBoneMask: weights pass to the bones below, and to nodes without a bone', () => {
  const mask = createBoneMask(humanoid, { spine: 1, leftUpperArm: 0.5, leftHand: 0.25 });
  expect(mask).toHaveLength(humanoid.skeleton.names.length);
  const found = ['hips', 'leftFoot', 'spine', 'head', 'rightHand', 'leftLowerArm', 'leftHand', 'hand_tip', 'armature'];
  expect(found.map((name) => weightOf(mask, name))).toEqual([0, 0, 1, 1, 1, 0.5, 0.25, 0.25, 0]);
});

it('createBoneMask: a bone that the character lacks passes its weight on', () => {
  // The character has no leftShoulder, chest or upperChest.
  const mask = createBoneMask(humanoid, { leftShoulder: 1 });
  expect([weightOf(mask, 'leftHand'), weightOf(mask, 'spine'), weightOf(mask, 'rightHand')]).toEqual([1, 0, 0]);
});

it('createBoneMask: the hips set everything, also nodes above them', () => {
  expect([...createBoneMask(humanoid, { hips: 1 })].every((weight) => weight === 1)).toBe(true);
});

it('createBoneMask: throws for names that are not bones and weights outside 0…1', () => {
  expect(() => createBoneMask(humanoid, { tail: 1 } as never)).toThrow(/no bone "tail"/);
  expect(() => createBoneMask(humanoid, { spine: 2 })).toThrow(/weight of spine is 2/);
});

it('createBoneMask: takes an object with a humanoid, as plugins return it', () => {
  expect(createBoneMask({ humanoid }, { spine: 1 })).toEqual(createBoneMask(humanoid, { spine: 1 }));
});
