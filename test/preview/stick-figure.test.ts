import { describe, expect, it } from 'vitest';
import { BONE } from '../../src/core/humanoid/bones.ts';
import type { CharacterOptions } from '../../src/demo/characters/character.ts';
import { worldPose } from '../../src/demo/characters/character-pose.ts';
import { makeCharacter } from '../../src/demo/characters/make-character.ts';
import { composeRotations, makeLocalRotations, makePose, rotateBone } from '../../src/demo/figure/pose.ts';
import { CHIBI } from '../../src/demo/figure/proportions.ts';
import { footTips, type StickFigure, type StickSkeleton, stickFigure } from '../../src/preview/stick-figure.ts';
import { expectNear } from '../support/near.ts';
import { EXACT } from '../support/tolerances.ts';

/** A demo character with extra child joints. */
function bodyOf({ skeleton, bones, figure }: ReturnType<typeof makeCharacter>, ...more: number[]): StickSkeleton {
  return { parents: [...skeleton.parents, ...more], bones, height: figure.height };
}

function figureOf(options: CharacterOptions, headYaw = 0): StickFigure {
  const body = makeCharacter(options);
  const pose = makePose(body.figure);
  const turns = makeLocalRotations();
  rotateBone(turns, 'head', 0, headYaw);
  composeRotations(pose, turns);
  return stickFigure(bodyOf(body), worldPose(body, pose).positions);
}

const ARMS_AND_LEGS = { without: ['fingers', 'eyes', 'jaw'], extras: [] } as const;

describe('stickFigure', () => {
  it('connects every bone to its nearest present ancestor, and colors limbs by side', () => {
    const { sticks } = figureOf(ARMS_AND_LEGS);
    expect(sticks.filter(({ part }) => part === 'middle').length).toBe(5);
    for (const part of ['left', 'right']) {
      const limbs = sticks.filter((stick) => stick.part === part);
      expect(limbs.length).toBe(8);
      for (const { to } of limbs) expect(Math.sign(to[0])).toBe(part === 'left' ? 1 : -1);
    }
    const few = figureOf({ without: ['fingers', 'eyes', 'jaw', 'neck', 'upperChest', 'chest', 'shoulders', 'toes'] });
    expect(few.sticks.length).toBe(5 * 2 + 2 + 2);
  });

  it('draws fingers thin, leaves out eyes and jaw, and follows the foot to its end', () => {
    const { sticks } = figureOf({ extras: ['ends'] });
    expect(sticks.filter(({ thin }) => thin).length).toBe(30);
    expect(sticks.length).toBe(5 + 2 * 8 + 30 + 2);
    const body = makeCharacter({ extras: ['ends'] });
    const tip = body.figure.tails.subarray(BONE.leftToes * 3, BONE.leftToes * 3 + 3);
    expect(sticks.some(({ to }) => Math.hypot(...to.map((v, c) => v - tip[c])) < EXACT)).toBe(true);
  });

  it('puts the head on the neck, with its size from crown, eyes or neck', () => {
    const { head } = figureOf({ extras: ['ends'] });
    const { joints, tails } = makeCharacter().figure;
    const [joint, crown] = [joints, tails].map((points) => points.subarray(BONE.head * 3, BONE.head * 3 + 3));
    expect(head!.radius).toBeCloseTo(0.1, 2);
    expectNear(
      head!.center,
      [...joint].map((v, c) => (v + crown[c]) / 2),
      EXACT,
    );
    expect(figureOf({}).head!.radius).toBeCloseTo(0.1, 2);
    expect(figureOf({ proportions: CHIBI }).head!.radius).toBeCloseTo(0.2, 1);
    expect(figureOf({ without: ['eyes'] }).head!.radius).toBeCloseTo(0.1, 2);
  });

  it('points the nose by the eyes, or without eyes by the shoulders', () => {
    const nose = ({ head }: StickFigure): number[] => head!.nose.map((v, c) => v - head!.center[c]);
    expect(nose(figureOf({}))[2]).toBeGreaterThan(0.1);
    expect(nose(figureOf({}, 90))[0]).toBeGreaterThan(0.1);
    expect(nose(figureOf(ARMS_AND_LEGS, 90))[2]).toBeGreaterThan(0.1);
  });

  it('draws all joints of a non-humanoid skeleton alike', () => {
    const parents = [-1, 0, 1, 0];
    const positions = [0, 0, 0, 0, 1, 0, 0, 2, 0, 1, 0, 0];
    const { sticks, head } = stickFigure({ parents, bones: null, height: 2 }, positions);
    expect(head).toBeNull();
    expect(sticks).toEqual([
      { from: [0, 0, 0], to: [0, 1, 0], part: 'plain', thin: false },
      { from: [0, 1, 0], to: [0, 2, 0], part: 'plain', thin: false },
      { from: [0, 0, 0], to: [1, 0, 0], part: 'plain', thin: false },
    ]);
  });

  it('draws a thin line from a root on the floor to the first branching joint', () => {
    const positions = [0, 0, 0, 0, 1, 0, 1, 1, 0, -1, 1, 0];
    const { sticks } = stickFigure({ parents: [-1, 0, 1, 1], bones: null, height: 2 }, positions);
    expect(sticks.map(({ thin }) => thin)).toEqual([true, false, false]);
    // A chain is all there is: no part of it is a stem.
    const chain = stickFigure({ parents: [-1, 0, 1], bones: null, height: 2 }, positions);
    expect(chain.sticks.map(({ thin }) => thin)).toEqual([false, false]);
  });

  it('draws the head from head joints, independent of the other joints', () => {
    const body = makeCharacter(ARMS_AND_LEGS);
    const { positions } = worldPose(body, makePose(body.figure));
    const joint = body.bones[BONE.head];
    const [x, y, z] = positions.slice(3 * joint, 3 * joint + 3);
    const more = [...positions, x, y, z - 0.4, x + 0.3, y, z];
    const count = body.skeleton.parents.length;
    const { head } = stickFigure({ ...bodyOf(body, joint, joint), head: { crown: count, nose: count + 1 } }, more);
    expect(head!.radius).toBeCloseTo(0.2, 9);
    expectNear(head!.center, [x, y, z - 0.2], EXACT);
    expectNear(head!.nose, [x + 0.3, y, z], EXACT);
  });

  it('ignores ears, hair and nose when it finds the crown', () => {
    const body = makeCharacter(ARMS_AND_LEGS);
    const { positions } = worldPose(body, makePose(body.figure));
    const joint = body.bones[BONE.head];
    const [x, y, z] = positions.slice(3 * joint, 3 * joint + 3);
    const withChild = (dx: number, dy: number, dz: number): StickFigure['head'] => {
      return stickFigure(bodyOf(body, joint), [...positions, x + dx, y + dy, z + dz]).head;
    };
    const without = stickFigure(bodyOf(body), positions).head;
    expect(withChild(0.1, 0.2, 0)).toEqual(without);
    expect(withChild(0, 0.05, 0.4)).toEqual(without);
    expect(withChild(0, 0.2, 0.18)).toEqual(without);
    expect(withChild(0, 0.3, 0.02)!.radius).toBeCloseTo(Math.hypot(0.3, 0.02) / 2, 9);
  });

  it('ends feet at explicit tips', () => {
    const body = makeCharacter({ ...ARMS_AND_LEGS, extras: ['ends'] });
    const { positions } = worldPose(body, makePose(body.figure));
    const count = (tips: StickSkeleton['tips']): number => {
      return stickFigure({ ...bodyOf(body), ...(tips === undefined ? {} : { tips }) }, positions).sticks.length;
    };
    expect(count({ left: -1, right: -1 })).toBe(count(undefined) - 2);
  });
});

describe('footTips', () => {
  it('finds the ends of the toes, not accessories above them', () => {
    const body = makeCharacter({ ...ARMS_AND_LEGS, extras: ['ends'] });
    const { positions } = worldPose(body, makePose(body.figure));
    const toes = body.bones[BONE.leftToes];
    const [x, y, z] = positions.slice(3 * toes, 3 * toes + 3);
    const { left, right } = footTips(bodyOf(body, toes), [...positions, x, y + 0.3, z + 0.3]);
    const { tails } = body.figure;
    expectNear(positions.slice(3 * left, 3 * left + 3), tails.slice(BONE.leftToes * 3, BONE.leftToes * 3 + 3), EXACT);
    expectNear(
      positions.slice(3 * right, 3 * right + 3),
      tails.slice(BONE.rightToes * 3, BONE.rightToes * 3 + 3),
      EXACT,
    );
  });

  it('returns −1 without child joints of the feet or without bones', () => {
    const body = makeCharacter(ARMS_AND_LEGS);
    const { positions } = worldPose(body, makePose(body.figure));
    expect(footTips(bodyOf(body), positions)).toEqual({ left: -1, right: -1 });
    expect(footTips({ ...bodyOf(body), bones: null }, positions)).toEqual({ left: -1, right: -1 });
  });
});
