/**
 * Names of face shapes in each naming convention. A nested list names the parts of a shape, which are used together. Names are compared by
 * `nameKey`, which ignores case, separators and the spelling of sides: `eyeBlink_L` and `A14_Eye_Blink_Left` match ARKit's `eyeBlinkLeft`.
 */
import type { FaceShape } from './shapes.ts';
import { ARKIT_SHAPES, presetToShape, VRM_PRESETS } from './shapes.ts';

/** Names of shapes in one convention. A shape may have several alternative names; a nested list names its parts. */
export type ShapeNames = Readonly<Partial<Record<FaceShape, readonly (string | readonly string[])[]>>>;

/** VRMC_vrm-1.0, expressions.md. */
const vrm1: ShapeNames = Object.fromEntries(VRM_PRESETS.map((preset) => [presetToShape(preset), [preset]]));

/** VRM 0.x, vrm.blendshape.group.schema.json, `presetName`; expressions.md of VRM 1.0 lists the correspondence. */
const vrm0: ShapeNames = {
  neutral: ['neutral'],
  aa: ['a'],
  ih: ['i'],
  ou: ['u'],
  ee: ['e'],
  oh: ['o'],
  blink: ['blink'],
  happy: ['joy'],
  angry: ['angry'],
  sad: ['sorrow'],
  relaxed: ['fun'],
  lookUp: ['lookup'],
  lookDown: ['lookdown'],
  lookLeft: ['lookleft'],
  lookRight: ['lookright'],
  eyeBlinkLeft: ['blink_l'],
  eyeBlinkRight: ['blink_r'],
};

/** ARKit, ARFaceAnchor.BlendShapeLocation. Also "perfect sync" VRMs, and CC3+ ExPlus of Reallusion, which prepends A01_ … A52_. */
const arkit: ShapeNames = Object.fromEntries(ARKIT_SHAPES.map((shape) => [shape, [shape]]));

/** Oculus OVRLipSync and Ready Player Me, including the additional shapes of the latter. */
const oculus: ShapeNames = {
  sil: ['viseme_sil', 'sil'],
  PP: ['viseme_PP', 'PP'],
  FF: ['viseme_FF', 'FF'],
  TH: ['viseme_TH', 'TH'],
  DD: ['viseme_DD', 'DD'],
  kk: ['viseme_kk', 'kk'],
  CH: ['viseme_CH', 'CH'],
  SS: ['viseme_SS', 'SS'],
  nn: ['viseme_nn', 'nn'],
  RR: ['viseme_RR', 'RR'],
  aa: ['viseme_aa'],
  ee: ['viseme_E'],
  ih: ['viseme_I'],
  oh: ['viseme_O'],
  ou: ['viseme_U'],
  blink: ['eyesClosed'],
  jawOpen: ['mouthOpen'],
  happy: ['mouthSmile'],
  lookUp: ['eyesLookUp'],
  lookDown: ['eyesLookDown'],
};

/** VRChat's avatar descriptor, with the names of its community tools. */
const vrchat: ShapeNames = {
  sil: ['vrc.v_sil'],
  PP: ['vrc.v_pp'],
  FF: ['vrc.v_ff'],
  TH: ['vrc.v_th'],
  DD: ['vrc.v_dd'],
  kk: ['vrc.v_kk'],
  CH: ['vrc.v_ch'],
  SS: ['vrc.v_ss'],
  nn: ['vrc.v_nn'],
  RR: ['vrc.v_rr'],
  aa: ['vrc.v_aa'],
  ee: ['vrc.v_e', 'vrc.v_ee'],
  ih: ['vrc.v_ih'],
  oh: ['vrc.v_oh'],
  ou: ['vrc.v_ou'],
  blink: ['vrc.blink'],
  eyeBlinkLeft: ['vrc.blink_left'],
  eyeBlinkRight: ['vrc.blink_right'],
};

/** VRoid Studio: morph targets of the face mesh. */
const vroid: ShapeNames = {
  neutral: ['Fcl_ALL_Neutral'],
  happy: ['Fcl_ALL_Joy'],
  angry: ['Fcl_ALL_Angry'],
  sad: ['Fcl_ALL_Sorrow'],
  relaxed: ['Fcl_ALL_Fun'],
  surprised: ['Fcl_ALL_Surprised'],
  blink: ['Fcl_EYE_Close'],
  eyeBlinkLeft: ['Fcl_EYE_Close_L'],
  eyeBlinkRight: ['Fcl_EYE_Close_R'],
  aa: ['Fcl_MTH_A'],
  ih: ['Fcl_MTH_I'],
  ou: ['Fcl_MTH_U'],
  ee: ['Fcl_MTH_E'],
  oh: ['Fcl_MTH_O'],
};

/** Reallusion Character Creator 4, the extended profile and its visemes; without names that `nameKey` maps to ARKit's. */
const characterCreator: ShapeNames = {
  browDownLeft: ['Brow_Drop_L'],
  browDownRight: ['Brow_Drop_R'],
  browInnerUp: [['Brow_Raise_Inner_L', 'Brow_Raise_Inner_R']],
  browOuterUpLeft: ['Brow_Raise_Outer_L'],
  browOuterUpRight: ['Brow_Raise_Outer_R'],
  cheekPuff: [['Cheek_Puff_L', 'Cheek_Puff_R']],
  cheekSquintLeft: ['Cheek_Raise_L'],
  cheekSquintRight: ['Cheek_Raise_R'],
  eyeLookDownLeft: ['Eye_L_Look_Down'],
  eyeLookDownRight: ['Eye_R_Look_Down'],
  eyeLookInLeft: ['Eye_L_Look_R'],
  eyeLookInRight: ['Eye_R_Look_L'],
  eyeLookOutLeft: ['Eye_L_Look_L'],
  eyeLookOutRight: ['Eye_R_Look_R'],
  eyeLookUpLeft: ['Eye_L_Look_Up'],
  eyeLookUpRight: ['Eye_R_Look_Up'],
  mouthFunnel: [['Mouth_Funnel_Up_L', 'Mouth_Funnel_Up_R', 'Mouth_Funnel_Down_L', 'Mouth_Funnel_Down_R']],
  mouthLowerDownLeft: ['Mouth_Down_Lower_L'],
  mouthLowerDownRight: ['Mouth_Down_Lower_R'],
  mouthPucker: [['Mouth_Pucker_Up_L', 'Mouth_Pucker_Up_R', 'Mouth_Pucker_Down_L', 'Mouth_Pucker_Down_R']],
  mouthRollLower: [['Mouth_Roll_In_Lower_L', 'Mouth_Roll_In_Lower_R']],
  mouthRollUpper: [['Mouth_Roll_In_Upper_L', 'Mouth_Roll_In_Upper_R']],
  mouthUpperUpLeft: ['Mouth_Up_Upper_L'],
  mouthUpperUpRight: ['Mouth_Up_Upper_R'],
  aa: ['V_Open'],
  ee: ['V_Wide'],
  oh: ['V_Tight_O'],
  PP: ['V_Explosive'],
  FF: ['V_Dental_Lip'],
  CH: ['V_Affricate'],
};

/** Mixamo: the blend shapes of its Fuse characters and of Face Plus. */
const mixamo: ShapeNames = {
  eyeBlinkLeft: ['Blink_Left'],
  eyeBlinkRight: ['Blink_Right'],
  browDownLeft: ['BrowsDown_Left'],
  browDownRight: ['BrowsDown_Right'],
  browOuterUpLeft: ['BrowsUp_Left'],
  browOuterUpRight: ['BrowsUp_Right'],
  cheekPuff: [['CheekPuff_Left', 'CheekPuff_Right']],
  eyeSquintLeft: ['Squint_Left'],
  eyeSquintRight: ['Squint_Right'],
  eyeWideLeft: ['EyesWide_Left'],
  eyeWideRight: ['EyesWide_Right'],
  jawForward: ['JawForeward'],
  jawOpen: ['MouthOpen'],
  mouthFrownLeft: ['Frown_Left'],
  mouthFrownRight: ['Frown_Right'],
  mouthFunnel: [['MouthWhistle_NarrowAdjust_Left', 'MouthWhistle_NarrowAdjust_Right']],
  mouthLeft: ['Midmouth_Left'],
  mouthRight: ['Midmouth_Right'],
  mouthLowerDownLeft: ['LowerLipDown_Left'],
  mouthLowerDownRight: ['LowerLipDown_Right'],
  mouthPucker: [['MouthNarrow_Left', 'MouthNarrow_Right']],
  mouthRollLower: ['LowerLipIn'],
  mouthRollUpper: ['UpperLipIn'],
  mouthSmileLeft: ['Smile_Left'],
  mouthSmileRight: ['Smile_Right'],
  mouthUpperUpLeft: ['UpperLipUp_Left'],
  mouthUpperUpRight: ['UpperLipUp_Right'],
  noseSneerLeft: ['NoseScrunch_Left'],
  noseSneerRight: ['NoseScrunch_Right'],
};

/** MikuMikuDance: morphs of nearly every model. */
const mmd: ShapeNames = {
  aa: ['あ'],
  ih: ['い'],
  ou: ['う'],
  ee: ['え'],
  oh: ['お'],
  blink: ['まばたき'],
  eyeBlinkLeft: ['ウィンク２', 'ウィンク'],
  eyeBlinkRight: ['ウィンク２右', 'ウィンク右'],
  happy: ['笑い'],
  angry: ['怒り'],
  sad: ['困る'],
  surprised: ['びっくり'],
};

/** Common English words, outside any convention. */
const words: ShapeNames = {
  aa: ['ah'],
  ou: ['uu', 'oo'],
  happy: ['smile', 'happiness'],
  angry: ['anger', 'mad'],
  sad: ['sadness'],
  surprised: ['surprise', 'shocked'],
  blink: ['eyesClose', 'closeEyes', 'eyeClose', 'eyeBlink'],
  eyeBlinkLeft: ['wink_left', 'eyeClose_left', 'leftBlink'],
  eyeBlinkRight: ['wink_right', 'eyeClose_right', 'rightBlink'],
};

const CONVENTIONS = {
  vrm1,
  vrm0,
  arkit,
  oculus,
  vrchat,
  vroid,
  characterCreator,
  mixamo,
  mmd,
  words,
} as const satisfies Record<string, ShapeNames>;
/**
 * Key of a naming convention.
 *
 * @useDeclaredType
 */
export type FaceConvention = keyof typeof CONVENTIONS;

export const FACE_CONVENTIONS: Readonly<Record<FaceConvention, ShapeNames>> = CONVENTIONS;
