/** Law: joints of props, clothes, hair and controls, named as such, change neither the bone map nor the reference pose. */
import { describe } from 'vitest';
import { BONE, BONE_COUNT, BONES, type BoneName, isFingerBone } from '../../src/core/humanoid/bones.ts';
import { describeHumanoid } from '../../src/core/humanoid/describe-humanoid.ts';
import type { Skeleton } from '../../src/core/skeleton/skeleton.ts';
import { makeCharacter } from '../../src/demo/characters/make-character.ts';
import type { NamingName } from '../../src/demo/characters/naming.ts';
import { between, pick, type Random, randomRotation } from '../../src/demo/random.ts';
import { randomCharacterOptions } from '../support/make/demo-character.ts';
import { angle, read } from '../support/reference/plain.ts';
import { TRUE_LIMB } from '../support/tolerances.ts';
import { largest, law } from './law.ts';

/** Chains of joints below a bone; `left` stands for both sides. */
const PROPS: readonly (readonly [bone: BoneName, ...words: string[]])[] = [
  ...['Sword', 'Weapon', 'Shield', 'Gun Muzzle', 'Bow BowString Arrow', 'HandProp', 'Wand', 'Knife'].map(
    (words) => ['leftHand', ...words.split(' ')] as const,
  ),
  // No list of words has all that hands hold.
  ...[
    'Crossbow CrossbowString',
    'Lute LuteNeck',
    'Fan FanTip',
    'Nunchaku1 Nunchaku2 Nunchaku3',
    'Claw1 Claw2',
    'Cup',
  ].map((words) => ['leftHand', ...words.split(' ')] as const),
  ...['Hat HatTip', 'Ponytail1 Ponytail2 Ponytail3', 'Beard', 'Glasses', 'Tongue1 Tongue2'].map(
    (words) => ['head', ...words.split(' ')] as const,
  ),
  ...['Tail1 Tail2 Tail3', 'SkirtFront1 SkirtFront2', 'Belt', 'Holster'].map(
    (words) => ['hips', ...words.split(' ')] as const,
  ),
  ...['Backpack', 'Cape1 Cape2 Cape3', 'Quiver', 'Scarf1 Scarf2'].map(
    (words) => ['spine', ...words.split(' ')] as const,
  ),
  ['leftUpperArm', 'ShoulderPad'],
  ['leftUpperArm', 'ArmTwist'],
  ['leftLowerArm', 'ElbowPad'],
  ['leftUpperLeg', 'ThighTwist'],
  ['leftLowerLeg', 'KneePad'],
];

/** Writes a name as rigs of a naming convention do. */
function nameIn(naming: NamingName, side: string, word: string): string {
  const snake = word.replace(/(?!^)([A-Z])/g, '_$1').toLowerCase();
  if (naming === 'unreal') return side === '' ? snake : `${snake}_${side[0]}`;
  if (naming === 'blender') return side === '' ? snake : `${snake}.${side[0].toUpperCase()}`;
  if (naming === 'biped') return `Bip01 ${side === '' ? '' : `${side[0].toUpperCase()} `}${word}`;
  const capital = side === '' ? '' : `${side[0].toUpperCase()}${side.slice(1)}`;
  return `${naming === 'mixamo' ? 'mixamorig:' : ''}${capital}${word}`;
}

/** Appends a chain of joints below a node. Their names are `names`. */
function withChain(random: Random, skeleton: Skeleton, below: number, names: readonly string[]): Skeleton {
  const count = skeleton.names.length;
  const length = Math.hypot(...read(skeleton.rest, 10 * below, 3)) || 1;
  const rest = names.flatMap(() => [
    ...[0, 1, 2].map(() => length * between(random, -0.5, 0.5)),
    ...randomRotation(random),
    ...[1, 1, 1],
  ]);
  return {
    ...skeleton,
    names: [...skeleton.names, ...names],
    parents: Int32Array.from([...skeleton.parents, ...names.map((_, k) => (k === 0 ? below : count + k - 1))]),
    rest: Float64Array.from([...skeleton.rest, ...rest]),
    bind: null,
    joints: new Uint8Array(count + names.length),
  };
}

describe('joints of props, clothes and hair', () => {
  law('do not change the bone map and the reference pose', TRUE_LIMB, (random) => {
    const seed = Math.floor(random() * 2 ** 31);
    const options = randomCharacterOptions(seed);
    const { skeleton, bones, metersPerUnit } = makeCharacter({ ...options, skin: false });
    const [bone, ...words] = pick(random, PROPS);
    let dressed = skeleton;
    for (const side of bone.startsWith('left') ? ['left', 'right'] : ['']) {
      const below = bones[BONE[bone.replace('left', side) as BoneName]];
      dressed = withChain(
        random,
        dressed,
        below,
        words.map((word) => nameIn(options.naming ?? 'plain', side, word)),
      );
    }
    const plain = describeHumanoid(skeleton, { metersPerUnit }).humanoid;
    const other = describeHumanoid(dressed, { metersPerUnit }).humanoid;
    if (plain === null || other === null) return plain === other ? 0 : Number.NaN;
    const moved = BONES.filter((_, node) => plain.map.nodes[node] !== other.map.nodes[node]);
    if (moved.length > 0) throw new Error(`seed ${seed}: ${words.join(' ')} changed ${moved.join(', ')}`);
    return largest(
      ...Array.from({ length: BONE_COUNT }, (_, k) =>
        // The tip of a last finger joint may be any joint below it.
        isFingerBone(BONES[k]) || plain.map.nodes[k] < 0
          ? 0
          : angle(read(plain.reference.rotations, 4 * k, 4), read(other.reference.rotations, 4 * k, 4)),
      ),
    );
  });
});
