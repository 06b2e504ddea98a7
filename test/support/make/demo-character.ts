/** Options of procedural characters, all drawn at random. */
import type { Axes } from '../../../src/demo/characters/axes.ts';
import type { ArmatureNode, CharacterOptions } from '../../../src/demo/characters/character.ts';
import type { NamingName } from '../../../src/demo/characters/naming.ts';
import type { ExtraJoints, OptionalBones } from '../../../src/demo/characters/rig.ts';
import type { Posture } from '../../../src/demo/figure/posture.ts';
import { ADULT, type Proportions } from '../../../src/demo/figure/proportions.ts';
import { between, makeRandom, pick, type Random, randomRotation } from '../../../src/demo/random.ts';

const GROUPS: readonly OptionalBones[] = [
  'chest',
  'upperChest',
  'neck',
  'jaw',
  'eyes',
  'shoulders',
  'toes',
  'thumbs',
  'fingers',
];
const EXTRAS: readonly ExtraJoints[] = ['ends', 'twist', 'spine', 'joints'];
const NAMES: readonly NamingName[] = ['mixamo', 'plain', 'unreal', 'vrm', 'blender', 'cmu', 'biped'];

function some<T>(random: Random, choices: readonly T[], chance: number): T[] {
  return choices.filter(() => random() < chance);
}

function randomProportions(random: Random): Proportions {
  const entries = Object.entries(ADULT).map(([key, length]) => [key, length * between(random, 0.6, 1.7)] as const);
  return Object.fromEntries(entries) as unknown as Proportions;
}

function randomPosture(random: Random): Posture {
  if (random() < 0.3) return {};
  return {
    arms: between(random, -10, 80),
    armsForward: between(random, -10, 30),
    elbows: between(random, 0, 60),
    palms: between(random, -30, 90),
    fingers: between(random, 0, 25),
    legs: between(random, 0, 15),
    knees: random() < 0.5 ? 0 : between(random, 0, 50),
  };
}

function randomArmature(random: Random): ArmatureNode[] {
  return Array.from({ length: Math.floor(random() * 3) }, (_, k) => ({
    name: `armature ${k}`,
    translation: [between(random, -2, 2), between(random, -2, 2), between(random, -2, 2)] as const,
    rotation: randomRotation(random),
    scale: pick(random, [1, 0.01, 2.5]),
  }));
}

/** Moves an angle out of the 3° around each axis of the file, where a front is taken as that axis; degrees. */
function offAxes(angle: number): number {
  const axis = 90 * Math.floor(angle / 90);
  return axis + 3 + ((angle - axis) * 84) / 90;
}

/** Returns the options of a character, the same for the same seed. The rest pose is the bind pose. */
export function randomCharacterOptions(seed: number): CharacterOptions {
  const random = makeRandom(seed);
  const axes: Axes = pick<Axes>(random, ['identity', 'world', 'bone-y', 'bone-x', { seed }]);
  return {
    name: `random ${seed}`,
    proportions: randomProportions(random),
    without: some(random, GROUPS, 0.25),
    extras: some(random, EXTRAS, 0.4),
    naming: pick(random, NAMES),
    axes,
    bindPose: randomPosture(random),
    metersPerUnit: pick(random, [1, 0.01, 0.0254]),
    armature: randomArmature(random),
    facing: pick(random, [0, 180, 90, offAxes(between(random, -180, 180))]),
    up: pick(random, ['+Y', '+Z'] as const),
  };
}
