/**
 * Which node is which bone in the real files, written down by looking at every hierarchy (names, parents, and where the joints
 * are), not by running anything. `{L|R}` and the like stand for the two sides, left first; `-` is absent.
 */
export interface Truth {
  readonly hips: string;
  /** spine, chest, upperChest */
  readonly spine: readonly string[];
  /** neck, head */
  readonly head: readonly [string, string];
  /** shoulder, upperArm, lowerArm, hand */
  readonly arm: readonly [string, string, string, string];
  /** upperLeg, lowerLeg, foot, toes */
  readonly leg: readonly [string, string, string, string];
  /** Finger bones of each hand. */
  readonly fingers: number;
}

const MIXAMO: Truth = {
  hips: 'Hips',
  spine: ['Spine', 'Spine1', 'Spine2'],
  head: ['Neck', 'Head'],
  arm: ['{Left|Right}Shoulder', '{Left|Right}Arm', '{Left|Right}ForeArm', '{Left|Right}Hand'],
  leg: ['{Left|Right}UpLeg', '{Left|Right}Leg', '{Left|Right}Foot', '{Left|Right}ToeBase'],
  fingers: 15,
};

function prefixed(prefix: string, truth: Truth): Truth {
  const add = (name: string): string => (name === '-' ? name : prefix + name);
  return {
    hips: add(truth.hips),
    spine: truth.spine.map(add),
    head: [add(truth.head[0]), add(truth.head[1])],
    arm: truth.arm.map(add) as unknown as Truth['arm'],
    leg: truth.leg.map(add) as unknown as Truth['leg'],
    fingers: truth.fingers,
  };
}

const UNREAL: Truth = {
  hips: 'pelvis',
  spine: ['spine_01', 'spine_02', 'spine_03'],
  head: ['neck_01', 'head'],
  arm: ['clavicle_{l|r}', 'upperarm_{l|r}', 'lowerarm_{l|r}', 'hand_{l|r}'],
  leg: ['thigh_{l|r}', 'calf_{l|r}', 'foot_{l|r}', 'ball_{l|r}'],
  fingers: 15,
};

/** Game rig of Mesh2Motion: Rigify names, but hips, neck and head have their own. */
const DEF: Truth = prefixed('DEF-', {
  hips: 'hips',
  spine: ['spine.001', 'spine.002', 'spine.003'],
  head: ['neck', 'head'],
  arm: ['shoulder.{L|R}', 'upper_arm.{L|R}', 'forearm.{L|R}', 'hand.{L|R}'],
  leg: ['thigh.{L|R}', 'shin.{L|R}', 'foot.{L|R}', 'toe.{L|R}'],
  fingers: 15,
});

const VRM_ADDON: Truth = {
  hips: 'hips',
  spine: ['spine', 'chest', '-'],
  head: ['neck', 'head'],
  arm: ['shoulder.{L|R}', 'upper_arm.{L|R}', 'lower_arm.{L|R}', 'hand.{L|R}'],
  leg: ['upper_leg.{L|R}', 'lower_leg.{L|R}', 'foot.{L|R}', 'toes.{L|R}'],
  fingers: 15,
};

const VRM: Truth = {
  hips: 'hips',
  spine: ['spine', 'chest', '-'],
  head: ['neck', 'head'],
  arm: ['{left|right}Shoulder', '{left|right}UpperArm', '{left|right}LowerArm', '{left|right}Hand'],
  leg: ['{left|right}UpperLeg', '{left|right}LowerLeg', '{left|right}Foot', '{left|right}Toes'],
  fingers: 15,
};

const MOCOPI: Truth = {
  hips: 'root',
  spine: ['torso_1', 'torso_4', 'torso_7'],
  head: ['neck_1', 'head'],
  arm: ['{l|r}_shoulder', '{l|r}_up_arm', '{l|r}_low_arm', '{l|r}_hand'],
  leg: ['{l|r}_up_leg', '{l|r}_low_leg', '{l|r}_foot', '{l|r}_toes'],
  fingers: 0,
};

const HUMANIK: Truth = prefixed('Character1_', MIXAMO);

/** Motion capture in the names of HumanIK on a Biped: a pelvis below the hips, thighs on the first spine bone. */
const OZZ: Truth = {
  hips: 'Hips',
  spine: ['Spine', 'Spine1', 'Spine3'],
  head: ['Neck', 'Head'],
  arm: ['{Left|Right}Shoulder', '{Left|Right}Arm', '{Left|Right}ForeArm', '{Lefthand|RightHand}'],
  leg: ['{Left|Right}UpLeg', '{Left|Right}Leg', '{Left|Right}Foot', '{Left|Right}FootThumb1'],
  fingers: 15,
};

/** By path below the folder of assets. */
export const TRUTH: Readonly<Record<string, Truth>> = {
  'glb/KayKit_Knight.glb': {
    hips: 'hips',
    spine: ['spine', 'chest', '-'],
    head: ['-', 'head'],
    // wrist.l lies between: its 76 clips never turn it, they turn hand.l, and the fist is bound to hand.l.
    arm: ['-', 'upperarm.{l|r}', 'lowerarm.{l|r}', 'hand.{l|r}'],
    leg: ['upperleg.{l|r}', 'lowerleg.{l|r}', 'foot.{l|r}', 'toes.{l|r}'],
    fingers: 0,
  },
  'glb/RobotExpressive.glb': {
    // Hips holds only the upper body; the thighs hang on Body.
    hips: 'Body',
    spine: ['Abdomen', 'Torso', '-'],
    head: ['Neck', 'Head'],
    // No hand: three palms side by side, the middle finger is on Palm2. Feet are roots of their own (IK).
    arm: ['Shoulder.{L|R}', 'UpperArm.{L|R}', 'LowerArm.{L|R}', 'Palm2.{L|R}'],
    leg: ['UpperLeg.{L|R}', 'LowerLeg.{L|R}', 'Foot.{L|R}', '-'],
    fingers: 8,
  },
  'glb/VALID_AIAN_M_1_Casual.glb': MIXAMO,
  'glb/Xbot.glb': prefixed('mixamorig:', MIXAMO),
  'glb/m2m_human-female.glb': UNREAL,
  'glb/m2m_human-male.glb': UNREAL,
  'glb/m2m_human-zombie.glb': { ...UNREAL, fingers: 6 },
  'glb/m2m_rig-human.glb': UNREAL,
  'glb/m2mold_human-addon-animations.glb': DEF,
  'glb/m2mold_human-skeleton.glb': DEF,
  'glb/pc_lumberjack.glb': {
    // A baked Rigify control rig: limbs and head hang below torso, DEF-spine is a chain of its own beside it.
    hips: 'torso_07',
    spine: ['spine_fk.002_030', 'spine_fk.003_032', '-'],
    head: ['DEF-neck_050', 'DEF-head_051'],
    arm: ['-', 'DEF-upper_arm.{L_045|R_037}', 'DEF-forearm.{L_047|R_039}', 'DEF-hand.{L_049|R_041}'],
    leg: ['DEF-thigh.{L_023|R_015}', 'DEF-shin.{L_025|R_017}', 'DEF-foot.{L_027|R_019}', 'DEF-toe.{L_028|R_020}'],
    fingers: 0,
  },
  'vrm/saturday06_debug_robot.vrm': VRM_ADDON,
  'vrm/spec_mtoon_UV.vrm': VRM_ADDON,
  'vrm/spec_isBinary_Overrides.vrm': {
    hips: 'Hips',
    spine: ['Spine', 'Chest', 'UpperChest'],
    head: ['Neck', 'Head'],
    arm: ['Shoulder.{L|R}', 'UpperArm.{L|R}', 'LowerArm.{L|R}', 'Hand.{L|R}'],
    leg: ['UpperLeg.{L|R}', 'LowerLeg.{L|R}', 'Foot.{L|R}', 'Toes.{L|R}'],
    fingers: 0,
  },
  'vrm/cool_loops.vrm': prefixed('mixamorig:', MIXAMO),
  'vrm/Godette_vrm_v4.vrm': {
    hips: 'pelvis_Armature',
    spine: ['tummy_Armature', 'chest_Armature', '-'],
    head: ['neck_Armature', 'head_Armature'],
    arm: ['shoulder.{l|r}_Armature', 'upper_arm.{l|r}_Armature', 'lowerarm.{l|r}_Armature', 'hand.{l|r}_Armature'],
    leg: ['thigh.{l|r}_Armature', 'shin.{l|r}_Armature', 'foot.{l|r}_Armature', 'toes.{l|r}_Armature'],
    // The thumb; `Finger`, `f2a`, `f3a` do not say which they are.
    fingers: 3,
  },
  'vrm/univrm_EmissionMigration.vrm': prefixed('Character1_', MIXAMO),
  'vrma/threevrm_test.vrma': VRM,
  'vrma/ChatVRM_idle_loop.vrma': MOCOPI,
  'vrma/saturday06_hips_spine_twisting.vrma': {
    hips: 'Hips',
    spine: ['Spine', 'Chest', '-'],
    head: ['Neck', 'Head'],
    arm: ['-', '{Left|Right}UpperArm', '{Left|Right}LowerArm', '{Left|Right}Hand'],
    leg: ['{Left|Right}UpperLeg', '{Left|Right}LowerLeg', '{Left|Right}Foot', '-'],
    fingers: 0,
  },
  'bvh/AD_cmu1_jumping_jacks.bvh': {
    hips: 'Hips',
    spine: ['lowerback', 'Chest', 'Chest2'],
    head: ['Neck', 'Head'],
    arm: ['{Left|Right}Collar', '{Left|Right}Shoulder', '{Left|Right}Elbow', '{Left|Right}Wrist'],
    leg: ['{Left|Right}Hip', '{Left|Right}Knee', '{Left|Right}Ankle', '{Left|Right}Toe'],
    // Thumb, and one stub for all fingers that CMU tables take as the index.
    fingers: 2,
  },
  'bvh/AD_fair1_dab.bvh': { ...MIXAMO, spine: ['Spine', 'Spine1', 'Spine3'], fingers: 1 },
  'bvh/AD_rokoko_jesse_dance.bvh': MIXAMO,
  'bvh/makehuman_tpose.bvh': {
    hips: 'root',
    // Counted downwards: spine05 is the lowest.
    spine: ['spine05', 'spine03', 'spine01'],
    head: ['neck01', 'head'],
    arm: ['shoulder01.{L|R}', 'upperarm01.{L|R}', 'lowerarm01.{L|R}', 'wrist.{L|R}'],
    // Five single toes; none is the ball of the foot.
    leg: ['upperleg01.{L|R}', 'lowerleg01.{L|R}', 'foot.{L|R}', '-'],
    fingers: 15,
  },
  'bvh/makehuman_walk1.bvh': {
    // Hips holds only the legs.
    hips: 'Root',
    spine: ['Spine1', 'Spine2', 'Spine3'],
    head: ['Neck', 'Head'],
    arm: ['Clavicle_{L|R}', 'UpArm_{L|R}', 'LoArm_{L|R}', 'Hand_{L|R}'],
    leg: ['UpLeg_{L|R}', 'LoLeg_{L|R}', 'Foot_{L|R}', 'Toe_{L|R}'],
    fingers: 15,
  },
  'bvh/mocopi_arm-raise-turn.bvh': MOCOPI,
  'bvh/pybvh_cmu_12_01_walk.bvh': { ...MIXAMO, spine: ['LowerBack', 'Spine', 'Spine1'], fingers: 2 },
  'fbx/SeedSan_betterfbx.fbx': {
    hips: 'hips',
    spine: ['spine', 'chest', '-'],
    head: ['neck', 'head'],
    // The robot arm on the backpack (robo_upper_arm.L) is none of the body.
    arm: ['shoulder.{L|R}', 'upper_arm.{L|R}', 'forearm.{L|R}', 'hand.{L|R}'],
    leg: ['thigh.{L|R}', 'shin.{L|R}', 'foot.{L|R}', 'toe.{L|R}'],
    fingers: 15,
  },
  'fbx/m2m_CMU_91_48.fbx': {
    hips: 'hip',
    spine: ['abdomen', 'chest', '-'],
    head: ['neck', 'head'],
    arm: ['{l|r}Collar', '{l|r}Shldr', '{l|r}ForeArm', '{l|r}Hand'],
    // Buttocks lie between; no toes.
    leg: ['{l|r}Thigh', '{l|r}Shin', '{l|r}Foot', '-'],
    // Two bones each.
    fingers: 10,
  },
  'fbx/mixamo_Walking.fbx': prefixed('mixamorig:', MIXAMO),
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
    // Thumb and one for the other four.
    fingers: 5,
  },
};

/** Files whose names tell nothing or whose bodies are none, and what the reason must say. */
export const NOT_HUMANOID: Readonly<Record<string, RegExp>> = {
  'glb/CesiumMan.glb': /its 19 joints have no names/,
  'glb/RiggedFigure.glb': /its 19 joints have no names/,
  'negative/Fox.glb': /stands on four legs/,
  'negative/RiggedSimple.glb': /its 2 joints have no names/,
  'negative/m2m_fox-animations.glb': /no arms, no legs: 3 of 15/,
  'negative/m2m_rig-spider.glb': /no arms: \d+ of 15 required bones found \(missing: leftUpperArm/,
};
