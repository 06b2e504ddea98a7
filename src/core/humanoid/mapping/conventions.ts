/**
 * The bone names of 46 naming conventions, as one table. A part of the body is one line: its bones in the order below,
 * separated by commas, `-` where the convention has no name for one, alternatives separated by `|`, preferred first.
 *
 * body: hips, spine, chest, upperChest, neck, head, eyes, jaw · arm: shoulder, upperArm, lowerArm, hand ·
 * leg: upperLeg, lowerLeg, foot, toes · thumb: metacarpal, proximal, distal ·
 * index, middle, ring, little: proximal, intermediate, distal ·
 * fingers: several at once, thumb first when they are five: the words that take the place of `#`, then the names.
 *
 * A name with a sign of a side stands for two: `@` Left Right, `&` left right, `*` L R, `^` l r, `%` 左 右.
 *
 * Facts from the mapping tables, name lists and documents that many tools publish. Where a word means another bone than
 * one expects (LeftShoulder, LeftLeg, spine, leftThumbProximal), that is how the convention has it.
 */
export interface Convention {
  /** What may stand before every name, preferred first; `''` where that may be nothing. Without: nothing. */
  readonly prefixes?: readonly string[];
  /** Other spellings of every name, prefix included: what is before `>` replaced by what follows it. */
  readonly turns?: readonly string[];
  readonly body?: string;
  readonly arm?: string;
  readonly leg?: string;
  readonly fingers?: string;
  readonly thumb?: string;
  readonly index?: string;
  readonly middle?: string;
  readonly ring?: string;
  readonly little?: string;
  /** Names of nodes that are no bones and that give this convention away among those that name the bones alike. */
  readonly signs?: string;
  /** Names of nodes that are never bones, although they are called like one. */
  readonly skip?: string;
}

export const CONVENTIONS = {
  ext_skeleton_humanoid: {
    body: 'hips, spine, chest, upperChest, neck, head, &Eye, jaw',
    arm: '&Shoulder, &UpperArm, &LowerArm, &Hand',
    leg: '&UpperLeg, &LowerLeg, &Foot, &Toes',
    thumb: '&ThumbMetacarpal, &ThumbProximal, &ThumbDistal',
    fingers: 'Index Middle Ring Little: &#Proximal, &#Intermediate, &#Distal',
  },
  vrm1: {
    body: 'hips, spine, chest, upperChest, neck, head, &Eye, jaw',
    arm: '&Shoulder, &UpperArm, &LowerArm, &Hand',
    leg: '&UpperLeg, &LowerLeg, &Foot, &Toes',
    thumb: '&ThumbMetacarpal, &ThumbProximal, &ThumbDistal',
    fingers: 'Index Middle Ring Little: &#Proximal, &#Intermediate, &#Distal',
  },
  vrm0: {
    body: 'hips, spine, chest, upperChest, neck, head, &Eye, jaw',
    arm: '&Shoulder, &UpperArm, &LowerArm, &Hand',
    leg: '&UpperLeg, &LowerLeg, &Foot, &Toes',
    fingers: 'Thumb Index Middle Ring Little: &#Proximal, &#Intermediate, &#Distal',
  },
  unity_human_body_bones: {
    turns: ['Thumb> Thumb ', 'Index> Index ', 'Middle> Middle ', 'Ring> Ring ', 'Little> Little '],
    body: 'Hips, Spine, Chest, UpperChest, Neck, Head, @Eye, Jaw',
    arm: '@Shoulder, @UpperArm, @LowerArm, @Hand',
    leg: '@UpperLeg, @LowerLeg, @Foot, @Toes',
    fingers: 'Thumb Index Middle Ring Little: @#Proximal, @#Intermediate, @#Distal',
  },
  godot_skeleton_profile_humanoid: {
    body: 'Hips, Spine, Chest, UpperChest, Neck, Head, @Eye, Jaw',
    arm: '@Shoulder, @UpperArm, @LowerArm, @Hand',
    leg: '@UpperLeg, @LowerLeg, @Foot, @Toes',
    thumb: '@ThumbMetacarpal, @ThumbProximal, @ThumbDistal',
    fingers: 'Index Middle Ring Little: @#Proximal, @#Intermediate, @#Distal',
  },
  mixamo: {
    prefixes: ['mixamorig:', 'mixamorig', 'mixamorig_', ''],
    body: 'Hips, Spine, Spine1, Spine2, Neck, Head, @Eye, Jaw',
    arm: '@Shoulder, @Arm, @ForeArm, @Hand',
    leg: '@UpLeg, @Leg, @Foot, @ToeBase',
    fingers: 'Thumb Index Middle Ring Pinky: @Hand#1, @Hand#2, @Hand#3',
    signs: 'HeadTop_End',
  },
  ready_player_me: {
    body: 'Hips, Spine, Spine1, Spine2, Neck, Head, @Eye',
    arm: '@Shoulder, @Arm, @ForeArm, @Hand',
    leg: '@UpLeg, @Leg, @Foot, @ToeBase',
    fingers: 'Thumb Index Middle Ring Pinky: @Hand#1, @Hand#2, @Hand#3',
    signs: 'HeadTop_End',
  },
  humanik_motionbuilder: {
    prefixes: ['', 'Character1_'],
    body: 'Hips, Spine, Spine1, Spine2, Neck, Head, -, Jaw',
    arm: '@Shoulder, @Arm, @ForeArm, @Hand',
    leg: '@UpLeg, @Leg, @Foot, @ToeBase',
    fingers: 'Thumb Index Middle Ring Pinky: @Hand#1, @Hand#2, @Hand#3',
    signs: 'Reference, @InHandIndex, Leaf@ArmRoll1',
  },
  lafan1: {
    body: 'Hips, Spine, Spine1, Spine2, Neck, Head',
    arm: '@Shoulder, @Arm, @ForeArm, @Hand',
    leg: '@UpLeg, @Leg, @Foot, @Toe',
  },
  perception_neuron_axis: {
    prefixes: ['', 'Robot_'],
    body: 'Hips, Spine, Spine1, Spine3|Spine2, Neck, Head',
    arm: '@Shoulder, @Arm, @ForeArm, @Hand',
    leg: '@UpLeg, @Leg, @Foot',
    fingers: 'Thumb Index Middle Ring Pinky: @Hand#1, @Hand#2, @Hand#3',
    signs: 'Spine3, @InHandIndex',
  },
  rokoko: {
    body: 'Hips, Spine1|Spine, Spine2, Spine4|Spine3, Neck|Neck1, Head',
    arm: '@Shoulder, @Arm|@UpperArm, @ForeArm|@LowerArm, @Hand',
    leg: '@Thigh|@UpLeg, @Shin|@Leg, @Foot, @Toe|@ToeBase',
    thumb: '@Finger1Metacarpal, @Finger1Proximal, @Finger1Distal',
    fingers: '2 3 4 5: @Finger#Proximal, @Finger#Medial, @Finger#Distal',
    signs: 'newton, HeadVertex',
  },
  xsens_mvn: {
    body: 'Pelvis, L5, T12|L3, T8, Neck, Head',
    arm: '@Shoulder, @UpperArm, @ForeArm, @Hand',
    leg: '@UpperLeg, @LowerLeg, @Foot, @Toe',
  },
  classic_bvh: {
    body: 'Hips, Chest, Chest2, Chest4|Chest3, Neck, Head',
    arm: '@Collar, @Shoulder, @Elbow, @Wrist',
    leg: '@Hip, @Knee, @Ankle, @Toe',
  },
  cmu_cgspeed_motionbuilder: {
    body: 'Hips, LowerBack, Spine, Spine1, Neck, Head',
    arm: '@Shoulder, @Arm, @ForeArm, @Hand',
    leg: '@UpLeg, @Leg, @Foot, @ToeBase',
    thumb: '*Thumb',
    index: '@HandIndex1',
    signs: '*HipJoint, @FingerBase',
  },
  cmu_asf: {
    body: 'root, lowerback, upperback, thorax, lowerneck, head',
    arm: '^clavicle, ^humerus, ^radius, ^hand|^wrist',
    leg: '^femur, ^tibia, ^foot, ^toes',
    thumb: '^thumb',
    index: '^fingers',
  },
  daz_poser_gen4_genesis12: {
    body: 'hip, abdomen, abdomen2, chest, neck, head, ^Eye|&Eye',
    arm: '^Collar, ^Shldr, ^ForeArm, ^Hand',
    leg: '^Thigh, ^Shin, ^Foot, ^Toe',
    fingers: 'Thumb Index Mid Ring Pinky: ^#1, ^#2, ^#3',
  },
  daz_genesis_3_8: {
    body: 'hip, abdomenLower, abdomenUpper, chestUpper|chestLower, neckLower, head, ^Eye, lowerJaw',
    arm: '^Collar, ^ShldrBend, ^ForearmBend, ^Hand',
    leg: '^ThighBend, ^Shin, ^Foot, ^Toe',
    fingers: 'Thumb Index Mid Ring Pinky: ^#1, ^#2, ^#3',
  },
  daz_genesis_9: {
    body: 'hip, spine1, spine2|spine3, spine4, neck1, head, ^_eye, lowerjaw',
    arm: '^_shoulder, ^_upperarm, ^_forearm, ^_hand',
    leg: '^_thigh, ^_shin, ^_foot, ^_toes',
    fingers: 'thumb index mid ring pinky: ^_#1, ^_#2, ^_#3',
  },
  character_creator_actorcore: {
    prefixes: ['CC_Base_'],
    body: 'Hip, Waist, Spine01, Spine02, NeckTwist01, Head, *_Eye, JawRoot',
    arm: '*_Clavicle, *_Upperarm, *_Forearm, *_Hand',
    leg: '*_Thigh, *_Calf, *_Foot, *_ToeBase',
    thumb: '*_Thumb1|*_Finger00, *_Thumb2|*_Finger01, *_Thumb3|*_Finger02',
    index: '*_Index1|*_Finger10, *_Index2|*_Finger11, *_Index3|*_Finger12',
    middle: '*_Mid1|*_Finger20, *_Mid2|*_Finger21, *_Mid3|*_Finger22',
    ring: '*_Ring1|*_Finger30, *_Ring2|*_Finger31, *_Ring3|*_Finger32',
    little: '*_Pinky1|*_Finger40, *_Pinky2|*_Finger41, *_Pinky3|*_Finger42',
  },
  unreal_ue4_mannequin: {
    body: 'pelvis, spine_01, spine_02, spine_03, neck_01, head',
    arm: 'clavicle_^, upperarm_^, lowerarm_^, hand_^',
    leg: 'thigh_^, calf_^, foot_^, ball_^',
    fingers: 'thumb index middle ring pinky: #_01_^, #_02_^, #_03_^',
  },
  unreal_ue5_manny_metahuman: {
    body: 'pelvis, spine_01|spine_02, spine_03, spine_05|spine_04, neck_01, head',
    arm: 'clavicle_^, upperarm_^, lowerarm_^, hand_^',
    leg: 'thigh_^, calf_^, foot_^, ball_^',
    fingers: 'thumb index middle ring pinky: #_01_^, #_02_^, #_03_^',
    signs: 'neck_02, index_metacarpal_^',
  },
  rigify_metarig: {
    body: 'spine, spine.001, spine.002, spine.003, spine.004, spine.006, eye.*, jaw',
    arm: 'shoulder.*, upper_arm.*, forearm.*, hand.*',
    leg: 'thigh.*, shin.*, foot.*, toe.*',
    fingers: 'thumb f_index f_middle f_ring f_pinky: #.01.*, #.02.*, #.03.*',
  },
  rigify_def: {
    prefixes: ['DEF-'],
    turns: ['.>', '.>_'],
    body: 'spine, spine.001, spine.002, spine.003, spine.004, spine.006, eye.*, jaw',
    arm: 'shoulder.*, upper_arm.*, forearm.*, hand.*',
    leg: 'thigh.*, shin.*, foot.*, toe.*',
    fingers: 'thumb f_index f_middle f_ring f_pinky: #.01.*, #.02.*, #.03.*',
  },
  auto_rig_pro: {
    turns: ['.>_'],
    body: 'root.x, spine_01.x, spine_02.x, spine_03.x, neck.x, head.x, c_eye.^, c_jawbone.x',
    arm: 'shoulder.^, arm_stretch.^|arm.^, forearm_stretch.^|forearm.^, hand.^',
    leg: 'thigh_stretch.^|thigh.^, leg_stretch.^|leg.^, foot.^, toes_01.^',
    fingers: 'thumb index middle ring pinky: c_#1.^|#1.^, c_#2.^|#2.^, c_#3.^|#3.^',
  },
  vrm_addon_blender: {
    turns: ['_>.'],
    body: 'hips, spine, chest, upper_chest, neck, head, eye.*',
    arm: 'shoulder.*, upper_arm.*, lower_arm.*, hand.*',
    leg: 'upper_leg.*, lower_leg.*, foot.*, toes.*',
    thumb: 'thumb_metacarpal.*, thumb_proximal.*, thumb_distal.*',
    fingers: 'index middle ring little: #_proximal.*, #_intermediate.*, #_distal.*',
  },
  vrm_addon_blender_vrm0: {
    turns: ['_>.'],
    body: 'hips, spine, chest, upper_chest, neck, head, eye.*',
    arm: 'shoulder.*, upper_arm.*, lower_arm.*, hand.*',
    leg: 'upper_leg.*, lower_leg.*, foot.*, toes.*',
    fingers: 'thumb index middle ring little: #_proximal.*, #_intermediate.*, #_distal.*',
  },
  vroid: {
    prefixes: ['J_Bip_', 'J_Adj_'],
    body: 'C_Hips, C_Spine, C_Chest, C_UpperChest, C_Neck, C_Head, *_FaceEye',
    arm: '*_Shoulder, *_UpperArm, *_LowerArm, *_Hand',
    leg: '*_UpperLeg, *_LowerLeg, *_Foot, *_ToeBase',
    fingers: 'Thumb Index Middle Ring Little: *_#1, *_#2, *_#3',
  },
  vroid_symmetrised: {
    body: 'Hips, Spine, Chest, UpperChest, Neck, Head, FaceEye_*',
    arm: 'Shoulder_*, UpperArm_*, LowerArm_*, Hand_*',
    leg: 'UpperLeg_*, LowerLeg_*, Foot_*, ToeBase_*',
    fingers: 'Thumb Index Middle Ring Little: #1_*, #2_*, #3_*',
  },
  cats_vrchat: {
    body: 'Hips, Spine, Chest, -, Neck, Head, Eye_*',
    arm: '@ shoulder, @ arm, @ elbow, @ wrist',
    leg: '@ leg, @ knee, @ ankle, @ toe',
    thumb: 'Thumb0_*, Thumb1_*, Thumb2_*',
    fingers: 'Index Middle Ring Little: #Finger1_*, #Finger2_*, #Finger3_*',
  },
  makehuman_default: {
    body: 'root, spine04, spine03, spine02, neck01, head, eye.*, jaw',
    arm: 'shoulder01.*, upperarm01.*, lowerarm01.*, wrist.*',
    leg: 'upperleg01.*, lowerleg01.*, foot.*',
    fingers: '1 2 3 4 5: finger#-1.*, finger#-2.*, finger#-3.*',
  },
  biped_3dsmax: {
    prefixes: ['Bip001 ', 'Bip01 '],
    turns: [' >_'],
    body: 'Pelvis, Spine, Spine1, Spine2, Neck, Head',
    arm: '* Clavicle, * UpperArm, * Forearm, * Hand',
    leg: '* Thigh, * Calf, * Foot, * Toe0',
    fingers: '0 1 2 3 4: * Finger#, * Finger#1, * Finger#2',
  },
  valve_biped: {
    prefixes: ['ValveBiped.Bip01_'],
    body: 'Pelvis, Spine, Spine2, Spine4, Neck1, Head1',
    arm: '*_Clavicle, *_UpperArm, *_Forearm, *_Hand',
    leg: '*_Thigh, *_Calf, *_Foot, *_Toe0',
    fingers: '0 1 2 3 4: *_Finger#, *_Finger#1, *_Finger#2',
  },
  microsoft_rocketbox: {
    prefixes: ['Bip01 ', 'Bip02 '],
    body: 'Pelvis, Spine1, Spine2, -, -, Head, *Eye, MJaw',
    arm: '* Clavicle, * UpperArm, * Forearm, * Hand',
    leg: '* Thigh, * Calf, * Foot, * Toe0',
    fingers: '0 1 2 3 4: * Finger#, * Finger#1, * Finger#2',
  },
  mmd_japanese: {
    turns: ['０>0', '１>1', '２>2', '３>3'],
    body: 'センター|下半身|腰, 上半身, 上半身２, 上半身３, 首, 頭, %目|目.*, あご|顎',
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
    body: 'center|lower body|waist, upper body, upper body2, upper body3, neck, head, eye_*',
    arm: 'shoulder_*, arm_*, elbow_*, wrist_*',
    leg: 'leg_*, knee_*, ankle_*, toe_*|leg tip EX_*',
    thumb: 'thumb0_*, thumb1_*, thumb2_*',
    fingers: 'fore middle third little: #1_*, #2_*, #3_*',
  },
  smpl: {
    prefixes: ['', 'm_avg_', 'f_avg_'],
    body: 'pelvis|Pelvis, spine1|Spine1, spine2|Spine2, spine3|Spine3, neck|Neck, head|Head',
    arm: '&_collar|*_Collar, &_shoulder|*_Shoulder, &_elbow|*_Elbow, &_wrist|*_Wrist',
    leg: '&_hip|*_Hip, &_knee|*_Knee, &_ankle|*_Ankle, &_foot|*_Foot',
  },
  smplx: {
    body: 'pelvis|Pelvis, spine1|Spine1, spine2|Spine2, spine3|Spine3, neck|Neck, head|Head, &_eye_smplhf|&_eye, jaw',
    arm: '&_collar|*_Collar, &_shoulder|*_Shoulder, &_elbow|*_Elbow, &_wrist|*_Wrist',
    leg: '&_hip|*_Hip, &_knee|*_Knee, &_ankle|*_Ankle, &_foot|*_Foot',
    fingers: 'thumb index middle ring pinky: &_#1, &_#2, &_#3',
  },
  nvidia_soma: {
    body: 'Hips, Spine1, Spine2, Chest, Neck1, Head',
    arm: '@Shoulder, @Arm, @ForeArm, @Hand',
    leg: '@Leg, @Shin, @Foot, @ToeBase',
    thumb: '@HandThumb1, @HandThumb2, @HandThumb3',
    fingers: 'Index Middle Ring Pinky: @Hand#2, @Hand#3, @Hand#4',
    signs: 'Neck2',
  },
  sbox_citizen: {
    body: 'pelvis, spine_0, spine_1, spine_2, neck_0, head, eye_*',
    arm: 'clavicle_*, arm_upper_*, arm_lower_*, hand_*',
    leg: 'leg_upper_*, leg_lower_*, ankle_*, ball_*',
    fingers: 'thumb index middle ring pinky: finger_#_0_*, finger_#_1_*, finger_#_2_*',
  },
  advanced_skeleton_maya: {
    body: 'Root_M, Spine1_M, Spine2_M, Chest_M, Neck_M, Head_M, Eye_*, Jaw_M',
    arm: 'Scapula_*, Shoulder_*, Elbow_*, Wrist_*',
    leg: 'Hip_*, Knee_*, Ankle_*, Toes_*',
    fingers: 'Thumb Index Middle Ring Pinky: #Finger1_*, #Finger2_*, #Finger3_*',
  },
  renderpeople: {
    body: 'hip, spine_01, spine_02, spine_03, neck, head, eye_^, jaw',
    arm: 'shoulder_^, upperarm_^, lowerarm_^, hand_^',
    leg: 'upperleg_^, lowerleg_^, foot_^, ball_^',
    fingers: 'thumb index middle ring pinky: #_01_^, #_02_^, #_03_^',
  },
  sims3_sims4: {
    prefixes: ['b__'],
    body: 'Pelvis__|ROOT_bind__, Spine0__, Spine1__, Spine2__, Neck__, Head__, *_Eye__|@Eye__, Jaw__',
    arm: '*_Clavicle__, *_UpperArm__, *_Forearm__, *_Hand__',
    leg: '*_Thigh__, *_Calf__, *_Foot__, *_Toe__',
    fingers: 'Thumb Index Mid Ring Pinky: *_#0__, *_#1__, *_#2__',
  },
  roblox_r15: {
    body: 'LowerTorso, UpperTorso, -, -, -, Head',
    arm: '-, @UpperArm, @LowerArm, @Hand',
    leg: '@UpperLeg, @LowerLeg, @Foot',
  },
  arkit_body_usdz: {
    body: 'hips_joint, spine_1_joint, spine_4_joint, spine_7_joint, neck_1_joint, head_joint, &_eye_joint, jaw_joint',
    arm: '&_shoulder_1_joint, &_arm_joint, &_forearm_joint, &_hand_joint',
    leg: '&_upLeg_joint, &_leg_joint, &_foot_joint, &_toes_joint',
    thumb: '&_handThumbStart_joint, &_handThumb_1_joint, &_handThumb_2_joint',
    fingers: 'Index Mid Ring Pinky: &_hand#_1_joint, &_hand#_2_joint, &_hand#_3_joint',
  },
  second_life_bento: {
    body: 'mPelvis, mTorso, mChest, -, mNeck, mHead, mEye@, mFaceJaw',
    arm: 'mCollar@, mShoulder@, mElbow@, mWrist@',
    leg: 'mHip@, mKnee@, mAnkle@, mToe@|mFoot@',
    fingers: 'Thumb Index Middle Ring Pinky: mHand#1@, mHand#2@, mHand#3@',
    skip: 'mSpine1, mSpine2, mSpine3, mSpine4',
  },
  unity_xr_hands: {
    arm: '-, -, -, *_Wrist',
    thumb: '*_ThumbMetacarpal, *_ThumbProximal, *_ThumbDistal',
    fingers: 'Index Middle Ring Little: *_#Proximal, *_#Intermediate, *_#Distal',
  },
} as const satisfies Record<string, Convention>;

export type ConventionName = keyof typeof CONVENTIONS;

export const CONVENTION_NAMES: readonly ConventionName[] = Object.keys(CONVENTIONS) as ConventionName[];
