import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BONE, BONE_MIRRORS, BONES, type BoneName, REQUIRED_BONES } from '../../../../../src/core/humanoid/bones.ts';
import { mapByShape, type ShapeMap } from '../../../../../src/core/humanoid/mapping/by-shape/map-by-shape.ts';
import { POSE_STRIDE, type Skeleton } from '../../../../../src/core/skeleton/skeleton.ts';
import { makeCharacter } from '../../../../../src/demo/characters/make-character.ts';
import { makeRandom, randomRotation } from '../../../../../src/demo/random.ts';
import { cpuTimer } from '../../../../support/cpu-time.ts';
import { IS_FULL_RUN, lawRuns } from '../../../../support/law-runs.ts';
import { randomCharacterOptions } from '../../../../support/make/demo-character.ts';
import { disguise } from '../../../../support/make/disguise.ts';
import { positionedRig, rowsOfSide } from '../../../../support/make/positioned-rig.ts';
import { bareSkeleton, namesByBone } from '../../../../support/make/rig-text.ts';
import { HUMAN, HUMANOIDS, OTHERS } from '../rigs.ts';

function shapeOf(skeleton: Skeleton): ShapeMap {
  const found = mapByShape(skeleton, null);
  if (found.nodes === null) throw new Error(found.reason);
  return found;
}

const bonesOf = (rig: Skeleton): Partial<Record<BoneName, string>> => namesByBone(rig, shapeOf(rig).nodes);

/** Names of the bones of one side in the hand-made rigs. */
const LIMBS = {
  Shoulder: 'clavicle',
  UpperArm: 'upperarm',
  LowerArm: 'forearm',
  Hand: 'hand',
  UpperLeg: 'thigh',
  LowerLeg: 'shin',
  Foot: 'foot',
  Toes: 'toe',
};
const PLAIN: Record<string, string> = { hips: 'hips', spine: 'spine', chest: 'chest', neck: 'neck', head: 'head' };
for (const [part, name] of Object.entries(LIMBS)) {
  PLAIN[`left${part}`] = `${name}.L`;
  PLAIN[`right${part}`] = `${name}.R`;
}

describe('mapByShape', () => {
  it.each(Object.keys(HUMANOIDS).filter((name) => !/toy/.test(name)))('finds exactly the bones of %s', (name) => {
    expect(bonesOf(positionedRig(HUMANOIDS[name]))).toEqual(PLAIN);
  });

  it('takes neither the end of a head nor the neck for it where one foot has an end joint', () => {
    const leg = 'thigh 0.09 0.92 0 > shin 0.09 0.5 0.02 > foot 0.09 0.08 -0.02 > toe 0.09 0.02 0.12';
    const rigOf = (end: string): Skeleton =>
      positionedRig(`
hips 0 0.97 0
 spine 0 1.08 0 > chest 0 1.25 -0.02 > neck 0 1.5 -0.02
  *clavicle 0.03 1.42 0 > upperarm 0.18 1.42 -0.02 > forearm 0.45 1.42 -0.03 > hand 0.7 1.42 0
  head 0 1.6 0 > headEnd 0 1.8 0
 ${rowsOfSide(`${leg} > toeEnd 0.09 0.02 0.2`, 'L')}
 ${rowsOfSide(`${leg}${end}`, 'R')}`);
    expect(bonesOf(rigOf(' > toeEnd 0.09 0.02 0.2'))).toEqual(PLAIN);
    expect(bonesOf(rigOf(''))).toEqual(PLAIN);
    const rows = HUMAN.match(/thigh.*/)![0];
    const oneEnd = `${rowsOfSide(`${rows} > toeEnd 0.09 0.02 0.2`, 'L')}\n ${rowsOfSide(rows, 'R')}`;
    expect(bonesOf(positionedRig(HUMAN.replace(`*${rows}`, oneEnd)))).toEqual(PLAIN);
  });

  it.each([
    ['an upper arm', 'forearm', 'twist 0.3 1.42 -0.02 > forearm'],
    ['a forearm', 'hand', 'twist 0.55 1.42 -0.02 > hand'],
    ['a thigh', 'shin', 'twist 0.09 0.7 0.01 > shin'],
    ['a shin', 'foot', 'twist 0.09 0.3 0 > foot'],
    ['the end of a forearm', 'hand', 'twist 0.67 1.42 0 > hand'],
    ['the beginning of a thigh', 'shin', 'twist 0.09 0.88 0 > shin'],
    ['a shin with two joints more', 'foot', 'roll 0.09 0.4 0.01 > twist 0.09 0.2 0 > foot'],
  ])('finds the same bones where %s has a joint more on one side', (_, name, replacement) => {
    const [arm, leg] = [HUMAN.match(/clavicle.*/)![0], HUMAN.match(/thigh.*/)![0]];
    const sides = (rows: string): string =>
      `${rowsOfSide(rows.replace(name, replacement), 'L')}|${rowsOfSide(rows, 'R')}`;
    const rig = positionedRig(
      HUMAN.replace(`*${arm}`, sides(arm).replace('|', '\n   ')).replace(`*${leg}`, sides(leg).replace('|', '\n ')),
    );
    expect(rig.names).toContain('twist.L');
    expect(bonesOf(rig)).toEqual(PLAIN);
  });

  it('finds the bones of a toy without neck, shoulders and toes', () => {
    const toy = 'a toy without neck, shoulders and toes';
    expect(bonesOf(positionedRig(HUMANOIDS[toy]))).toEqual({
      hips: 'hips',
      spine: 'chest',
      head: 'head',
      leftUpperArm: 'arm.L',
      leftLowerArm: 'elbow.L',
      leftHand: 'fist.L',
      rightUpperArm: 'arm.R',
      rightLowerArm: 'elbow.R',
      rightHand: 'fist.R',
      leftUpperLeg: 'leg.L',
      leftLowerLeg: 'knee.L',
      leftFoot: 'foot.L',
      rightUpperLeg: 'leg.R',
      rightLowerLeg: 'knee.R',
      rightFoot: 'foot.R',
    });
  });

  it.each(Object.keys(OTHERS))('refuses %s', (name) => {
    const found = mapByShape(positionedRig(OTHERS[name]), null);
    expect(found.nodes).toBeNull();
    if (found.nodes === null) expect(found.reason).toMatch(/limbs|legs/);
  });

  it('says what a pair of limbs is where one leg has three joints more than the other', () => {
    const leg = ' thigh 0.09 0.92 0 > shin 0.09 0.5 0.02 > foot 0.09 0.08 -0.02';
    const long = leg
      .replaceAll(' 0.09 ', ' -0.09 ')
      .replace(' > shin', ' > a -0.09 0.8 0 > b -0.09 0.7 0 > c -0.09 0.6 0 > shin');
    const found = mapByShape(positionedRig(`${HUMAN.replace(/ \*thigh.*/, '')}${leg}\n${long}`), null);
    expect(found).toMatchObject({ nodes: null, reason: expect.stringContaining('at most two joints more') });
  });

  it('gives four legs as the reason to refuse a dog', () => {
    const found = mapByShape(positionedRig(OTHERS['a dog']), null);
    expect(found).toEqual({ nodes: null, reason: 'it stands on four legs' });
  });

  it('refuses rigs without extent, with non-finite positions, or without joints', () => {
    const rig = positionedRig(HUMAN);
    for (const value of [0, Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
      const rest = rig.rest.map((number, k) => (k % 10 < 3 ? value : number));
      expect(mapByShape({ ...rig, rest }, null).nodes).toBeNull();
    }
    expect(mapByShape(bareSkeleton([], []), null).nodes).toBeNull();
  });

  it.runIf(IS_FULL_RUN)('handles deep, wide and bushy hierarchies quickly', () => {
    const count = 20_000;
    const trees: readonly ((node: number) => number)[] = [
      (node) => node - 1,
      (node) => (node === 0 ? -1 : 0),
      (node) => Math.floor((node - 1) / 2),
      (node) => Math.floor((node - 1) / 12),
    ];
    for (const parentOf of trees) {
      const parents = Array.from({ length: count }, (_, node) => (node === 0 ? -1 : parentOf(node)));
      const bare = bareSkeleton(Array(count).fill(''), parents);
      const rest = bare.rest.map((value, k) => (k % 10 < 3 ? Math.sin(k) : value));
      const milliseconds = cpuTimer();
      mapByShape({ ...bare, rest }, null);
      expect(milliseconds()).toBeLessThan(5000);
    }
  });
});

describe('mapByShape: left and right', () => {
  it('are found by toes, knees and elbows alone', () => {
    const straight = HUMAN.replace('shin 0.09 0.5 0.02', 'shin 0.09 0.5 -0.01')
      .replace('foot 0.09 0.08 -0.02', 'foot 0.09 0.08 -0.02')
      .replace('thigh 0.09 0.92 0 ', 'thigh 0.09 0.92 0 ')
      .replace(' > toe 0.09 0.02 0.12', '')
      .replace('forearm 0.45 1.42 -0.03 > hand 0.7 1.42 0', 'forearm 0.45 1.42 -0.02 > hand 0.7 1.42 -0.02');
    const silent = positionedRig(straight);
    expect(shapeOf(silent).sideConfidence).toBe(0);
    expect(silent.names[shapeOf(silent).nodes[BONE.leftHand]]).toBe('hand.L');
    // The right side first, and seen from behind: the front of files by convention, +Z, decides.
    const behind = silent.rest.map((value, k) => (k % POSE_STRIDE === 0 ? -value : value));
    expect(silent.names[shapeOf({ ...silent, rest: behind }).nodes[BONE.leftHand]]).toBe('hand.R');
    const signs = {
      toes: straight.replace('foot 0.09 0.08 -0.02', 'foot 0.09 0.08 -0.02 > toe 0.09 0.02 0.12'),
      knees: straight.replace('shin 0.09 0.5 -0.01', 'shin 0.09 0.5 0.08'),
      elbows: straight.replace('forearm 0.45 1.42 -0.02', 'forearm 0.45 1.42 -0.1'),
    };
    for (const [what, text] of Object.entries(signs)) {
      const rig = positionedRig(text);
      const shape = shapeOf(rig);
      expect(shape.sideConfidence, what).toBeGreaterThan(0.3);
      expect(rig.names[shape.nodes[BONE.leftHand]], what).toBe('hand.L');
      expect(shape.sideCues.find(({ name }) => name === what)?.vote).not.toBe(0);
    }
  });
});

/** Maximum ratio of shoulder width to arm length: beyond it, clavicles look like arms. */
const BROADEST = 0.85;

describe('mapByShape: random humanoids', () => {
  it('are found in any pose, axes, unit and node order, with any optional bones and helpers', () => {
    let fingers = 0;
    let humanoids = 0;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
        const options = randomCharacterOptions(seed);
        const { shoulderWidth = 1, arm = 1 } = options.proportions ?? {};
        fc.pre(shoulderWidth < BROADEST * arm);
        const { skeleton, bones } = makeCharacter(options);
        const rotation = randomRotation(makeRandom(seed));
        const disguised = disguise(skeleton, null, { name: () => '', seed, turn: Array.from(rotation), scale: 1 });
        const truth = Array.from(bones, (node) => (node < 0 ? -1 : disguised.place[node]));
        const shape = shapeOf(disguised.skeleton);
        const isSwapped = shape.sideConfidence === 0 && shape.nodes[BONE.leftHand] === truth[BONE.rightHand];
        const found = isSwapped ? shape.nodes.map((_, bone) => shape.nodes[BONE_MIRRORS[bone]]) : shape.nodes;
        for (const bone of REQUIRED_BONES) {
          const node = found[BONE[bone]];
          // A joint between hips and spine is accepted as the spine.
          const isBetween = bone === 'spine' && node === disguised.skeleton.parents[truth[BONE.spine]];
          if (!isBetween) expect(node, `${bone} of ${seed}`).toBe(truth[BONE[bone]]);
        }
        for (const [bone, name] of BONES.entries()) {
          if (!/Thumb|Index|Middle|Ring|Little/.test(name)) continue;
          expect(found[bone], `${name} of ${seed}`).toBe(truth[bone]);
          if (truth[bone] >= 0) fingers++;
        }
        humanoids++;
      }),
      // Fewer say nothing about how many are found.
      { seed: 71, numRuns: Math.max(12, lawRuns(150)) },
    );
    expect(humanoids).toBeGreaterThan(lawRuns(100));
    expect(fingers).toBeGreaterThan(lawRuns(500));
  });
});
