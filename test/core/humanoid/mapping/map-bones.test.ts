import { describe, expect, it } from 'vitest';
import type { Track } from '../../../../src/core/animation/clip.ts';
import { BONE, BONE_MIRRORS, BONES, type BoneName } from '../../../../src/core/humanoid/bones.ts';
import { matchNames } from '../../../../src/core/humanoid/mapping/combine/map-by-names.ts';
import { type BoneMapping, mapBones } from '../../../../src/core/humanoid/mapping/map-bones.ts';
import { localToModelMatrices } from '../../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../../src/core/skeleton/skeleton.ts';
import { makeCharacter } from '../../../../src/demo/characters/make-character.ts';
import { makeRandom, pick, type Random } from '../../../../src/demo/random.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { positionedRig } from '../../../support/make/positioned-rig.ts';
import { namesByBone } from '../../../support/make/rig-text.ts';
import { withControls } from '../../../support/make/rig-with-controls.ts';
import { HUMAN, OTHERS } from './rigs.ts';

const plain = positionedRig(HUMAN);

/** One without toes, whose joints lie in one plane. */
const flat = positionedRig(
  HUMAN.replace(' > toe 0.09 0.02 0.12', '').replace(/(\S+) (\S+) (-?[\d.]+) -?0\.0\d( |\n|$)/g, '$1 $2 $3 0$4'),
);

/** The name of the other side. */
function withOtherSide(name: string): string {
  return name.replace(/\.[LR]$/, (side) => (side === '.L' ? '.R' : '.L'));
}

/** The plain humanoid with other names. */
function renamed(name: (old: string) => string): Skeleton {
  return { ...plain, names: plain.names.map(name) };
}

const SPELLINGS = (['mixamo', 'vrm', 'unreal'] as const).map((naming) => makeCharacter({ naming }).skeleton);

/** A character some of whose nodes have the names of other nodes, of another convention, or none. */
function mixedNames(random: Random): Skeleton {
  const base = pick(random, SPELLINGS);
  const names = base.names.map((name) =>
    random() < 0.7 ? name : pick(random, ['', ...[0, 1].map(() => pick(random, pick(random, SPELLINGS).names))]),
  );
  return { ...base, names };
}

/** How names of controls and of the nodes that move the skin beside them differ. */
const LAYERS: readonly Parameters<typeof withControls>[1][] = [
  [(name) => `${name}_fk`, (name) => `DEF-${name}`],
  [(name) => `FK_${name}`, (name) => `Bind_${name}`],
  [(name) => `${name}_ctrl`, (name) => `${name}_jnt`],
  [(name) => `c_${name}`, (name) => name],
];
/** How names of bones and of copies of them differ, which retargeting moves with the bones. */
const COPIES: typeof LAYERS = [
  [(name) => name, (name) => `${name}.001`],
  [(name) => name, (name) => `${name}Outfit`],
  [(name) => name, (name) => `${name}_cloth`],
  [(name) => `Body:${name}`, (name) => `Coat:${name}`],
];

const codesOf = ({ issues }: BoneMapping): string[] => issues.map(({ code }) => code);
const nodeOf = ({ map }: BoneMapping, bone: BoneName): number => map.nodes[BONE[bone]];

describe('mapBones', () => {
  it('keeps a complete map by names, with more confidence where the shape agrees', () => {
    const { skeleton } = makeCharacter({ naming: 'mixamo' });
    const named = matchNames(skeleton).mapping;
    const { map, issues, missing, shapeRefusal } = mapBones(skeleton);
    expect([...map.nodes]).toEqual([...named.map.nodes]);
    expect([map.from, missing, shapeRefusal]).toEqual([named.map.from, [], null]);
    expect(issues).toEqual(named.issues);
    const words = mapBones(plain);
    const byWords = matchNames(plain).mapping;
    expect([...words.map.nodes]).toEqual([...byWords.map.nodes]);
    expect(words.map.confidence[BONE.leftHand]).toBeGreaterThan(byWords.map.confidence[BONE.leftHand]);
  });

  it('finds unnamed bones by shape and reports BONES_BY_SHAPE', () => {
    const rig = renamed((name) => (/arm|hand/.test(name) ? `thing${name.length}` : name));
    const mapping = mapBones(rig);
    expect(namesByBone(plain, mapping.map.nodes)).toEqual(namesByBone(plain, mapBones(plain).map.nodes));
    expect(codesOf(mapping)).toContain('BONES_BY_SHAPE');
    expect(mapping.issues.find(({ code }) => code === 'BONES_BY_SHAPE')?.message).toMatch(/leftUpperArm, leftLowerArm/);
    expect(mapping.missing).toEqual([]);
  });

  it('uses the shape without meaningful names, and adds the few that are', () => {
    const silent = mapBones(renamed(() => ''));
    expect([silent.map.from, silent.missing]).toEqual(['shape', []]);
    expect(silent.issues.find(({ code }) => code === 'BONES_BY_SHAPE')?.message).toMatch(/all required bones/);
    const few = mapBones(renamed((name) => (name === 'head' ? 'head' : `b${plain.names.indexOf(name)}`)));
    expect([...few.map.nodes]).toEqual([...silent.map.nodes]);
    expect(few.map.confidence[BONE.head]).toBeGreaterThan(silent.map.confidence[BONE.head]);
  });

  it('takes left and right from the names where nothing shows the front', () => {
    const silent = (name: string): string => (/thigh|shin|foot/.test(name) ? name : '');
    const mapping = mapBones({ ...flat, names: flat.names.map((name) => withOtherSide(silent(name))) });
    expect(flat.names[nodeOf(mapping, 'leftHand')]).toBe('hand.R');
    expect(flat.names[nodeOf(mapping, 'leftFoot')]).toBe('foot.R');
    expect(codesOf(mapping)).not.toContain('LEFT_RIGHT_AMBIGUOUS');
  });

  it.each([true, false])('exchanges the sides of names that a viewer gave, explained or not (%j)', (explain) => {
    const [right, mapping] = [mapBones(plain, { explain }), mapBones(renamed(withOtherSide), { explain })];
    expect([...mapping.map.nodes]).toEqual([...right.map.nodes]);
    if (explain) expect(mapping.map.choices?.[BONE.leftHand]?.why).toContain('hand.R');
    expect(mapping.issues).toMatchObject([{ code: 'LEFT_RIGHT_AMBIGUOUS', message: expect.stringContaining('feet') }]);
  });

  it('exchanges the sides of names in every convention', () => {
    for (const skeleton of SPELLINGS) {
      const { nodes } = mapBones(skeleton).map;
      const names = [...skeleton.names];
      for (const [bone, node] of nodes.entries())
        if (node >= 0) names[node] = skeleton.names[nodes[BONE_MIRRORS[bone]]];
      expect([...mapBones({ ...skeleton, names }).map.nodes]).toEqual([...nodes]);
    }
  });

  it('keeps the sides of names where only the rest pose has feet that point backward', () => {
    const legs = plain.names.flatMap((name, node) => (/shin|foot|toe/.test(name) ? node : []));
    const rest = plain.rest.slice();
    for (const node of legs) rest[10 * node + 2] *= -1;
    expect(nodeOf(mapBones({ ...plain, rest }), 'leftHand')).toBe(plain.names.indexOf('hand.R'));
    const bind = new Float64Array(16 * plain.names.length);
    localToModelMatrices(bind, plain.parents, plain.rest);
    expect(nodeOf(mapBones({ ...plain, rest, bind }), 'leftHand')).toBe(plain.names.indexOf('hand.L'));
    const tracks = legs.map((target): Track => {
      const values = plain.rest.slice(10 * target, 10 * target + 3);
      return { target, path: 'translation', interpolation: 'LINEAR', times: Float64Array.of(0), values };
    });
    const motion = { name: 'stand', duration: 1, tracks };
    expect(nodeOf(mapBones({ ...plain, rest }, { motion }), 'leftHand')).toBe(plain.names.indexOf('hand.L'));
  });

  it.each([
    ['kneels', '*thigh 0.09 0.92 0 > shin 0.09 0.506 -0.07 > foot 0.09 0.48 -0.49 > toe 0.09 0.46 -0.63'],
    ['has knees that bend backward', '*thigh 0.09 0.92 0 > shin 0.09 0.5 -0.1 > foot 0.09 0.08 0'],
  ])('keeps the sides of names where a character %s', (_, leg) => {
    const rig = positionedRig(HUMAN.replace(/\*thigh.*/, leg));
    expect(rig.names[nodeOf(mapBones(rig), 'leftHand')]).toBe('hand.L');
  });

  it('keeps the sides that elbows and thumbs show by shape where feet have only heels', () => {
    const rig = positionedRig(`
hips 0 0.97 0
 spine 0 1.08 0 > chest 0 1.25 0
  *clavicle 0.03 1.42 0 > upperarm 0.18 1.42 0 > forearm 0.45 1.42 -0.09 > hand 0.7 1.42 0
   thumb1 0.73 1.41 0.03 > thumb2 0.75 1.4 0.05 > thumb3 0.77 1.39 0.07
   index1 0.79 1.42 0.01 > index2 0.83 1.42 0.01 > index3 0.86 1.42 0.01
  neck 0 1.48 0 > head 0 1.58 0
 *thigh 0.09 0.92 0 > shin 0.09 0.5 -0.01 > foot 0.09 0.08 -0.02 > heel 0.09 0.075 -0.035`);
    const mapping = mapBones({ ...rig, names: rig.names.map(() => '') });
    expect(rig.names[nodeOf(mapping, 'leftHand')]).toBe('hand.L');
    expect(codesOf(mapping)).toEqual(['BONES_BY_SHAPE']);
  });

  it('exchanges the sides of a character that is mirrored with its names', () => {
    const mirrored = plain.rest.slice();
    plain.parents.forEach((parent, node) => {
      if (parent < 0) mirrored[10 * node + 7] *= -1;
    });
    const mapping = mapBones({ ...plain, rest: mirrored });
    expect(plain.names[nodeOf(mapping, 'leftHand')]).toBe('hand.R');
    expect(codesOf(mapping)).toEqual(['LEFT_RIGHT_AMBIGUOUS']);
  });

  it('reports LEFT_RIGHT_AMBIGUOUS without cues or with conflicting names', () => {
    const silent = { ...flat, names: flat.names.map(() => '') };
    expect(codesOf(mapBones(silent))).toContain('LEFT_RIGHT_AMBIGUOUS');
    const mixed = renamed(
      (name) => ({ 'thigh.L': 'thigh.L', 'thigh.R': 'thigh.R', 'hand.L': 'hand.R', 'hand.R': 'hand.L' })[name] ?? '',
    );
    expect(codesOf(mapBones(mixed))).toContain('LEFT_RIGHT_AMBIGUOUS');
  });

  it('keeps the map by names of a skeleton without a human shape, and returns the reason', () => {
    const dog = positionedRig(OTHERS['a dog']);
    const mapping = mapBones(dog);
    expect(mapping.shapeRefusal).toBe('it stands on four legs');
    expect([...mapping.map.nodes]).toEqual([...matchNames(dog).mapping.map.nodes]);
    // Without positions only the names are known.
    const { skeleton } = makeCharacter({ naming: 'mixamo' });
    const nowhere = { ...skeleton, rest: skeleton.rest.map((value, k) => (k % 10 < 3 ? 0 : value)), bind: null };
    expect([...mapBones(nowhere).map.nodes]).toEqual([...matchNames(skeleton).mapping.map.nodes]);
  });

  it('adds fingers with unknown names to a named humanoid', () => {
    const { skeleton, bones } = makeCharacter({ naming: 'vrm' });
    const finger = /Index|Middle|Ring|Little/;
    const names = skeleton.names.map((name, node) => (finger.test(name) ? `f${node}` : name));
    const { map } = mapBones({ ...skeleton, names });
    expect([...map.nodes]).toEqual([...bones]);
  });

  it('adds fingers, but no toes, with unknown names where the shape takes another joint for the spine than the names', () => {
    const { skeleton, bones } = makeCharacter({ naming: 'vrm' });
    const trunk = new Map([BONE.spine, BONE.chest, BONE.upperChest].map((bone, k) => [bones[bone], k]));
    const names = skeleton.names.map((name, node) => {
      if (/Thumb|Index|Middle|Ring|Little|Toes/.test(name)) return `f${node}`;
      return trunk.has(node) ? ['b', 'spine', 'chest'][trunk.get(node)!] : name;
    });
    const { map } = mapBones({ ...skeleton, names });
    expect(map.nodes[BONE.spine]).toBe(bones[BONE.chest]);
    const fingers = BONES.flatMap((name, bone) => (/Thumb|Index|Middle|Ring|Little/.test(name) ? [bone] : []));
    expect(fingers.map((bone) => map.nodes[bone])).toEqual(fingers.map((bone) => bones[bone]));
    expect([map.nodes[BONE.leftToes], map.nodes[BONE.rightToes]]).toEqual([-1, -1]);
  });

  it('adds fingers with names in another language', () => {
    const { skeleton, bones } = makeCharacter({ naming: 'vrm' });
    const german: Readonly<Record<string, string>> = {
      Thumb: 'Daumen',
      Index: 'Zeiger',
      Middle: 'Mitte',
      Ring: 'Goldfinger',
      Little: 'Kleiner',
    };
    const names = skeleton.names.map((name, node) =>
      name.replace(/(Thumb|Index|Middle|Ring|Little).*/, (_, finger) => `${german[finger]}${node}`),
    );
    expect([...mapBones({ ...skeleton, names }).map.nodes]).toEqual([...bones]);
  });

  it.each(
    LAYERS.flatMap((layer) =>
      [false, true].map((isSplit) => [layer[0]('arm'), layer[1]('arm'), isSplit, layer] as const),
    ),
  )(
    'maps the nodes that move the skin beside controls (%s, %s; limbs below controls: %j)',
    (_control, _deforming, isSplit, layer) => {
      for (const naming of ['mixamo', 'vrm', 'unreal'] as const) {
        const { rig, own, moves } = withControls(makeCharacter({ naming }), layer, isSplit);
        const vertices = () => ({ positions: new Float32Array(3), nodes: Int32Array.of(moves.length - 1), moves });
        for (const explain of [false, true]) {
          const { map } = mapBones(rig, { explain, vertices });
          expect([...map.nodes]).toEqual([...own]);
          for (const [bone, choice] of (map.choices ?? []).entries()) {
            if (choice !== null) expect(choice.why).toContain(JSON.stringify(rig.names[own[bone]]));
          }
        }
      }
    },
  );

  it('takes the deforming layer of Rigify in a motion without a mesh', () => {
    const { rig, own } = withControls(makeCharacter({ naming: 'vrm' }), LAYERS[0], true);
    const bare = { ...rig, joints: rig.joints.map(() => 0) };
    expect([...mapBones(bare).map.nodes]).toEqual([...own]);
  });

  it.each(COPIES.map((layer) => [layer[0]('hips'), layer[1]('hips'), layer] as const))(
    'keeps the bones of a body whose clothes have a skeleton of their own (%s, %s), whatever they cover',
    (_body, _copy, layer) => {
      const character = makeCharacter({ naming: 'vrm' });
      const { rig, own } = withControls(character, layer, false);
      const { nodes } = mapBones(rig).map;
      for (const bare of [
        ['head'],
        ['head', 'leftHand', 'rightHand'],
        BONES.filter((bone) => bone !== 'hips'),
      ] as const) {
        const moves = new Uint8Array(rig.names.length);
        for (const [bone, name] of BONES.entries()) {
          const node = (bare as readonly string[]).includes(name) ? character.bones[bone] + 1 : own[bone];
          if (own[bone] >= 0) moves[node] = 1;
        }
        const vertices = () => ({ positions: new Float32Array(3), nodes: Int32Array.of(1), moves });
        expect([...mapBones(rig, { vertices }).map.nodes]).toEqual([...nodes]);
      }
    },
  );

  it('keeps the legs of MMD beside those that move the mesh, which follow them', () => {
    const rig = positionedRig(`
センター 0 0.8 0
 下半身 0 0.97 0
  *足 0.09 0.92 0 > ひざ 0.09 0.5 0.02 > 足首 0.09 0.08 -0.02
  *足D 0.09 0.92 0 > ひざD 0.09 0.5 0.02 > 足首D 0.09 0.08 -0.02
 上半身 0 1.08 0 > 上半身2 0 1.25 0
  *腕 0.18 1.42 0 > ひじ 0.45 1.42 -0.01 > 手首 0.7 1.42 0
  首 0 1.48 0 > 頭 0 1.58 0`);
    const names = rig.names.map((name) =>
      name.replace(/(.*)\.([LR])$/, (_, part, side) => `${side === 'L' ? '左' : '右'}${part}`),
    );
    const moves = Uint8Array.from(names, (name) => (/(足|ひざ|足首)$|センター/.test(name) ? 0 : 1));
    const vertices = () => ({ positions: new Float32Array(3), nodes: Int32Array.of(1), moves });
    const mapping = mapBones({ ...rig, names }, { vertices });
    expect(
      ['leftUpperLeg', 'leftLowerLeg', 'leftFoot'].map((bone) => names[nodeOf(mapping, bone as BoneName)]),
    ).toEqual(['左足', '左ひざ', '左足首']);
  });

  it('explains every bone and its runner-up', () => {
    const { map } = mapBones(plain);
    for (const [bone, choice] of (map.choices ?? []).entries()) {
      expect(choice === null, BONES[bone]).toBe(map.nodes[bone] < 0);
      if (choice === null) continue;
      expect(choice.why).toMatch(/name|position/);
      expect(choice.runnerUp).not.toBe(map.nodes[bone]);
      expect(choice.runnerUpConfidence > 0).toBe(choice.runnerUp >= 0);
    }
    expect(map.choices?.[BONE.leftHand]?.why).toMatch(/name "hand\.L".*position: end of the upper pair of limbs/);
    const silent = mapBones(renamed(() => '')).map.choices?.[BONE.hips]?.why;
    expect(silent).toBe('position: where the legs and the spine meet');
  });

  it('gives no runner-up a higher confidence than the bone, whatever the names are', () => {
    const random = makeRandom(11);
    for (let run = 0; run < lawRuns(200); run++) {
      const { map } = mapBones(mixedNames(random));
      for (const [bone, choice] of (map.choices ?? []).entries()) {
        if (choice === null) continue;
        expect(choice.runnerUpConfidence, `${BONES[bone]} in run ${run}`).toBeLessThanOrEqual(map.confidence[bone]);
      }
    }
  });

  it('returns the same map without explanations', () => {
    const { skeleton } = makeCharacter({ naming: 'mixamo' });
    const certain = mapBones(skeleton, { explain: false });
    const explained = mapBones(skeleton);
    expect(certain.map.choices).toBeUndefined();
    expect(explained.map.choices).toHaveLength(BONES.length);
    expect({ ...certain, map: { ...certain.map, choices: null } }).toEqual({
      ...explained,
      map: { ...explained.map, choices: null },
    });
  });
});
