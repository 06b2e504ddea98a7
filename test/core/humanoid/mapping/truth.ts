import { BONE, BONE_COUNT, type BoneName } from '../../../../src/core/humanoid/bones.ts';
import type { Skeleton } from '../../../../src/core/skeleton/skeleton.ts';

/**
 * The expected node of every bone in the real files, written by hand. Every entry was verified in a picture of the file: all joints of
 * its bind or rest pose with their node names, from the front, and each hand and the head in close-up. Knees bend and toes point
 * forward, the left side is on the character's left, thumbs are next to the index finger, fingers follow in order. Where a format
 * declares bones (VRM, VRMA), the declaration is the expectation.
 *
 * `{L|R}` and the like stand for the two sides, left first; `-` is absent; `parent/name` distinguishes nodes with the same name; `#7`
 * is node 7 of a file without names. Several acceptable nodes (seven spine joints for three bones, two coincident joints) are joined
 * by ` or `, with the one that the name or the declaration suggests first. Fingers with fewer than three joints have their first bones.
 */
export interface Truth {
  readonly hips: string;
  /** spine, chest, upperChest */
  readonly spine: readonly [string, string, string];
  /** neck, head */
  readonly head: readonly [string, string];
  /** eye, jaw; absent when missing. */
  readonly face?: readonly [string, string];
  /** shoulder, upperArm, lowerArm, hand */
  readonly arm: readonly [string, string, string, string];
  /** upperLeg, lowerLeg, foot, toes */
  readonly leg: readonly [string, string, string, string];
  /** Joints of thumb, index, middle, ring and little finger. */
  readonly fingers: Fingers;
}

type Fingers = readonly (readonly string[])[];

const NO_FINGERS: Fingers = [[], [], [], [], []];

/** Expands a pattern to all fingers: `@` is the finger, `#` the joint. */
function fingers(pattern: string, names: string, joints: string): Fingers {
  const each = joints.split(' ');
  return names.split(' ').map((name) => each.map((joint) => pattern.replace('@', name).replace('#', joint)));
}

const DIGITS = 'thumb index middle ring little';

const MIXAMO: Truth = {
  hips: 'Hips',
  spine: ['Spine', 'Spine1', 'Spine2'],
  head: ['Neck', 'Head'],
  arm: ['{Left|Right}Shoulder', '{Left|Right}Arm', '{Left|Right}ForeArm', '{Left|Right}Hand'],
  leg: ['{Left|Right}UpLeg', '{Left|Right}Leg', '{Left|Right}Foot', '{Left|Right}ToeBase'],
  fingers: fingers('{Left|Right}Hand@#', 'Thumb Index Middle Ring Pinky', '1 2 3'),
};

/** Adds a prefix and a suffix to the name of every node. */
function around(prefix: string, truth: Truth, suffix = ''): Truth {
  const one = (names: string): string => {
    return names
      .split(' or ')
      .map((name) => (name === '-' ? name : prefix + name + suffix))
      .join(' or ');
  };
  const all = <T extends readonly string[]>(names: T): T => names.map(one) as unknown as T;
  return {
    hips: one(truth.hips),
    spine: all(truth.spine),
    head: all(truth.head),
    ...(truth.face === undefined ? {} : { face: all(truth.face) }),
    arm: all(truth.arm),
    leg: all(truth.leg),
    fingers: truth.fingers.map(all),
  };
}

const UNREAL: Truth = {
  hips: 'pelvis',
  spine: ['spine_01', 'spine_02', 'spine_03'],
  head: ['neck_01', 'head'],
  arm: ['clavicle_{l|r}', 'upperarm_{l|r}', 'lowerarm_{l|r}', 'hand_{l|r}'],
  leg: ['thigh_{l|r}', 'calf_{l|r}', 'foot_{l|r}', 'ball_{l|r}'],
  fingers: fingers('@_#_{l|r}', 'thumb index middle ring pinky', '01 02 03'),
};

/** Game rig of Mesh2Motion: Rigify names, except for hips, neck and head. */
const DEF: Truth = around('DEF-', {
  hips: 'hips',
  spine: ['spine.001', 'spine.002', 'spine.003'],
  head: ['neck', 'head'],
  arm: ['shoulder.{L|R}', 'upper_arm.{L|R}', 'forearm.{L|R}', 'hand.{L|R}'],
  leg: ['thigh.{L|R}', 'shin.{L|R}', 'foot.{L|R}', 'toe.{L|R}'],
  fingers: fingers('@.#.{L|R}', 'thumb f_index f_middle f_ring f_pinky', '01 02 03'),
});

const VRM_ADDON: Truth = {
  hips: 'hips',
  spine: ['spine', 'chest', '-'],
  head: ['neck', 'head'],
  arm: ['shoulder.{L|R}', 'upper_arm.{L|R}', 'lower_arm.{L|R}', 'hand.{L|R}'],
  leg: ['upper_leg.{L|R}', 'lower_leg.{L|R}', 'foot.{L|R}', 'toes.{L|R}'],
  face: ['eye.{L|R}', '-'],
  fingers: fingers('@_#.{L|R}', DIGITS, 'proximal intermediate distal'),
};

const VRM: Truth = {
  hips: 'hips',
  spine: ['spine', 'chest', '-'],
  head: ['neck', 'head'],
  arm: ['{left|right}Shoulder', '{left|right}UpperArm', '{left|right}LowerArm', '{left|right}Hand'],
  leg: ['{left|right}UpperLeg', '{left|right}LowerLeg', '{left|right}Foot', '{left|right}Toes'],
  fingers: [
    ...fingers('{left|right}@#', 'Thumb', 'Metacarpal Proximal Distal'),
    ...fingers('{left|right}@#', 'Index Middle Ring Little', 'Proximal Intermediate Distal'),
  ],
};

/** Seven joints for three bones. The VRMA made from it declares the second one as spine, and the end of the head as head. */
const MOCOPI: Truth = {
  hips: 'root',
  spine: ['torso_1 or torso_2', 'torso_4 or torso_2 or torso_3 or torso_5 or torso_6', 'torso_7 or torso_6'],
  head: ['neck_1', 'head'],
  arm: ['{l|r}_shoulder', '{l|r}_up_arm', '{l|r}_low_arm', '{l|r}_hand'],
  leg: ['{l|r}_up_leg', '{l|r}_low_leg', '{l|r}_foot', '{l|r}_toes'],
  fingers: NO_FINGERS,
};

const HUMANIK: Truth = around('Character1_', MIXAMO);

/** Motion capture with HumanIK names on a Biped: a pelvis at the position of the hips, thighs below the first spine bone. */
const OZZ: Truth = {
  hips: 'Hips or Pelvis',
  spine: ['Spine', 'Spine1 or Spine2', 'Spine3 or Spine2'],
  head: ['Neck', 'Head'],
  arm: ['{Left|Right}Shoulder', '{Left|Right}Arm', '{Left|Right}ForeArm', '{Lefthand|RightHand}'],
  leg: ['{Left|Right}UpLeg', '{Left|Right}Leg', '{Left|Right}Foot', '{Left|Right}FootThumb1'],
  fingers: [
    ...fingers('{Left|Right}Hand@#', 'Thumb Index Middle Ring', '1 2 3'),
    ...fingers('{LeftHandRing|RightHand}@#', 'Pinky', '1 2 3'),
  ],
};

/** CesiumMan and RiggedFigure have the same rig. */
const UNNAMED: Truth = {
  hips: '#2',
  spine: ['#11', '#12', '-'],
  head: ['#19', '#20'],
  arm: ['-', '#{16|13}', '#{17|14}', '#{18|15}'],
  leg: ['#{7|3}', '#{8|4}', '#{9|5}', '#{10|6}'],
  fingers: NO_FINGERS,
};

/** Keys are paths in the assets folder. */
export const TRUTH: Readonly<Record<string, Truth>> = {
  'glb/KayKit_Knight.glb': {
    hips: 'hips',
    spine: ['spine', 'chest', '-'],
    head: ['-', 'head'],
    // wrist.l is between them, at the start of the hand. The 76 clips never rotate it; they rotate hand.l, and the fist is skinned to hand.l.
    arm: ['-', 'upperarm.{l|r}', 'lowerarm.{l|r}', 'hand.{l|r} or wrist.{l|r}'],
    leg: ['upperleg.{l|r}', 'lowerleg.{l|r}', 'foot.{l|r}', 'toes.{l|r}'],
    fingers: NO_FINGERS,
  },
  'glb/RobotExpressive.glb': {
    // Hips is the parent of the trunk only; the thighs are parented to Body.
    hips: 'Body',
    spine: ['Abdomen', 'Abdomen/Torso', '-'],
    head: ['Neck', 'Neck/Head'],
    // No hand: three coincident palms; the middle finger is parented to Palm2, the thumb to the forearm. Feet are separate roots (IK).
    arm: ['Torso/Shoulder.{L|R}', 'UpperArm.{L|R}', 'LowerArm.{L|R}', 'Palm2.{L|R}'],
    leg: ['UpperLeg.{L|R}', 'UpperLeg.{L|R}/LowerLeg.{L|R}', 'Bone/Foot.{L|R}', '-'],
    // Two joints each. The third finger is also at the position of the last one.
    fingers: [
      ['Thumb.{L|R}', 'Thumb2.{L|R}'],
      ['Index.{L|R}', 'Index2.{L|R}'],
      ['Middle1.{L|R}', 'Middle2.{L|R}'],
      ['Ring1.{L|R} or -', 'Ring2.{L|R} or -'],
      ['- or Ring1.{L|R}', '- or Ring2.{L|R}'],
    ],
  },
  'glb/VALID_AIAN_M_1_Casual.glb': { ...MIXAMO, face: ['{Left|Right}Eye', '-'] },
  'glb/Xbot.glb': around('mixamorig:', { ...MIXAMO, face: ['{Left|Right}Eye', '-'] }),
  'glb/m2m_human-female.glb': UNREAL,
  'glb/m2m_human-male.glb': UNREAL,
  'glb/m2m_human-zombie.glb': { ...UNREAL, fingers: [UNREAL.fingers[0], UNREAL.fingers[1], [], [], []] },
  'glb/m2m_rig-human.glb': UNREAL,
  'glb/m2mold_human-addon-animations.glb': DEF,
  'glb/m2mold_human-skeleton.glb': DEF,
  'glb/pc_lumberjack.glb': {
    // A baked Rigify control rig: limbs and head are below torso, DEF-spine is a separate chain beside it. Bone_042 is the axe.
    hips: 'torso_07',
    spine: [
      'spine_fk.002_030 or MCH-spine.002_029',
      'spine_fk.003_032 or MCH-spine.003_031 or tweak_spine.003_033 or ORG-spine.003_034',
      '-',
    ],
    head: ['DEF-neck_050', 'DEF-head_051'],
    arm: ['-', 'DEF-upper_arm.{L_045|R_037}', 'DEF-forearm.{L_047|R_039}', 'DEF-hand.{L_049|R_041}'],
    leg: ['DEF-thigh.{L_023|R_015}', 'DEF-shin.{L_025|R_017}', 'DEF-foot.{L_027|R_019}', 'DEF-toe.{L_028|R_020}'],
    fingers: NO_FINGERS,
  },
  'vrm/saturday06_debug_robot.vrm': VRM_ADDON,
  'vrm/spec_mtoon_UV.vrm': { ...VRM_ADDON, fingers: fingers('@.#.{L|R}', DIGITS, 'proximal intermediate distal') },
  'vrm/spec_isBinary_Overrides.vrm': {
    hips: 'Hips',
    spine: ['Spine', 'Chest', 'UpperChest'],
    head: ['Neck', 'Head'],
    arm: ['Shoulder.{L|R}', 'UpperArm.{L|R}', 'LowerArm.{L|R}', 'Hand.{L|R}'],
    leg: ['UpperLeg.{L|R}', 'LowerLeg.{L|R}', 'Foot.{L|R}', 'Toes.{L|R}'],
    fingers: NO_FINGERS,
  },
  // The file does not declare the toes, although the rig has them.
  'vrm/cool_loops.vrm': around('mixamorig:', {
    ...MIXAMO,
    leg: [MIXAMO.leg[0], MIXAMO.leg[1], MIXAMO.leg[2], '{Left|Right}ToeBase or -'],
  }),
  'vrm/Godette_vrm_v4.vrm': around(
    '',
    {
      hips: 'pelvis',
      spine: ['tummy', 'chest', '-'],
      head: ['neck', 'head'],
      arm: ['shoulder.{l|r}', 'upper_arm.{l|r}', 'lowerarm.{l|r}', 'hand.{l|r}'],
      leg: ['thigh.{l|r}', 'shin.{l|r}', 'foot.{l|r}', 'toes.{l|r}'],
      // Three fingers whose names do not identify them.
      fingers: [
        ...fingers('@.#.{l|r}', 'thumb', '1 2 3'),
        ['Finger.{l|r}', 'Finger.001.{l|r}', 'Finger.002.{l|r}'],
        ...fingers('@#.{l|r}', 'f2', 'a b c'),
        [],
        ...fingers('@#.{l|r}', 'f3', 'a b c'),
      ],
    },
    '_Armature',
  ),
  'vrm/univrm_EmissionMigration.vrm': around('Character1_', MIXAMO),
  'vrma/threevrm_test.vrma': VRM,
  'vrma/ChatVRM_idle_loop.vrma': { ...MOCOPI, head: ['neck_1', 'head or head/ENDSITE'] },
  'vrma/saturday06_hips_spine_twisting.vrma': {
    hips: 'Hips',
    spine: ['Spine', 'Chest', '-'],
    head: ['Neck', 'Head'],
    arm: ['-', '{Left|Right}UpperArm', '{Left|Right}LowerArm', '{Left|Right}Hand'],
    leg: ['{Left|Right}UpperLeg', '{Left|Right}LowerLeg', '{Left|Right}Foot', '-'],
    fingers: NO_FINGERS,
  },
  'bvh/AD_cmu1_jumping_jacks.bvh': {
    hips: 'Hips',
    spine: ['lowerback', 'Chest', 'Chest2'],
    head: ['Neck', 'Head'],
    arm: ['{Left|Right}Collar', '{Left|Right}Shoulder', '{Left|Right}Elbow', '{Left|Right}Wrist'],
    leg: ['{Left|Right}Hip', '{Left|Right}Knee', '{Left|Right}Ankle', '{Left|Right}Toe'],
    // Thumb, and one stub for all fingers that CMU tables map to the index finger.
    fingers: [['{L|R}Thumb'], ['{L|R}Fingers or -'], ['- or {L|R}Fingers'], [], []],
  },
  'bvh/AD_fair1_dab.bvh': {
    ...MIXAMO,
    spine: ['Spine', 'Spine1 or Spine2', 'Spine3 or Spine2'],
    // The other fingers are only an end joint of the hand.
    fingers: [['{Left|Right}HandThumb1'], [], ['- or {Left|Right}HandEnd'], [], []],
  },
  'bvh/AD_rokoko_jesse_dance.bvh': MIXAMO,
  'bvh/makehuman_tpose.bvh': {
    hips: 'root',
    // Counted downwards: spine05 is the lowest.
    spine: ['spine05', 'spine03 or spine04 or spine02', 'spine01 or spine02'],
    head: ['neck01', 'head'],
    face: ['eye.{L|R}', 'jaw'],
    // Collarbone and shoulder blade are one after the other; both move the arm.
    arm: ['shoulder01.{L|R} or clavicle.{L|R}', 'upperarm01.{L|R}', 'lowerarm01.{L|R}', 'wrist.{L|R}'],
    // Five single toes; none is the ball of the foot.
    leg: ['upperleg01.{L|R}', 'lowerleg01.{L|R}', 'foot.{L|R}', '-'],
    fingers: fingers('finger@-#.{L|R}', '1 2 3 4 5', '1 2 3'),
  },
  'bvh/makehuman_walk1.bvh': {
    // Hips is the parent of the legs only.
    hips: 'Root',
    spine: ['Spine1', 'Spine2', 'Spine3'],
    head: ['Neck', 'Head'],
    face: ['Eye_{L|R}', 'Jaw'],
    arm: ['Clavicle_{L|R}', 'UpArm_{L|R}', 'LoArm_{L|R}', 'Hand_{L|R}'],
    leg: ['UpLeg_{L|R}', 'LoLeg_{L|R}', 'Foot_{L|R}', 'Toe_{L|R}'],
    fingers: fingers('@#_{L|R}', 'Thumb Index Middle Ring Pinky', '1 2 3'),
  },
  'bvh/mocopi_arm-raise-turn.bvh': MOCOPI,
  'bvh/pybvh_cmu_12_01_walk.bvh': {
    ...MIXAMO,
    spine: ['LowerBack', 'Spine', 'Spine1'],
    fingers: [['{L|R}Thumb'], ['{Left|Right}HandIndex1 or -'], ['- or {Left|Right}HandIndex1'], [], []],
  },
  'fbx/SeedSan_betterfbx.fbx': {
    hips: 'hips',
    spine: ['spine', 'chest', '-'],
    head: ['neck', 'head'],
    // The robot arm on the backpack (robo_upper_arm.L) is not part of the humanoid.
    arm: ['shoulder.{L|R}', 'upper_arm.{L|R}', 'forearm.{L|R}', 'hand.{L|R}'],
    leg: ['thigh.{L|R}', 'shin.{L|R}', 'foot.{L|R}', 'toe.{L|R}'],
    fingers: fingers('@.#.{L|R}', 'thumb f_index f_middle f_ring f_pinky', '01 02 03'),
  },
  'fbx/m2m_CMU_91_48.fbx': {
    hips: 'hip',
    spine: ['abdomen', 'chest', '-'],
    head: ['neck', 'head'],
    face: ['{left|right}Eye', '-'],
    arm: ['{l|r}Collar', '{l|r}Shldr', '{l|r}ForeArm', '{l|r}Hand'],
    // Buttocks are between hips and thighs; no toes.
    leg: ['{l|r}Thigh', '{l|r}Shin', '{l|r}Foot', '-'],
    fingers: fingers('{l|r}@#', 'Thumb Index Mid Ring Pinky', '1 2'),
  },
  'fbx/mixamo_Walking.fbx': around('mixamorig:', MIXAMO),
  'fbx/ozz_pab_run.fbx': OZZ,
  'fbx/ozz_pab_skeleton.fbx': OZZ,
  'fbx/ozz_pab_walk.fbx': OZZ,
  'fbx/ufbx_maya_character_7500_binary.fbx': HUMANIK,
  'fbx/ufbx_maya_human_ik_6100_ascii.fbx': HUMANIK,
  'fbx/ufbx_maya_human_ik_7400_binary.fbx': HUMANIK,
  'fbx/ufbx_maya_kenney_character_7700_binary.fbx': {
    // Beside HipsCtrl, LeftFootCtrl, LeftFootIK … of the control rig, which are LimbNodes too.
    hips: 'Hips',
    spine: ['Spine', 'Chest', 'UpperChest'],
    head: ['Neck', 'Head'],
    arm: ['{Left|Right}Shoulder', '{Left|Right}Arm', '{Left|Right}ForeArm', '{Left|Right}Hand'],
    leg: ['{Left|Right}UpLeg', '{Left|Right}Leg', '{Left|Right}Foot', '{Left|Right}Toes'],
    // Thumb, and one for the other four.
    fingers: [
      ['{Left|Right}HandThumb1', '{Left|Right}HandThumb2'],
      fingers('{Left|Right}HandIndex#', '', '1 2 3')[0],
      [],
      [],
      [],
    ],
  },
};

/** Humanoids whose nodes have no names: only joint positions identify the bones. They face +X and +Z. */
export const UNNAMED_TRUTH: Readonly<Record<string, Truth>> = {
  'glb/CesiumMan.glb': UNNAMED,
  'glb/RiggedFigure.glb': UNNAMED,
};

/** Characters of USD files: the last names of their joint paths. */
export const USD_TRUTH: Readonly<Record<string, Truth>> = {
  'usd/openusd_skeleton.usda': {
    hips: 'Hips',
    spine: ['Torso', 'Chest', 'UpChest'],
    head: ['Neck', 'Head'],
    face: ['{L|R}Eye', '-'],
    arm: ['{L|R}Shldr', '{L|R}Arm', '{L|R}Elbow', '{L|R}Hand'],
    leg: ['{L|R}Leg', '{L|R}Knee', '{L|R}Foot', '{L|R}Toes'],
    // The joints of every finger have the same names.
    fingers: ['Thumb', 'Index', 'Middle', 'Ring', 'Pinky'].map((finger) => {
      return ['', '/Mid', '/Mid/Tip'].map((joint) => `{L|R}Hand/${finger}${joint}`);
    }),
  },
  'usd/animu_mocopi_avatar.usda': {
    hips: 'Hip',
    spine: ['Spine1', 'Chest1', 'ChestUp'],
    head: ['NeckJ', 'Skull'],
    arm: ['Clav{L|R}', 'ArmUp{L|R}', 'ArmLo{L|R}', 'Palm{L|R}'],
    leg: ['LegUp{L|R}', 'LegLo{L|R}', 'Foot{L|R}', 'Toe{L|R}'],
    fingers: NO_FINGERS,
  },
};

/** Files without usable names or without a humanoid, and the expected reason. */
export const NOT_HUMANOID: Readonly<Record<string, RegExp>> = {
  'glb/CesiumMan.glb': /its 19 joints have no names/,
  'glb/RiggedFigure.glb': /its 19 joints have no names/,
  'negative/Fox.glb': /stands on four legs/,
  'negative/RiggedSimple.glb': /its 2 joints have no names/,
  'negative/m2m_fox-animations.glb': /no arms, no legs: 3 of 15/,
  'negative/m2m_rig-spider.glb': /no arms: \d+ of 15 required bones found \(missing: leftUpperArm/,
};

const DIGIT_BONES = ['Thumb', 'Index', 'Middle', 'Ring', 'Little'];

/** The names of the table by bone. */
function namesByBone(truth: Truth): Map<BoneName, string> {
  const names = new Map<BoneName, string>();
  const put = (bones: readonly string[], found: readonly string[]): void => {
    bones.forEach((bone, k) => {
      if (found[k] !== undefined) names.set(bone as BoneName, found[k]);
    });
  };
  put(['hips', 'spine', 'chest', 'upperChest', 'neck', 'head'], [truth.hips, ...truth.spine, ...truth.head]);
  if (truth.face !== undefined) put(['jaw'], [truth.face[1]]);
  for (const [side, prefix] of [
    [1, 'left'],
    [2, 'right'],
  ] as const) {
    const onSide = (name: string): string => name.replace(/\{([^|]*)\|([^}]*)\}/g, `$${side}`);
    const putSide = (bones: readonly string[], found: readonly string[]): void => {
      put(
        bones.map((bone) => prefix + bone),
        found.map(onSide),
      );
    };
    putSide(['Shoulder', 'UpperArm', 'LowerArm', 'Hand'], truth.arm);
    putSide(['UpperLeg', 'LowerLeg', 'Foot', 'Toes'], truth.leg);
    if (truth.face !== undefined) putSide(['Eye'], [truth.face[0]]);
    DIGIT_BONES.forEach((digit, k) => {
      const joints = digit === 'Thumb' ? ['Metacarpal', 'Proximal', 'Distal'] : ['Proximal', 'Intermediate', 'Distal'];
      putSide(
        joints.map((joint) => digit + joint),
        truth.fingers[k],
      );
    });
  }
  return names;
}

/** The node that a name of the table refers to; −1 for `-`. */
function nodeOf({ names, parents }: Skeleton, sourceNodes: ArrayLike<number>, name: string): number {
  if (name === '-') return -1;
  const index = /^#(\d+)$/.exec(name);
  if (index !== null) return Array.prototype.indexOf.call(sourceNodes, Number(index[1]));
  const path = name.split('/').reverse();
  const found = names.flatMap((_, node) => {
    let above = node;
    const fits = path.every((part, k) => {
      if (k > 0) above = parents[above];
      return above >= 0 && names[above] === part;
    });
    return fits ? [node] : [];
  });
  if (found.length !== 1) throw new Error(`${found.length} nodes are ${name}`);
  return found[0];
}

/**
 * The acceptable nodes of every bone: 55 lists in the order of BONES, the first choice first. A list contains −1 where the bone is, or
 * may be, absent. `sourceNodes` has the index in the file of every node.
 */
export function rightNodes(
  truth: Truth,
  skeleton: Skeleton,
  sourceNodes: ArrayLike<number>,
): readonly (readonly number[])[] {
  const right: number[][] = Array.from({ length: BONE_COUNT }, () => [-1]);
  for (const [bone, names] of namesByBone(truth)) {
    right[BONE[bone]] = names.split(' or ').map((name) => nodeOf(skeleton, sourceNodes, name));
  }
  return right;
}
