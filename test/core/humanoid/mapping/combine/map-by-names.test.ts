import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BONE, BONES, REQUIRED_BONES } from '../../../../../src/core/humanoid/bones.ts';
import { expandConvention } from '../../../../../src/core/humanoid/mapping/by-name/convention-names.ts';
import { CONVENTION_NAMES } from '../../../../../src/core/humanoid/mapping/by-name/conventions.ts';
import { matchNames } from '../../../../../src/core/humanoid/mapping/combine/map-by-names.ts';
import { hierarchyFaults } from '../../../../../src/core/humanoid/mapping/hierarchy-faults.ts';
import { whyNotHumanoid } from '../../../../../src/core/humanoid/mapping/why-not-humanoid.ts';
import { makeRandom, pick } from '../../../../../src/demo/random.ts';
import { IS_FULL_RUN, lawRuns } from '../../../../support/law-runs.ts';
import { bareSkeleton, namesByBone, rigOf, rigOfBones } from '../../../../support/make/rig-text.ts';

function mapped(text: string) {
  const skeleton = rigOf(text);
  const { map, issues, missing } = matchNames(skeleton).mapping;
  return { bones: namesByBone(skeleton, map.nodes) as Record<string, string>, map, issues, missing, skeleton };
}

const FINGERS = ['Thumb', 'Index', 'Middle', 'Ring', 'Pinky'];

/** How other programs change names. */
const WAYS: Readonly<Record<string, (name: string, node: number) => string>> = {
  'as they are': (name) => name,
  'through three.js': (name) => name.replace(/\s/g, '_').replace(/[[\].:/]/g, ''),
  'through FBX escapes': (name) =>
    [...name]
      .map((c) => (/[\w]|[^\0-\x7f]/.test(c) ? c : `FBXASC${String(c.charCodeAt(0)).padStart(3, '0')}`))
      .join(''),
  'with a namespace': (name) => `alice:rig01:${name}`,
  'with a path': (name) => `Armature|${name}`,
  'through Sketchfab': (name, node) => `${name}_${String(node).padStart(2, '0')}`,
  'with a suffix': (name) => `${name}_Armature`,
  'with an unknown prefix': (name) => `Alice_${name}`,
  'in capitals': (name) => name.toUpperCase(),
  'in lower case': (name) => name.toLowerCase(),
};

describe('matchNames', () => {
  it.each([
    [
      'Mixamo',
      'Hips',
      '{Left|Right}UpLeg ! > {Left|Right}Leg ! > {Left|Right}Foot !',
      '{Left|Right}Arm > {Left|Right}ForeArm > {Left|Right}Hand',
    ],
    ['words', 'Pelvis', '{L|R}_Thigh ! > {L|R}_Shin ! > {L|R}_Foot !', '{L|R}_UpArm > {L|R}_LoArm > {L|R}_Hand'],
  ])('maps hips and legs outside of the skin: %s', (_, hips, leg, arm) => {
    const upper = `Torso > Chest\n  ${arm}\n  Neck > Head`;
    for (const text of [`Armature !\n ${hips} !\n  ${leg}\n ${upper}`, `${hips} !\n ${leg}\n ${upper}`]) {
      const { bones, missing, skeleton, map } = mapped(text);
      expect(missing).toEqual([]);
      expect([bones['hips'], bones['spine'], bones['chest']]).toEqual([hips, 'Torso', 'Chest']);
      expect(whyNotHumanoid(skeleton, map)).toBeNull();
    }
  });

  it.each([
    ['an armature', 'Hips\n ', 'mixamorig:Hips !'],
    ['an armature, numbered by three.js,', 'mixamorig:Hips\n ', 'mixamorig:Hips_1 !'],
    ['an armature, numbered by Blender,', 'Hips\n ', 'Hips.001 !'],
    ['an armature in the skin', 'mixamorig:Hips !\n ', 'mixamorig:Hips !'],
  ])('maps hips below %s with their name', (_, above, hips) => {
    const { map, issues, skeleton } = mapped(`${above}${hips}
   mixamorig:{Left|Right}UpLeg ! > mixamorig:{Left|Right}Leg ! > mixamorig:{Left|Right}Foot !
   mixamorig:Spine ! > mixamorig:Spine1 !
    mixamorig:{Left|Right}Arm ! > mixamorig:{Left|Right}ForeArm ! > mixamorig:{Left|Right}Hand !
    mixamorig:Neck ! > mixamorig:Head !`);
    const legs = skeleton.parents[map.nodes[BONE.leftUpperLeg]];
    expect([map.nodes[BONE.hips], issues]).toEqual([legs, []]);
  });

  it.each([
    ['without fingers', ''],
    [
      'with fingers',
      FINGERS.map((finger) => `\n         {L|R}${finger}1 > {L|R}${finger}2 > {L|R}${finger}3`).join(''),
    ],
  ])("maps Motive's forearms on both sides %s", (_, fingers) => {
    const { bones, issues, skeleton } = mapped(`
      Hip
       Ab > Chest
        Neck > Head
        {L|R}Shoulder > {L|R}UArm > {L|R}FArm > {L|R}Hand${fingers}
       {L|R}Thigh > {L|R}Shin > {L|R}Foot > {L|R}Toe`);
    expect([bones['leftLowerArm'], bones['rightLowerArm'], issues]).toEqual(['LFArm', 'RFArm', []]);
    expect(Object.keys(bones)).toHaveLength(skeleton.names.length);
  });

  it('keeps the shoulder of an arm that is missing, where the other side has shoulder and arm', () => {
    const { bones, missing } = mapped(`
      Hips
       Spine > Spine1 > Spine2
        Neck > Head
        LeftShoulder
        RightShoulder > RightArm > RightForeArm > RightHand
       {Left|Right}UpLeg > {Left|Right}Leg > {Left|Right}Foot`);
    expect([bones['leftShoulder'], bones['leftUpperArm']]).toEqual(['LeftShoulder', undefined]);
    expect(missing).toEqual(['leftUpperArm', 'leftLowerArm', 'leftHand']);
  });

  it('prefers a free node with a higher confidence where the hierarchy allows it', () => {
    const random = makeRandom(5);
    const trunk = [BONE.hips, BONE.spine, BONE.chest, BONE.upperChest];
    for (let run = 0; run < lawRuns(500); run++) {
      // Every bone has its name in one of three conventions; some nodes have the name of another one.
      const spellings = [0, 1, 2].map(() => expandConvention(pick(random, CONVENTION_NAMES)));
      const { skeleton } = rigOfBones((bone) => {
        const names = spellings.flatMap((spelling) => spelling[bone]?.[0] ?? []);
        return names.length > 0 ? pick(random, names) : undefined;
      });
      const names = skeleton.names.map((name) => (random() < 0.15 ? pick(random, skeleton.names) : name));
      const { candidates, mapping } = matchNames({ ...skeleton, names });
      const { nodes, confidence } = mapping.map;
      const sum = (faults: Uint8Array): number => faults.reduce((a, b) => a + b, 0);
      const before = sum(hierarchyFaults(skeleton.parents, nodes));
      for (const other of candidates) {
        for (const [bone, node] of other.nodes.entries()) {
          if (trunk.includes(bone) || nodes[bone] < 0 || node < 0 || nodes.includes(node)) continue;
          if (other.confidences[bone] <= confidence[bone]) continue;
          const after = hierarchyFaults(skeleton.parents, nodes.with(bone, node));
          expect(after[bone] === 1 || sum(after) > before, `${BONES[bone]} in run ${run}`).toBe(true);
        }
      }
    }
  });

  it('prefers a joint to a node with the same name', () => {
    const { skeleton, map } = mapped(`
      Hips
       Spine > Head
        LeftHand !
        {Left|Right}Arm > {Left|Right}ForeArm > {Left|Right}Hand
       {Left|Right}UpLeg > {Left|Right}Leg > {Left|Right}Foot`);
    expect(skeleton.joints[map.nodes[BONE.leftHand]]).toBe(1);
  });

  it.each(Object.keys(WAYS))('finds all bones of every convention with names %s', (way) => {
    for (const convention of CONVENTION_NAMES) {
      const expanded = expandConvention(convention);
      let count = 0;
      const { skeleton, nodes } = rigOfBones((bone) => {
        const name = expanded[bone]?.[0];
        return name === undefined ? undefined : WAYS[way](name, count++);
      });
      expect(namesByBone(skeleton, matchNames(skeleton).mapping.map.nodes), convention).toEqual(
        namesByBone(skeleton, nodes),
      );
    }
  });

  it('has confidence 1 for one convention, less for words and the hierarchy', () => {
    const lafan = expandConvention('lafan1');
    const { skeleton } = rigOfBones((bone) => lafan[bone]?.[0]);
    const whole = matchNames(skeleton).mapping.map;
    for (const [bone, node] of whole.nodes.entries()) expect(whole.confidence[bone]).toBe(node >= 0 ? 1 : 0);

    const { map } = mapped('thing\n spine > head\n arm_up_{l|r} > arm_low_{l|r}\n leg_up_{l|r} > leg_low_{l|r}');
    expect(map.confidence[BONE.leftLowerArm]).toBeGreaterThan(0.4);
    expect(map.confidence[BONE.leftLowerArm]).toBeLessThan(0.8);
    expect(map.confidence[BONE.hips]).toBeLessThan(map.confidence[BONE.leftLowerArm]);
  });

  it('maps a rig that mixes conventions', () => {
    const { bones, missing } = mapped(`
      metarig !
       hips
        spine > chest
         neck > head
         shoulder.{L|R} > upper_arm.{L|R} > forearm.{L|R} > forearm.twist.{L|R} > hand.{L|R}
          palm.01.{L|R}
           f_index.01.{L|R} > f_index.02.{L|R} > f_index.03.{L|R}
           thumb.01.{L|R} > thumb.02.{L|R} > thumb.03.{L|R}
         bagpack > robo_root_pole
          robo_shoulder.L > robo_upper_arm.L > robo_forearm.L > robo_hand.L
        thigh.{L|R} > shin.{L|R} > foot.{L|R}
         toe.{L|R}
         heel.{L|R}`);
    expect(missing).toEqual([]);
    expect(bones).toMatchObject({
      hips: 'hips',
      spine: 'spine',
      chest: 'chest',
      leftUpperArm: 'upper_arm.L',
      leftLowerArm: 'forearm.L',
      leftHand: 'hand.L',
      leftIndexDistal: 'f_index.03.L',
      rightThumbMetacarpal: 'thumb.01.R',
      leftLowerLeg: 'shin.L',
      rightToes: 'toe.R',
    });
  });

  it.each([
    [
      'Manny',
      'pelvis\n spine_01 > spine_02 > spine_03 > spine_04 > spine_05\n  neck_01 > neck_02 > head\n  clavicle_{l|r} > upperarm_{l|r} > lowerarm_{l|r} > hand_{l|r} > index_metacarpal_{l|r} > index_01_{l|r}\n thigh_{l|r} > calf_{l|r} > foot_{l|r} > ball_{l|r}',
      ['spine_01', 'spine_03', 'spine_05', 'neck_01', 'index_01_l'],
    ],
    [
      'Valve',
      'ValveBiped.Bip01_Pelvis\n ValveBiped.Bip01_Spine > ValveBiped.Bip01_Spine1 > ValveBiped.Bip01_Spine2 > ValveBiped.Bip01_Spine4\n  ValveBiped.Bip01_Neck1 > ValveBiped.Bip01_Head1\n  ValveBiped.Bip01_{L|R}_Clavicle > ValveBiped.Bip01_{L|R}_UpperArm > ValveBiped.Bip01_{L|R}_Forearm > ValveBiped.Bip01_{L|R}_Hand > ValveBiped.Bip01_{L|R}_Finger1\n ValveBiped.Bip01_{L|R}_Thigh > ValveBiped.Bip01_{L|R}_Calf > ValveBiped.Bip01_{L|R}_Foot',
      [
        'ValveBiped.Bip01_Spine',
        'ValveBiped.Bip01_Spine2',
        'ValveBiped.Bip01_Spine4',
        'ValveBiped.Bip01_Neck1',
        'ValveBiped.Bip01_L_Finger1',
      ],
    ],
    [
      'DAZ on CMU',
      'hip\n abdomen > chest\n  neck > head\n  {l|r}Collar > {l|r}Shldr > {l|r}ForeArm > {l|r}Hand > {l|r}Index1\n {l|r}Buttock > {l|r}Thigh > {l|r}Shin > {l|r}Foot',
      ['abdomen', 'chest', undefined, 'neck', 'lIndex1'],
    ],
  ])('distributes the spine of %s', (_, text, [spine, chest, upperChest, neck, index]) => {
    const { bones, missing } = mapped(text);
    expect([bones['spine'], bones['chest'], bones['upperChest'], bones['neck'], bones['leftIndexProximal']]).toEqual([
      spine,
      chest,
      upperChest,
      neck,
      index,
    ]);
    expect(missing).toEqual([]);
  });

  it('skips parents, D-bones and twist joints of MMD rigs', () => {
    const { bones, missing } = mapped(`
      全ての親 > センター > グルーブ
       下半身
        {左|右}足 > {左|右}ひざ > {左|右}足首 > {左|右}つま先
        {左|右}足D > {左|右}ひざD > {左|右}足首D > {左|右}足先EX
       上半身 > 上半身2
        首 > 頭
        {左|右}肩 > {左|右}腕 > {左|右}腕捩 > {左|右}ひじ > {左|右}手捩 > {左|右}手首`);
    expect(missing).toEqual([]);
    expect(bones).toMatchObject({
      hips: 'センター',
      spine: '上半身',
      chest: '上半身2',
      leftUpperLeg: '左足',
      rightFoot: '右足首',
      leftLowerArm: '左ひじ',
      rightHand: '右手首',
    });
  });

  it('prefers the joint of a limb to a control on the root', () => {
    const { bones, missing } = mapped(`
      root
       LeftFoot
       RightFoot
       Hips
        Spine > Spine1 > Spine2
         Neck > Head
         {Left|Right}Shoulder > {Left|Right}Arm > {Left|Right}ForeArm > {Left|Right}Hand
        {Left|Right}UpLeg > {Left|Right}Leg > {Left|Right}Ankle`);
    expect(missing).toEqual([]);
    expect([bones['leftFoot'], bones['rightFoot']]).toEqual(['LeftAnkle', 'RightAnkle']);
  });

  it('reports missing, misplaced and duplicate bones', () => {
    const { issues, missing, map } = mapped(`
      root
       hips
        spine
         head
         {left|right}_upper_arm > {left|right}_lower_arm > {left|right}_hand
        {left|right}_thigh > {left|right}_shin
       left_foot
       left_foot`);
    expect(missing).toEqual(['rightFoot']);
    const byCode = Object.fromEntries(issues.map(({ code, message }) => [code, message]));
    expect(byCode['BONE_MISSING']).toMatch(/rightFoot/);
    expect(byCode['BONE_HIERARCHY']).toMatch(/are moved so that they stay there: leftFoot \(left_foot\)\. /);
    expect(byCode['BONE_HIERARCHY']).not.toMatch(/move along/);
    expect(byCode['BONE_DUPLICATE']).toMatch(/leftFoot \(2 nodes named left_foot\)/);
    expect(map.confidence[BONE.leftFoot]).toBeLessThan(map.confidence[BONE.leftHand]);
  });

  it('reports bones below another bone, which move along with it, apart from bones outside of their parent bone', () => {
    const { issues } = mapped(`
      root
       hips
        spine
         head
         {left|right}_upper_arm > {left|right}_lower_arm > {left|right}_hand
        left_thigh > left_shin > left_foot > right_thigh > right_shin > right_foot`);
    const below = issues.filter(({ code }) => code === 'BONE_HIERARCHY').map(({ message }) => message);
    expect(below).toEqual([
      expect.stringMatching(/below a bone that is not their parent bone; .*, but move along with it: rightUpperLeg /),
    ]);
  });

  it('reports all required bones as missing without names', () => {
    for (const names of [[], [''], ['', '', ''], ['Bone', 'Bone.001', 'Bone.002']]) {
      const { map, missing } = matchNames(
        bareSkeleton(
          names,
          names.map((_, node) => node - 1),
        ),
      ).mapping;
      expect(missing).toEqual(REQUIRED_BONES);
      expect(map.nodes.every((node) => node === -1)).toBe(true);
    }
  });

  it('maps each node at most once for random hierarchies and names, deterministically', () => {
    const word = fc.constantFrom(
      'Left',
      'Right',
      'Arm',
      'UpLeg',
      'Spine',
      'Hips',
      'Head',
      'Hand',
      'Index',
      '1',
      '_',
      'l',
      '.R',
      'IK',
      '__proto__',
      '親指',
    );
    const name = fc.array(word, { maxLength: 4 }).map((words) => words.join(''));
    const node = fc.record({
      name,
      pick: fc.double({ min: 0, max: 1, noNaN: true }),
      joint: fc.integer({ min: 0, max: 1 }),
    });
    fc.assert(
      fc.property(fc.array(node, { maxLength: 60 }), (rows) => {
        const skeleton = bareSkeleton(
          rows.map((row) => row.name),
          rows.map(({ pick }, i) => Math.floor(pick * (i + 1)) - 1),
          rows.map((row) => row.joint),
        );
        const { map, missing } = matchNames(skeleton).mapping;
        const used = [...map.nodes].filter((index) => index >= 0);
        expect(new Set(used).size).toBe(used.length);
        for (const [bone, index] of map.nodes.entries()) {
          expect(index).toBeLessThan(rows.length);
          expect(map.confidence[bone] > 0).toBe(index >= 0);
          expect(map.confidence[bone]).toBeLessThanOrEqual(1);
        }
        expect(missing).toEqual(REQUIRED_BONES.filter((bone) => map.nodes[BONE[bone]] < 0));
        expect([...matchNames(skeleton).mapping.map.nodes]).toEqual([...map.nodes]);
        const why = whyNotHumanoid(skeleton, map);
        expect(why === null || why.length > 10).toBe(true);
      }),
      { seed: 31, numRuns: lawRuns(300) },
    );
  });

  it('is independent of unrelated nodes', () => {
    const names = expandConvention('mixamo');
    const { skeleton, nodes } = rigOfBones((bone) => names[bone]?.[0]);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 40 }), { maxLength: 30 }), (places) => {
        const extra = places.map((place) => Math.min(place, skeleton.names.length - 1));
        const more = bareSkeleton(
          [...skeleton.names, ...extra.map((_, i) => ['prop', 'hair_01', 'LeftHandIK', 'mesh', 'skirt_l'][i % 5])],
          [...skeleton.parents, ...extra],
        );
        expect([...matchNames(more).mapping.map.nodes]).toEqual([...nodes]);
      }),
      { seed: 32, numRuns: lawRuns(60) },
    );
  });

  it.runIf(IS_FULL_RUN)(
    'handles a chain of 100,000 nodes',
    () => {
      const count = 100_000;
      const words = ['LeftArm', 'LeftHandIndex1', 'Spine', 'Hips', 'LeftLeg', 'finger1_l', 'x'];
      const skeleton = bareSkeleton(
        Array.from({ length: count }, (_, node) => words[node % words.length]),
        Array.from({ length: count }, (_, node) => node - 1),
      );
      const { map } = matchNames(skeleton).mapping;
      expect(whyNotHumanoid(skeleton, map)).not.toBeNull();
    },
    20_000,
  );
});
