import { describe, expect, it } from 'vitest';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { mapByShape } from '../../../../src/core/humanoid/mapping/by-shape/map-by-shape.ts';
import { mapBones } from '../../../../src/core/humanoid/mapping/map-bones.ts';
import { possibleBones } from '../../../../src/core/humanoid/mapping/possible-bones.ts';
import { POSE_STRIDE, type Skeleton } from '../../../../src/core/skeleton/skeleton.ts';
import { makeCharacter } from '../../../../src/demo/characters/make-character.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { randomCharacterOptions } from '../../../support/make/demo-character.ts';
import { makeDressable } from '../../../support/make/dressing/humanoids.ts';

const NO_TRANSLATION = [0, 0, 0];
const NO_ROTATION_OR_SCALE = [0, 0, 0, 1, 1, 1, 1];

/**
 * Puts two groups above every joint, as control rigs do: at the position of the parent, or, where `takes` says so, at that of the joint, whose translation the
 * outer one takes. The node of a joint becomes three times its number plus two.
 */
function grouped(
  { names, parents, rest, joints }: Skeleton,
  takes: (node: number) => boolean,
  named: (name: string) => readonly [outer: string, inner: string, joint: string] = () => ['', '', ''],
): Skeleton {
  const none = [...NO_TRANSLATION, ...NO_ROTATION_OR_SCALE];
  const local = (node: number): number[] => Array.from(rest.slice(POSE_STRIDE * node, POSE_STRIDE * (node + 1)));
  return {
    name: 'grouped',
    names: names.flatMap(named),
    parents: Int32Array.from(
      [...parents].flatMap((parent, node) => [parent < 0 ? -1 : 3 * parent + 2, 3 * node, 3 * node + 1]),
    ),
    rest: Float64Array.from(
      names.flatMap((_, node) => {
        const pose = local(node);
        return takes(node)
          ? [...pose.slice(0, 3), ...NO_ROTATION_OR_SCALE, ...none, ...NO_TRANSLATION, ...pose.slice(3)]
          : [...none, ...none, ...pose];
      }),
    ),
    joints: Uint8Array.from([...joints].flatMap((joint) => [0, 0, joint])),
    bind: null,
  };
}

const nodesOf = (skeleton: Skeleton): number[] => Array.from(mapByShape(skeleton, null).nodes ?? []);

describe('possibleBones', () => {
  it.each([
    ['at their parents', () => false],
    ['at the joints', () => true],
    ['at either', (node: number) => node % 3 === 0],
  ] as const)('groups of single joints, %s, change no map by shape', (_, takes) => {
    for (let seed = 0; seed < lawRuns(20) / 5; seed++) {
      const skeleton = { ...makeDressable(seed).skeleton, bind: null };
      const nodes = nodesOf(skeleton);
      expect(nodes.length).toBeGreaterThan(0);
      expect(nodesOf(grouped(skeleton, takes))).toEqual(nodes.map((node) => (node < 0 ? -1 : 3 * node + 2)));
    }
  });

  it.each(['Null_', 'Offset_', 'SDK_'])(
    'of a joint and a group above it that is called %s and its name, the joint is the bone',
    (word) => {
      for (let seed = 0; seed < lawRuns(20) / 5; seed++) {
        const skeleton = { ...makeCharacter(randomCharacterOptions(seed)).skeleton, bind: null };
        const nodes = Array.from(mapBones(skeleton).map.nodes);
        const withGroups = grouped(
          skeleton,
          () => false,
          (name) => [`${word}${name}`, '', name],
        );
        expect(Array.from(mapBones(withGroups).map.nodes)).toEqual(nodes.map((node) => (node < 0 ? -1 : 3 * node + 2)));
      }
    },
  );

  it.each(['vrm', 'blender', 'cmu', 'mixamo', 'plain'] as const)(
    'a bone of the trunk that no skin has stays one: %s',
    (naming) => {
      const { skeleton, bones } = makeCharacter({ naming });
      for (const bone of [BONE.spine, BONE.chest, BONE.upperChest]) {
        const joints = skeleton.joints.slice();
        joints[bones[bone]] = 0;
        expect(mapBones({ ...skeleton, joints }).map.nodes).toEqual(mapBones(skeleton).map.nodes);
      }
    },
  );

  it('a group that a hand holds, with joints below it, has no fingers', () => {
    const { skeleton, bones } = makeCharacter({ naming: 'plain', without: ['fingers'] });
    const { map } = mapBones(skeleton);
    const added = (['left', 'right'] as const).flatMap((side, k) => {
      const group = skeleton.names.length + 7 * k;
      const chain = (letter: string) =>
        [1, 2, 3].map((number, j) => ({ name: `${letter}${number}`, parent: j, isJoint: 1 }));
      return [
        { name: 'Bow', parent: bones[BONE[`${side}Hand`]], isJoint: 0 },
        ...['b', 'c'].flatMap((letter, c) =>
          chain(letter).map((one) => ({ ...one, parent: one.parent === 0 ? group : group + 3 * c + one.parent })),
        ),
      ];
    });
    const holding: Skeleton = {
      ...skeleton,
      names: [...skeleton.names, ...added.map(({ name }) => name)],
      parents: Int32Array.from([...skeleton.parents, ...added.map(({ parent }) => parent)]),
      joints: Uint8Array.from([...skeleton.joints, ...added.map(({ isJoint }) => isJoint)]),
      rest: Float64Array.from([
        ...skeleton.rest,
        ...added.flatMap((_, k) => [0.02, 0.03, 0.01 * (k % 7), ...NO_ROTATION_OR_SCALE]),
      ]),
      bind: null,
    };
    expect(mapBones(holding).map.nodes).toEqual(map.nodes);
  });

  it('keeps a node without a skin where joints branch off, and all nodes of a skeleton without joints', () => {
    const hips: Skeleton = {
      name: 'hips',
      names: ['Armature', 'Hips', 'Spine', 'Leg', 'Leg'],
      parents: Int32Array.of(-1, 0, 1, 1, 1),
      rest: Float64Array.from([0, 1, 0, 0.1, -0.1].flatMap((x) => [x, x, 0, ...NO_ROTATION_OR_SCALE])),
      joints: Uint8Array.of(0, 0, 1, 1, 1),
      bind: null,
    };
    expect(possibleBones(hips)).toEqual({ parents: hips.parents, usable: Uint8Array.of(1, 1, 1, 1, 1) });
    const bare = { ...hips, joints: new Uint8Array(5) };
    expect(possibleBones(bare).parents).toEqual(hips.parents);
  });
});
