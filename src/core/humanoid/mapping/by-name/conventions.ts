/**
 * The bone names of 49 naming conventions as one table, collected from published mapping tables, name lists and tool
 * documentation.
 *
 * A body part is one line. It lists the names of its bones in the order of the members of `Convention`, separated by
 * commas: `-` where the convention has no name for a bone, `|` between alternatives, the preferred one first.
 *
 * `fingers` names several fingers at once, thumb first when there are five: the words before the colon replace `#` in
 * the names after it.
 *
 * A name with a side placeholder stands for two names: `@` Left Right, `&` left right, `*` L R, `^` l r, `%` 左 右.
 *
 * Some words name an unexpected bone (LeftShoulder, LeftLeg, spine, leftThumbProximal): that is how the convention
 * uses them.
 */

export interface Convention {
  /** Possible prefixes of all names, preferred first; `''` when the prefix is optional. No prefix by default. */
  readonly prefixes?: readonly string[];
  /** Other spellings of all names, prefix included: `a>b` replaces `a` by `b`. */
  readonly replacements?: readonly string[];
  /** hips, spine, chest, upperChest, neck, head, eyes, jaw */
  readonly trunk?: string;
  /** shoulder, upperArm, lowerArm, hand */
  readonly arm?: string;
  /** upperLeg, lowerLeg, foot, toes */
  readonly leg?: string;
  /** Several fingers: words, colon, then the names with `#` in place of the word. */
  readonly fingers?: string;
  /** metacarpal, proximal, distal */
  readonly thumb?: string;
  /** proximal, intermediate, distal */
  readonly index?: string;
  /** proximal, intermediate, distal */
  readonly middle?: string;
  /** proximal, intermediate, distal */
  readonly ring?: string;
  /** proximal, intermediate, distal */
  readonly little?: string;
  /** Names of non-bone nodes that only this convention has, among conventions with the same bone names. */
  readonly markers?: string;
  /** Names of nodes that are never bones, although their names look like it. */
  readonly skip?: string;
}

export const CONVENTIONS = {
  ext_skeleton_humanoid: {
    trunk: 'hips, spine, chest, upperChest, neck, head, &Eye, jaw',
    arm: '&Shoulder, &UpperArm, &LowerArm, &Hand',
    leg: '&UpperLeg, &LowerLeg, &Foot, &Toes',
    thumb: '&ThumbMetacarpal, &ThumbProximal, &ThumbDistal',
    fingers: 'Index Middle Ring Little: &#Proximal, &#Intermediate, &#Distal',
  },
  vrm1: {
    trunk: 'hips, spine, chest, upperChest, neck, head, &Eye, jaw',
    arm: '&Shoulder, &UpperArm, &LowerArm, &Hand',
    leg: '&UpperLeg, &LowerLeg, &Foot, &Toes',
    thumb: '&ThumbMetacarpal, &ThumbProximal, &ThumbDistal',
    fingers: 'Index Middle Ring Little: &#Proximal, &#Intermediate, &#Distal',
  },
  vrm0: {
    trunk: 'hips, spine, chest, upperChest, neck, head, &Eye, jaw',
    arm: '&Shoulder, &UpperArm, &LowerArm, &Hand',
    leg: '&UpperLeg, &LowerLeg, &Foot, &Toes',
    fingers: 'Thumb Index Middle Ring Little: &#Proximal, &#Intermediate, &#Distal',
  },
  unity_human_body_bones: {
    replacements: ['Thumb> Thumb ', 'Index> Index ', 'Middle> Middle ', 'Ring> Ring ', 'Little> Little '],
    trunk: 'Hips, Spine, Chest, UpperChest, Neck, Head, @Eye, Jaw',
    arm: '@Shoulder, @UpperArm, @LowerArm, @Hand',
    leg: '@UpperLeg, @LowerLeg, @Foot, @Toes',
    fingers: 'Thumb Index Middle Ring Little: @#Proximal, @#Intermediate, @#Distal',
  },
  godot_skeleton_profile_humanoid: {
    trunk: 'Hips, Spine, Chest, UpperChest, Neck, Head, @Eye, Jaw',
    arm: '@Shoulder, @UpperArm, @LowerArm, @Hand',
    leg: '@UpperLeg, @LowerLeg, @Foot, @Toes',
    thumb: '@ThumbMetacarpal, @ThumbProximal, @ThumbDistal',
    fingers: 'Index Middle Ring Little: @#Proximal, @#Intermediate, @#Distal',
  },
  mixamo: {
    prefixes: ['mixamorig:', 'mixamorig', 'mixamorig_', ''],
    trunk: 'Hips, Spine, Spine1, Spine2, Neck, Head, @Eye, Jaw',
    arm: '@Shoulder, @Arm, @ForeArm, @Hand',
    leg: '@UpLeg, @Leg, @Foot, @ToeBase',
    fingers: 'Thumb Index Middle Ring Pinky: @Hand#1, @Hand#2, @Hand#3',
    markers: 'HeadTop_End',
  },
  ready_player_me: {
    trunk: 'Hips, Spine, Spine1, Spine2, Neck, Head, @Eye',
    arm: '@Shoulder, @Arm, @ForeArm, @Hand',
    leg: '@UpLeg, @Leg, @Foot, @ToeBase',
    fingers: 'Thumb Index Middle Ring Pinky: @Hand#1, @Hand#2, @Hand#3',
    markers: 'HeadTop_End',
  },
  humanik_motionbuilder: {
    prefixes: ['', 'Character1_'],
    trunk: 'Hips, Spine, Spine1, Spine2, Neck, Head, -, Jaw',
    arm: '@Shoulder, @Arm, @ForeArm, @Hand',
    leg: '@UpLeg, @Leg, @Foot, @ToeBase',
    fingers: 'Thumb Index Middle Ring Pinky: @Hand#1, @Hand#2, @Hand#3',
    markers: 'Reference, @InHandIndex, Leaf@ArmRoll1',
  },
  lafan1: {
    trunk: 'Hips, Spine, Spine1, Spine2, Neck, Head',
    arm: '@Shoulder, @Arm, @ForeArm, @Hand',
    leg: '@UpLeg, @Leg, @Foot, @Toe',
  },
  perception_neuron_axis: {
    prefixes: ['', 'Robot_'],
    trunk: 'Hips, Spine, Spine1, Spine3|Spine2, Neck, Head',
    arm: '@Shoulder, @Arm, @ForeArm, @Hand',
    leg: '@UpLeg, @Leg, @Foot',
    fingers: 'Thumb Index Middle Ring Pinky: @Hand#1, @Hand#2, @Hand#3',
    markers: 'Spine3, @InHandIndex',
  },
  rokoko: {
    trunk: 'Hips, Spine1|Spine, Spine2, Spine4|Spine3, Neck|Neck1, Head',
    arm: '@Shoulder, @Arm|@UpperArm, @ForeArm|@LowerArm, @Hand',
    leg: '@Thigh|@UpLeg, @Shin|@Leg, @Foot, @Toe|@ToeBase',
    thumb: '@Finger1Metacarpal, @Finger1Proximal, @Finger1Distal',
    fingers: '2 3 4 5: @Finger#Proximal, @Finger#Medial, @Finger#Distal',
    markers: 'newton, HeadVertex',
  },
  xsens_mvn: {
    trunk: 'Pelvis, L5, T12|L3, T8, Neck, Head',
    arm: '@Shoulder, @UpperArm, @ForeArm, @Hand',
    leg: '@UpperLeg, @LowerLeg, @Foot, @Toe',
  },
  optitrack_motive: {
    trunk: 'Hip, Ab, Chest, -, Neck, Head',
    arm: '*Shoulder, *UArm, *FArm, *Hand',
    leg: '*Thigh, *Shin, *Foot, *Toe',
    fingers: 'Thumb Index Middle Ring Pinky: *#1, *#2, *#3',
  },
  classic_bvh: {
    trunk: 'Hips, Chest, Chest2, Chest4|Chest3, Neck, Head',
    arm: '@Collar, @Shoulder, @Elbow, @Wrist',
    leg: '@Hip, @Knee, @Ankle, @Toe',
  },
  cmu_cgspeed_motionbuilder: {
    trunk: 'Hips, LowerBack, Spine, Spine1, Neck, Head',
    arm: '@Shoulder, @Arm, @ForeArm, @Hand',
    leg: '@UpLeg, @Leg, @Foot, @ToeBase',
    thumb: '*Thumb',
    index: '@HandIndex1',
    markers: '*HipJoint, @FingerBase',
  },
  cmu_asf: {
    trunk: 'root, lowerback, upperback, thorax, lowerneck, head',
    arm: '^clavicle, ^humerus, ^radius, ^hand|^wrist',
    leg: '^femur, ^tibia, ^foot, ^toes',
    thumb: '^thumb',
    index: '^fingers',
  },
  daz_poser_gen4_genesis12: {
    trunk: 'hip, abdomen, abdomen2, chest, neck, head, ^Eye|&Eye',
    arm: '^Collar, ^Shldr, ^ForeArm, ^Hand',
    leg: '^Thigh, ^Shin, ^Foot, ^Toe',
    fingers: 'Thumb Index Mid Ring Pinky: ^#1, ^#2, ^#3',
  },
  daz_genesis_3_8: {
    trunk: 'hip, abdomenLower, abdomenUpper, chestUpper|chestLower, neckLower, head, ^Eye, lowerJaw',
    arm: '^Collar, ^ShldrBend, ^ForearmBend, ^Hand',
    leg: '^ThighBend, ^Shin, ^Foot, ^Toe',
    fingers: 'Thumb Index Mid Ring Pinky: ^#1, ^#2, ^#3',
  },
  daz_genesis_9: {
    trunk: 'hip, spine1, spine2|spine3, spine4, neck1, head, ^_eye, lowerjaw',
    arm: '^_shoulder, ^_upperarm, ^_forearm, ^_hand',
    leg: '^_thigh, ^_shin, ^_foot, ^_toes',
    fingers: 'thumb index mid ring pinky: ^_#1, ^_#2, ^_#3',
  },
  character_creator_actorcore: {
    prefixes: ['CC_Base_'],
    trunk: 'Hip, Waist, Spine01, Spine02, NeckTwist01, Head, *_Eye, JawRoot',
    arm: '*_Clavicle, *_Upperarm, *_Forearm, *_Hand',
    leg: '*_Thigh, *_Calf, *_Foot, *_ToeBase',
    thumb: '*_Thumb1|*_Finger00, *_Thumb2|*_Finger01, *_Thumb3|*_Finger02',
    index: '*_Index1|*_Finger10, *_Index2|*_Finger11, *_Index3|*_Finger12',
    middle: '*_Mid1|*_Finger20, *_Mid2|*_Finger21, *_Mid3|*_Finger22',
    ring: '*_Ring1|*_Finger30, *_Ring2|*_Finger31, *_Ring3|*_Finger32',
    little: '*_Pinky1|*_Finger40, *_Pinky2|*_Finger41, *_Pinky3|*_Finger42',
  },
  unreal_ue4_mannequin: {
    trunk: 'pelvis, spine_01, spine_02, spine_03, neck_01, head',
    arm: 'clavicle_^, upperarm_^, lowerarm_^, hand_^',
    leg: 'thigh_^, calf_^, foot_^, ball_^',
    fingers: 'thumb index middle ring pinky: #_01_^, #_02_^, #_03_^',
  },
  unreal_ue5_manny_metahuman: {
    trunk: 'pelvis, spine_01|spine_02, spine_03, spine_05|spine_04, neck_01, head',
    arm: 'clavicle_^, upperarm_^, lowerarm_^, hand_^',
    leg: 'thigh_^, calf_^, foot_^, ball_^',
    fingers: 'thumb index middle ring pinky: #_01_^, #_02_^, #_03_^',
    markers: 'neck_02, index_metacarpal_^',
  },
  rigify_metarig: {
    trunk: 'spine, spine.001, spine.002, spine.003, spine.004, spine.006, eye.*, jaw',
    arm: 'shoulder.*, upper_arm.*, forearm.*, hand.*',
    leg: 'thigh.*, shin.*, foot.*, toe.*',
    fingers: 'thumb f_index f_middle f_ring f_pinky: #.01.*, #.02.*, #.03.*',
  },
  rigify_def: {
    prefixes: ['DEF-'],
    replacements: ['.>', '.>_'],
    trunk: 'spine, spine.001, spine.002, spine.003, spine.004, spine.006, eye.*, jaw',
    arm: 'shoulder.*, upper_arm.*, forearm.*, hand.*',
    leg: 'thigh.*, shin.*, foot.*, toe.*',
    fingers: 'thumb f_index f_middle f_ring f_pinky: #.01.*, #.02.*, #.03.*',
  },
  auto_rig_pro: {
    replacements: ['.>_'],
    trunk: 'root.x, spine_01.x, spine_02.x, spine_03.x, neck.x, head.x, c_eye.^, c_jawbone.x',
    arm: 'shoulder.^, arm_stretch.^|arm.^, forearm_stretch.^|forearm.^, hand.^',
    leg: 'thigh_stretch.^|thigh.^, leg_stretch.^|leg.^, foot.^, toes_01.^',
    fingers: 'thumb index middle ring pinky: c_#1.^|#1.^, c_#2.^|#2.^, c_#3.^|#3.^',
  },
  vrm_addon_blender: {
    replacements: ['_>.'],
    trunk: 'hips, spine, chest, upper_chest, neck, head, eye.*',
    arm: 'shoulder.*, upper_arm.*, lower_arm.*, hand.*',
    leg: 'upper_leg.*, lower_leg.*, foot.*, toes.*',
    thumb: 'thumb_metacarpal.*, thumb_proximal.*, thumb_distal.*',
    fingers: 'index middle ring little: #_proximal.*, #_intermediate.*, #_distal.*',
  },
  vrm_addon_blender_vrm0: {
    replacements: ['_>.'],
    trunk: 'hips, spine, chest, upper_chest, neck, head, eye.*',
    arm: 'shoulder.*, upper_arm.*, lower_arm.*, hand.*',
    leg: 'upper_leg.*, lower_leg.*, foot.*, toes.*',
    fingers: 'thumb index middle ring little: #_proximal.*, #_intermediate.*, #_distal.*',
  },
  vroid: {
    prefixes: ['J_Bip_', 'J_Adj_'],
    trunk: 'C_Hips, C_Spine, C_Chest, C_UpperChest, C_Neck, C_Head, *_FaceEye',
    arm: '*_Shoulder, *_UpperArm, *_LowerArm, *_Hand',
    leg: '*_UpperLeg, *_LowerLeg, *_Foot, *_ToeBase',
    fingers: 'Thumb Index Middle Ring Little: *_#1, *_#2, *_#3',
  },
  vroid_symmetrised: {
    trunk: 'Hips, Spine, Chest, UpperChest, Neck, Head, FaceEye_*',
    arm: 'Shoulder_*, UpperArm_*, LowerArm_*, Hand_*',
    leg: 'UpperLeg_*, LowerLeg_*, Foot_*, ToeBase_*',
    fingers: 'Thumb Index Middle Ring Little: #1_*, #2_*, #3_*',
  },
  cats_vrchat: {
    trunk: 'Hips, Spine, Chest, -, Neck, Head, Eye_*',
    arm: '@ shoulder, @ arm, @ elbow, @ wrist',
    leg: '@ leg, @ knee, @ ankle, @ toe',
    thumb: 'Thumb0_*, Thumb1_*, Thumb2_*',
    fingers: 'Index Middle Ring Little: #Finger1_*, #Finger2_*, #Finger3_*',
  },
  makehuman_default: {
    trunk: 'root, spine04, spine03, spine02, neck01, head, eye.*, jaw',
    arm: 'shoulder01.*, upperarm01.*, lowerarm01.*, wrist.*',
    leg: 'upperleg01.*, lowerleg01.*, foot.*',
    fingers: '1 2 3 4 5: finger#-1.*, finger#-2.*, finger#-3.*',
  },
  biped_3dsmax: {
    prefixes: ['Bip001 ', 'Bip01 '],
    replacements: [' >_'],
    trunk: 'Pelvis, Spine, Spine1, Spine2, Neck, Head',
    arm: '* Clavicle, * UpperArm, * Forearm, * Hand',
    leg: '* Thigh, * Calf, * Foot, * Toe0',
    fingers: '0 1 2 3 4: * Finger#, * Finger#1, * Finger#2',
  },
  valve_biped: {
    prefixes: ['ValveBiped.Bip01_'],
    trunk: 'Pelvis, Spine, Spine2, Spine4, Neck1, Head1',
    arm: '*_Clavicle, *_UpperArm, *_Forearm, *_Hand',
    leg: '*_Thigh, *_Calf, *_Foot, *_Toe0',
    fingers: '0 1 2 3 4: *_Finger#, *_Finger#1, *_Finger#2',
  },
  microsoft_rocketbox: {
    prefixes: ['Bip01 ', 'Bip02 '],
    trunk: 'Pelvis, Spine1, Spine2, -, -, Head, *Eye, MJaw',
    arm: '* Clavicle, * UpperArm, * Forearm, * Hand',
    leg: '* Thigh, * Calf, * Foot, * Toe0',
    fingers: '0 1 2 3 4: * Finger#, * Finger#1, * Finger#2',
  },
  mmd_japanese: {
    replacements: ['０>0', '１>1', '２>2', '３>3'],
    trunk: 'センター|下半身|腰, 上半身, 上半身２, 上半身３, 首, 頭, %目|目.*, あご|顎',
    arm: '%肩|肩.*, %腕|腕.*, %ひじ|ひじ.*, %手首|手首.*',
    leg: '%足|足.*|%足D, %ひざ|ひざ.*|%ひざD, %足首|足首.*|%足首D, %つま先|つま先.*|%足先EX|足先EX.*',
    thumb: '%親指０|親指０.*, %親指１|親指１.*, %親指２|親指２.*',
    index:
      '%人指１|人指１.*|%人差指１|人差指１.*, %人指２|人指２.*|%人差指２|人差指２.*, %人指３|人指３.*|%人差指３|人差指３.*',
    middle: '%中指１|中指１.*, %中指２|中指２.*, %中指３|中指３.*',
    ring: '%薬指１|薬指１.*, %薬指２|薬指２.*, %薬指３|薬指３.*',
    little: '%小指１|小指１.*, %小指２|小指２.*, %小指３|小指３.*',
  },
  mmd_english: {
    trunk: 'center|lower body|waist, upper body, upper body2, upper body3, neck, head, eye_*',
    arm: 'shoulder_*, arm_*, elbow_*, wrist_*',
    leg: 'leg_*, knee_*, ankle_*, toe_*|leg tip EX_*',
    thumb: 'thumb0_*, thumb1_*, thumb2_*',
    fingers: 'fore middle third little: #1_*, #2_*, #3_*',
  },
  smpl: {
    prefixes: ['', 'm_avg_', 'f_avg_'],
    trunk: 'pelvis|Pelvis, spine1|Spine1, spine2|Spine2, spine3|Spine3, neck|Neck, head|Head',
    arm: '&_collar|*_Collar, &_shoulder|*_Shoulder, &_elbow|*_Elbow, &_wrist|*_Wrist',
    leg: '&_hip|*_Hip, &_knee|*_Knee, &_ankle|*_Ankle, &_foot|*_Foot',
  },
  smplx: {
    trunk: 'pelvis|Pelvis, spine1|Spine1, spine2|Spine2, spine3|Spine3, neck|Neck, head|Head, &_eye_smplhf|&_eye, jaw',
    arm: '&_collar|*_Collar, &_shoulder|*_Shoulder, &_elbow|*_Elbow, &_wrist|*_Wrist',
    leg: '&_hip|*_Hip, &_knee|*_Knee, &_ankle|*_Ankle, &_foot|*_Foot',
    fingers: 'thumb index middle ring pinky: &_#1, &_#2, &_#3',
  },
  nvidia_soma: {
    trunk: 'Hips, Spine1, Spine2, Chest, Neck1, Head',
    arm: '@Shoulder, @Arm, @ForeArm, @Hand',
    leg: '@Leg, @Shin, @Foot, @ToeBase',
    thumb: '@HandThumb1, @HandThumb2, @HandThumb3',
    fingers: 'Index Middle Ring Pinky: @Hand#2, @Hand#3, @Hand#4',
    markers: 'Neck2',
  },
  sbox_citizen: {
    trunk: 'pelvis, spine_0, spine_1, spine_2, neck_0, head, eye_*',
    arm: 'clavicle_*, arm_upper_*, arm_lower_*, hand_*',
    leg: 'leg_upper_*, leg_lower_*, ankle_*, ball_*',
    fingers: 'thumb index middle ring pinky: finger_#_0_*, finger_#_1_*, finger_#_2_*',
  },
  advanced_skeleton_maya: {
    trunk: 'Root_M, Spine1_M, Spine2_M, Chest_M, Neck_M, Head_M, Eye_*, Jaw_M',
    arm: 'Scapula_*, Shoulder_*, Elbow_*, Wrist_*',
    leg: 'Hip_*, Knee_*, Ankle_*, Toes_*',
    fingers: 'Thumb Index Middle Ring Pinky: #Finger1_*, #Finger2_*, #Finger3_*',
  },
  renderpeople: {
    trunk: 'hip, spine_01, spine_02, spine_03, neck, head, eye_^, jaw',
    arm: 'shoulder_^, upperarm_^, lowerarm_^, hand_^',
    leg: 'upperleg_^, lowerleg_^, foot_^, ball_^',
    fingers: 'thumb index middle ring pinky: #_01_^, #_02_^, #_03_^',
  },
  sims3_sims4: {
    prefixes: ['b__'],
    trunk: 'Pelvis__|ROOT_bind__, Spine0__, Spine1__, Spine2__, Neck__, Head__, *_Eye__|@Eye__, Jaw__',
    arm: '*_Clavicle__, *_UpperArm__, *_Forearm__, *_Hand__',
    leg: '*_Thigh__, *_Calf__, *_Foot__, *_Toe__',
    fingers: 'Thumb Index Mid Ring Pinky: *_#0__, *_#1__, *_#2__',
  },
  roblox_r15: {
    trunk: 'LowerTorso, UpperTorso, -, -, -, Head',
    arm: '-, @UpperArm, @LowerArm, @Hand',
    leg: '@UpperLeg, @LowerLeg, @Foot',
  },
  arkit_body_usdz: {
    trunk: 'hips_joint, spine_1_joint, spine_4_joint, spine_7_joint, neck_1_joint, head_joint, &_eye_joint, jaw_joint',
    arm: '&_shoulder_1_joint, &_arm_joint, &_forearm_joint, &_hand_joint',
    leg: '&_upLeg_joint, &_leg_joint, &_foot_joint, &_toes_joint',
    thumb: '&_handThumbStart_joint, &_handThumb_1_joint, &_handThumb_2_joint',
    fingers: 'Index Mid Ring Pinky: &_hand#_1_joint, &_hand#_2_joint, &_hand#_3_joint',
  },
  second_life_bento: {
    trunk: 'mPelvis, mTorso, mChest, -, mNeck, mHead, mEye@, mFaceJaw',
    arm: 'mCollar@, mShoulder@, mElbow@, mWrist@',
    leg: 'mHip@, mKnee@, mAnkle@, mToe@|mFoot@',
    fingers: 'Thumb Index Middle Ring Pinky: mHand#1@, mHand#2@, mHand#3@',
    skip: 'mSpine1, mSpine2, mSpine3, mSpine4',
  },
  meta_mhr: {
    trunk: 'root, c_spine0, c_spine1|c_spine2, c_spine3, c_neck, c_head, ^_eye, c_jaw',
    arm: '^_clavicle, ^_uparm, ^_lowarm, ^_wrist',
    leg: '^_upleg, ^_lowleg, ^_foot, ^_ball',
    thumb: '^_thumb1|^_thumb0, ^_thumb2, ^_thumb3',
    fingers: 'index middle ring pinky: ^_#1, ^_#2, ^_#3',
    markers: 'body_world, ^_talocrural',
  },
  quaternius: {
    trunk: 'Hips|Body, Abdomen, Torso, Chest, Neck, Head',
    arm: 'Shoulder.*, UpperArm.*, LowerArm.*, Hand.*|Fist.*|Palm.*',
    leg: 'UpperLeg.*, LowerLeg.*, Foot.*',
    fingers: 'Thumb Index Middle Ring Pinky: #1.*, #2.*, #3.*',
  },
  unity_xr_hands: {
    arm: '-, -, -, *_Wrist',
    thumb: '*_ThumbMetacarpal, *_ThumbProximal, *_ThumbDistal',
    fingers: 'Index Middle Ring Little: *_#Proximal, *_#Intermediate, *_#Distal',
  },
} as const satisfies Record<string, Convention>;

/** Key of a naming convention, for example `mixamo`. */
export type ConventionName = keyof typeof CONVENTIONS;

export const CONVENTION_NAMES: readonly ConventionName[] = Object.keys(CONVENTIONS) as ConventionName[];
