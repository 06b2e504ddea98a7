import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { matchNames } from '../../../../src/core/humanoid/mapping/combine/map-by-names.ts';
import { mapBones } from '../../../../src/core/humanoid/mapping/map-bones.ts';
import { whyNotHumanoid } from '../../../../src/core/humanoid/mapping/why-not-humanoid.ts';
import type { Skeleton } from '../../../../src/core/skeleton/skeleton.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { positionedRig } from '../../../support/make/positioned-rig.ts';
import { bareSkeleton, rigOf } from '../../../support/make/rig-text.ts';

const why = (skeleton: Skeleton, positions?: Float64Array): string | null =>
  whyNotHumanoid(skeleton, matchNames(skeleton).mapping.map, positions);

const humanoid = rigOf(`
  Hips
   Spine > Head
   {Left|Right}Arm > {Left|Right}ForeArm > {Left|Right}Hand
   {Left|Right}UpLeg > {Left|Right}Leg > {Left|Right}Foot`);

/** Positions of the joints by name; x is mirrored for `Right`. */
function positionsOf(joints: Readonly<Record<string, readonly [number, number, number]>>): Float64Array {
  return Float64Array.from(
    humanoid.names.flatMap((name) => {
      const sided = joints[name.replace(/^(?:Left|Right)/, '')];
      if (joints[name] !== undefined) return [...joints[name]];
      const side = name.startsWith('Left') ? 1 : -1;
      return sided === undefined ? [0, 1, 0] : [side * sided[0], sided[1], sided[2]];
    }),
  );
}

const LEGS = { UpLeg: [0.1, 0.9, 0], Leg: [0.1, 0.5, 0.02], Foot: [0.1, 0.1, 0] } as const;
const TRUNK = { Hips: [0, 0.95, 0], Spine: [0, 1.1, 0], Head: [0, 1.6, 0] } as const;

const HUMANS: Readonly<Record<string, Float64Array>> = {
  'T-pose': positionsOf({ ...TRUNK, ...LEGS, Arm: [0.2, 1.4, 0], ForeArm: [0.45, 1.4, 0], Hand: [0.7, 1.4, 0] }),
  'A-pose': positionsOf({ ...TRUNK, ...LEGS, Arm: [0.2, 1.4, 0], ForeArm: [0.35, 1.2, 0], Hand: [0.5, 1.0, 0] }),
  'arms down': positionsOf({ ...TRUNK, ...LEGS, Arm: [0.2, 1.4, 0], ForeArm: [0.2, 1.15, 0], Hand: [0.2, 0.9, 0] }),
  'arms up': positionsOf({ ...TRUNK, ...LEGS, Arm: [0.2, 1.4, 0], ForeArm: [0.2, 1.65, 0], Hand: [0.2, 1.9, 0] }),
  'all bones along one axis': positionsOf({
    Hips: [0, 0, 0],
    Spine: [0, 0.1, 0],
    Head: [0, 0.7, 0],
    Arm: [0.2, 0.5, 0],
    ForeArm: [0.2, 0.75, 0],
    Hand: [0.2, 1, 0],
    UpLeg: [0.1, 0, 0],
    Leg: [0.1, 0.4, 0],
    Foot: [0.1, 0.8, 0],
  }),
  'on the floor with legs and arms stretched forward': positionsOf({
    Hips: [0, 0.1, 0],
    Spine: [0, 0.25, 0],
    Head: [0, 0.75, 0],
    Arm: [0.2, 0.55, 0],
    ForeArm: [0.2, 0.5, 0.25],
    Hand: [0.2, 0.45, 0.5],
    UpLeg: [0.1, 0.1, 0],
    Leg: [0.1, 0.1, 0.4],
    Foot: [0.1, 0.1, 0.8],
  }),
  'on a chair with the hands on the knees': positionsOf({
    Hips: [0, 0.5, 0],
    Spine: [0, 0.65, 0],
    Head: [0, 1.15, 0],
    Arm: [0.2, 0.95, 0],
    ForeArm: [0.2, 0.75, 0.1],
    Hand: [0.15, 0.6, 0.35],
    UpLeg: [0.1, 0.5, 0],
    Leg: [0.1, 0.5, 0.4],
    Foot: [0.1, 0.1, 0.4],
  }),
  'a stooped ogre whose arms are as long as its legs': positionsOf({
    ...LEGS,
    Hips: [0, 0.95, 0],
    Spine: [0, 1.0, 0.1],
    Head: [0, 1.4, 0.7],
    Arm: [0.3, 1.3, 0.55],
    ForeArm: [0.3, 0.9, 0.55],
    Hand: [0.3, 0.56, 0.55],
  }),
  'all joints coincident': positionsOf({}),
};

const DOG = positionsOf({
  Hips: [0, 0.55, -0.4],
  Spine: [0, 0.55, -0.2],
  Head: [0, 0.75, 0.45],
  Arm: [0.1, 0.5, 0.2],
  ForeArm: [0.1, 0.3, 0.15],
  Hand: [0.1, 0.02, 0.2],
  UpLeg: [0.1, 0.52, -0.4],
  Leg: [0.1, 0.3, -0.3],
  Foot: [0.1, 0.02, -0.45],
});

describe('whyNotHumanoid', () => {
  it.each(Object.keys(HUMANS))('accepts a human in this pose: %s', (pose) => {
    expect(why(humanoid, HUMANS[pose])).toBeNull();
  });

  it('refuses a quadruped by its posture with any axes, size and position', () => {
    expect(why(humanoid, DOG)).toMatch(/four legs/);
    const number = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.tuple(number, number, number, number),
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        (q, size) => {
          const length = Math.hypot(...q);
          fc.pre(length > 0.1);
          const [x, y, z, w] = q.map((part) => part / length);
          const rotated = new Float64Array(DOG.length);
          for (let i = 0; i < DOG.length; i += 3) {
            const [a, b, c] = [DOG[i], DOG[i + 1], DOG[i + 2]];
            rotated[i] = size * ((1 - 2 * (y * y + z * z)) * a + 2 * (x * y - z * w) * b + 2 * (x * z + y * w) * c) + 7;
            rotated[i + 1] = size * (2 * (x * y + z * w) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z - x * w) * c);
            rotated[i + 2] = size * (2 * (x * z - y * w) * a + 2 * (y * z + x * w) * b + (1 - 2 * (x * x + y * y)) * c);
          }
          expect(why(humanoid, rotated)).toMatch(/four legs/);
        },
      ),
      { seed: 41, numRuns: lawRuns(50) },
    );
  });

  it('refuses a quadruped by its shape where no name says which joint is a hand or a foot', () => {
    const horse = positionedRig(`
pelvis 0 1.39 -0.4
 spine 0 1.33 -0.2 > chest 0 1.28 0.1
  neck 0 1.38 0.5 > head 0 1.78 1
  *upper_arm 0.12 1.1 0.3 > forearm 0.12 0.75 0.2 > cannon 0.12 0.4 0.25 > pastern 0.12 0.12 0.25 > hoof 0.12 0.03 0.32
 *thigh 0.12 1.2 -0.5 > shin 0.12 0.8 -0.4 > hock 0.12 0.5 -0.65 > pastern 0.12 0.12 -0.6 > hoof 0.12 0.03 -0.52`);
    const { map, shapeRefusal } = mapBones(horse);
    expect(map.nodes[BONE.leftHand]).toBe(-1);
    expect(whyNotHumanoid(horse, map, undefined, shapeRefusal)).toBe('it stands on four legs');
  });

  it('accepts the human half of a centaur', () => {
    const centaur = positionedRig(`
hips 0 1 0.5
 spine 0 1.2 0.5 > chest 0 1.4 0.5
  neck 0 1.55 0.5 > head 0 1.7 0.52
  *upper_arm 0.2 1.5 0.5 > forearm 0.5 1.5 0.5 > hand 0.75 1.5 0.5
 barrel 0 1 -0.4
  *hind_a 0.15 0.9 -0.5 > hind_b 0.15 0.6 -0.4 > hind_c 0.15 0.3 -0.55 > hind_d 0.15 0.02 -0.5
 *front_a 0.15 0.9 0.5 > front_b 0.15 0.6 0.45 > front_c 0.15 0.3 0.5 > front_d 0.15 0.02 0.55`);
    const { map, shapeRefusal } = mapBones(centaur);
    expect(map.nodes[BONE.leftHand]).toBeGreaterThan(-1);
    expect(whyNotHumanoid(centaur, map, undefined, shapeRefusal)).toBeNull();
  });

  it('accepts non-finite positions', () => {
    expect(why(humanoid, new Float64Array(3 * humanoid.names.length).fill(Number.NaN))).toBeNull();
  });

  it('judges rest pose and bind pose by default', () => {
    const rest = Float64Array.from(humanoid.rest);
    for (let node = 0; node < humanoid.names.length; node++) {
      const parent = humanoid.parents[node];
      for (let axis = 0; axis < 3; axis++) {
        rest[node * 10 + axis] = DOG[3 * node + axis] - (parent < 0 ? 0 : DOG[3 * parent + axis]);
      }
    }
    const dog: Skeleton = { ...humanoid, rest };
    expect(why(dog)).toMatch(/four legs/);
    // A human that was bound upright and saved on all fours.
    const upright = HUMANS['T-pose'];
    const bind = new Float64Array(16 * humanoid.names.length);
    for (let node = 0; node < humanoid.names.length; node++) {
      const at = upright.subarray(3 * node, 3 * node + 3);
      bind.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...at, 1], 16 * node);
    }
    expect(why({ ...dog, bind })).toBeNull();
  });

  it('lists the missing bones', () => {
    expect(why(rigOf('hips > spine > head\n leg_{l|r} > knee_{l|r}'))).toMatch(
      /^no arms: 7 of 15 required bones found \(missing: leftUpperArm, .*rightFoot\)$/,
    );
    expect(why(rigOf('Left_Wheel > Camera'))).toMatch(/^no hips, no arms, no legs: 0 of 15/);
    expect(why(rigOf('L_Wrist > L_IndexProximal > L_IndexIntermediate > L_IndexDistal'))).toMatch(/no hips, no arms/);
  });

  it('accepts humanoids without legs, with one arm, or without spine or hands', () => {
    expect(why(rigOf('Hips > Spine\n Head\n {Left|Right}Arm > {Left|Right}ForeArm > {Left|Right}Hand'))).toBeNull();
    expect(
      why(
        rigOf(
          'Hips\n Spine\n  Head\n  LeftArm > LeftForeArm > LeftHand\n {Left|Right}UpLeg > {Left|Right}Leg > {Left|Right}Foot',
        ),
      ),
    ).toBeNull();
    expect(
      why(rigOf('hip\n head\n {l|r}_upper_arm > {l|r}_lower_arm\n {l|r}_thigh > {l|r}_shin > {l|r}_foot')),
    ).toBeNull();
  });

  it('gives unusable names as the reason', () => {
    expect(why(bareSkeleton(['', '', ''], [-1, 0, 1]))).toMatch(/^its 3 joints have no names; supply a bone map/);
    expect(why(bareSkeleton(['', '', 'x'], [-1, 0, 1]))).toMatch(/^2 of its 3 joints have no names/);
    expect(why(rigOf('Bone > Bone.001 > Bone.002'))).toMatch(
      /names of its joints \(Bone, Bone\.001, Bone\.002 …\) do not contain body parts/,
    );
    expect(why(bareSkeleton([], []))).toMatch(/no joints/);
  });
});
