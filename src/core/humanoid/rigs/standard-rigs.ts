/**
 * The standard rigs as tables: names, hierarchy, axes and rest pose of each, without lengths. Lengths come from a body (see body-proportions.ts).
 *
 * Angles and directions of `mixamo` were measured on the skeleton that mixamo.com delivers for its X Bot, those of `ue5` on the reference pose of Manny
 * (SKM_Manny) of Unreal Engine 5; shares are the proportions of the same skeletons. The other rigs rest in the T-pose with the axes of the world.
 */
import { BONE_PARENTS, BONES } from '../bones.ts';
import { expandConvention } from '../mapping/by-name/convention-names.ts';
import type { ConventionName } from '../mapping/by-name/conventions.ts';
import type { StandardRigName } from './rig-names.ts';

/**
 * A joint of a rig.
 *
 * - `name`: with a side sign (`@` Left Right, `&` left right, `^` l r) it stands for two joints.
 * - `parent`: name of the parent; '' for the root.
 * - `place`: where it is in the body. `head`: at a bone; `UpperArm`: at the bone of its side; `chest 0.5`: between the next bone above and the bone, at that
 *   share of the way; `head +2`: beyond the bone, by that multiple of the way to it; `=foot_^`: at another joint, with its axes; '' at its parent.
 * - `turn`: rotation relative to the parent, degrees about its fixed axes x, y and z in this order; none by default.
 * - `toward`: direction from the parent, in the axes of the parent; by default `along` of the rig.
 *
 * Turn and direction are those of the left side; the right side follows from `mirror`.
 */
export type RigJoint = readonly [name: string, parent: string, place: string, turn?: string, toward?: string];

export interface RigTable {
  readonly convention: ConventionName;
  /**
   * The joints in the order of the rig, in groups: a group with side signs is listed for the left side, then for the right.
   * Parents come before children.
   */
  readonly joints: readonly (readonly RigJoint[])[];
  /**
   * The axis that points from a joint to its child, as `toward`; null where all joints have the axes of the world, and directions are those of the
   * body.
   */
  readonly along: string | null;
  /**
   * Axes of the right side: mirror images of the left ones in which x keeps its handedness (`reflected`), or pointing the opposite way (`opposite`), so
   * that the same angles make the same movement.
   */
  readonly mirror: 'reflected' | 'opposite';
}

/** Lists joints of two sides that alternate: left, right, left, right. */
function alternating(joints: readonly RigJoint[]): RigJoint[][] {
  return joints.map((joint) => [joint]);
}

/** Finger joints of a side: `index` of SMPL-X is `left_index1` to `left_index3`. */
function smplFinger(word: string, bones: readonly string[]): RigJoint[] {
  return bones.map((bone, k) => [`&_${word}${k + 1}`, k === 0 ? '&_wrist' : `&_${word}${k}`, bone]);
}

/** The bones of a finger beside the thumb. */
function fingerBones(finger: string): string[] {
  return [`${finger}Proximal`, `${finger}Intermediate`, `${finger}Distal`];
}
const THUMB_BONES = ['ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'];

/** A finger of SOMA beside the thumb: a metacarpal, the bones and an end. */
function somaFinger(word: string, finger: string, metacarpal: number): RigJoint[] {
  const name = `@Hand${word}`;
  return [
    [`${name}1`, '@Hand', `${finger}Proximal ${metacarpal}`],
    ...fingerBones(finger).map((bone, k): RigJoint => [`${name}${k + 2}`, `${name}${k + 1}`, bone]),
    [`${name}End`, `${name}4`, `${finger}Distal +1`],
  ];
}

/** A finger of Mixamo: the bones and an end; `toward` from the hand, `turns` of its joints. */
function mixamoFinger(
  word: string,
  bones: readonly string[],
  toward: string,
  turns: readonly string[] = ['', '', '', ''],
): RigJoint[] {
  const name = `mixamorig:@Hand${word}`;
  return [
    [`${name}1`, 'mixamorig:@Hand', bones[0], turns[0], toward],
    [`${name}2`, `${name}1`, bones[1], turns[1]],
    [`${name}3`, `${name}2`, bones[2], turns[2]],
    [`${name}4`, `${name}3`, `${bones[2]} +0.95`, turns[3]],
  ];
}

/** A finger of Manny beside the thumb: a metacarpal and the bones, with the bend of the relaxed hand. */
function mannyFinger(
  word: string,
  finger: string,
  metacarpal: readonly [share: number, turn: string, toward: string],
  turns: readonly [string, string, string],
  toward = '',
): RigJoint[] {
  const [share, turn, direction] = metacarpal;
  const [first, second, third] = fingerBones(finger);
  return [
    [`${word}_metacarpal_^`, 'hand_^', `${first} ${share}`, turn, direction],
    [`${word}_01_^`, `${word}_metacarpal_^`, first, turns[0], toward],
    [`${word}_02_^`, `${word}_01_^`, second, turns[1]],
    [`${word}_03_^`, `${word}_02_^`, third, turns[2]],
  ];
}

/** A joint for each of the 55 bones, with the names of a convention. */
function boneJoints(convention: ConventionName, root: string): RigJoint[] {
  const names = expandConvention(convention);
  const nameOf = (bone: number): string => names[BONES[bone]]?.[0] ?? BONES[bone];
  return BONES.map((bone, index) => {
    const parent = BONE_PARENTS[index];
    return [nameOf(index), parent < 0 ? root : nameOf(parent), bone];
  });
}

const MIXAMO: RigTable = {
  convention: 'mixamo',
  along: '0 1 0',
  mirror: 'reflected',
  joints: [
    [
      ['mixamorig:Hips', '', 'hips', '0.74 0 0'],
      ['mixamorig:Spine', 'mixamorig:Hips', 'spine', '-9.195 0 0'],
      ['mixamorig:Spine1', 'mixamorig:Spine', 'chest'],
      ['mixamorig:Spine2', 'mixamorig:Spine1', 'upperChest', '1.477 0 0'],
      ['mixamorig:Neck', 'mixamorig:Spine2', 'neck'],
      ['mixamorig:Head', 'mixamorig:Neck', 'head', '', '0 0.957 0.291'],
      ['mixamorig:HeadTop_End', 'mixamorig:Head', 'head +2.3', '', '0 0.9 0.435'],
    ],
    [
      ['mixamorig:@Shoulder', 'mixamorig:Spine2', 'Shoulder', '-119.984 75.948 147.908', '0.377 0.924 -0.067'],
      ['mixamorig:@Arm', 'mixamorig:@Shoulder', 'UpperArm', '-2.835 0 11.886'],
      ['mixamorig:@ForeArm', 'mixamorig:@Arm', 'LowerArm'],
      ['mixamorig:@Hand', 'mixamorig:@ForeArm', 'Hand'],
      ...mixamoFinger('Thumb', THUMB_BONES, '-0.676 0.621 0.397', [
        '27.321 -12.997 23.373',
        '0 0.119 0',
        '0 0.085 0',
        '1.207 14.056 4.96',
      ]),
      ...mixamoFinger('Index', fingerBones('Index'), '-0.24 0.969 0.055'),
      ...mixamoFinger('Middle', fingerBones('Middle'), '0 1 0'),
      ...mixamoFinger('Ring', fingerBones('Ring'), '0.201 0.98 0.005'),
      ...mixamoFinger('Pinky', fingerBones('Little'), '0.426 0.903 0.054'),
    ],
    [
      ['mixamorig:@UpLeg', 'mixamorig:Hips', 'UpperLeg', '1.188 0 180', '0.764 -0.63 -0.141'],
      ['mixamorig:@Leg', 'mixamorig:@UpLeg', 'LowerLeg', '-4.368 0 0'],
      ['mixamorig:@Foot', 'mixamorig:@Leg', 'Foot', '54.742 0 0'],
      ['mixamorig:@ToeBase', 'mixamorig:@Foot', 'Toes', '39.174 0 0'],
      ['mixamorig:@Toe_End', 'mixamorig:@ToeBase', 'Toes +0.67'],
    ],
  ],
};

const MANNY: RigTable = {
  convention: 'unreal_ue5_manny_metahuman',
  along: '1 0 0',
  mirror: 'opposite',
  joints: [
    [
      // Unreal has z up. The root carries that, so all other joints have the numbers that Unreal shows.
      ['root', '', '', '-90 0 0'],
      ['pelvis', 'root', 'hips', '-90 -86.367 90'],
      ['spine_01', 'pelvis', 'spine', '0 0 -14.457'],
      ['spine_02', 'spine_01', 'chest 0.484', '0 0 3.464'],
      ['spine_03', 'spine_02', 'chest', '0 0 10.946'],
      ['spine_04', 'spine_03', 'upperChest 0.305', '0 0 5.867'],
      ['spine_05', 'spine_04', 'upperChest', '0 0 0.681'],
      ['neck_01', 'spine_05', 'neck', '0 0 -23.928'],
      ['neck_02', 'neck_01', 'head 0.51', '0 0 1.914'],
      ['head', 'neck_02', 'head', '0 0 11.88'],
    ],
    [
      ['clavicle_^', 'spine_05', 'Shoulder', '163.264 80.831 153.124', '5.516 1.315 -1.428'],
      ['upperarm_^', 'clavicle_^', 'UpperArm', '-4.337 46.03 -4.359'],
      ['lowerarm_^', 'upperarm_^', 'LowerArm', '0 0 -38.979'],
      ['lowerarm_twist_02_^', 'lowerarm_^', 'Hand 0.333', '1.286 -1.728 1.986'],
      ['lowerarm_twist_01_^', 'lowerarm_^', 'Hand 0.667', '1.286 -1.728 1.986'],
      ['hand_^', 'lowerarm_^', 'Hand', '-67.771 1.473 1.849'],
      ...mannyFinger(
        'index',
        'Index',
        [0.417, '3.288 7.326 -0.606', '3.445 -0.385 -2.379'],
        ['0 0 23.373', '0 0 14.893', '0 0 12.516'],
        '5.877 0.043 0.241',
      ),
      ...mannyFinger(
        'middle',
        'Middle',
        [0.362, '-4.273 -0.131 -2.318', '3.376 -0.754 -0.183'],
        ['0 0 31.573', '0 0 20.769', '0 0 10'],
      ),
      ['thumb_01_^', 'hand_^', 'ThumbMetacarpal', '73.564 39.904 20.509', '1.992 1.357 -2.582'],
      ['thumb_02_^', 'thumb_01_^', 'ThumbProximal', '3.531 -1.932 23.246'],
      ['thumb_03_^', 'thumb_02_^', 'ThumbDistal', '0 0 10'],
      ...mannyFinger(
        'pinky',
        'Little',
        [0.452, '-27.769 -19.528 11.851', '3.314 -0.306 2.391'],
        ['10.492 0.605 14.834', '0 0 21.287', '0 0 4.917'],
        '4.958 -0.143 -0.199',
      ),
      ...mannyFinger(
        'ring',
        'Ring',
        [0.389, '-13.3 -11.809 -1.595', '3.374 -0.543 1.092'],
        ['6.396 -0.117 29.414', '0 0 18.964', '0 0 9.168'],
        '5.646 -0.042 -0.021',
      ),
      ['upperarm_twist_01_^', 'upperarm_^', 'LowerArm 0.333', '0 -2.153 -0.327'],
      ['upperarm_twist_02_^', 'upperarm_^', 'LowerArm 0.667'],
    ],
    [
      ['thigh_^', 'pelvis', 'UpperLeg', '8.409 -3.126 -3.56', '-2.366 -0.11 -9.969'],
      ['calf_^', 'thigh_^', 'LowerLeg', '0 0 -5.005', '-1 0 0'],
      ['foot_^', 'calf_^', 'Foot', '-0.005 3.081 2.664', '-1 0 0'],
      ['ball_^', 'foot_^', 'Toes', '0 0 -90', '-7.009 -15.238 0.539'],
      ['calf_twist_02_^', 'calf_^', 'Foot 0.333', '-0.005 0.258 2.664', '-1 0 0'],
      ['calf_twist_01_^', 'calf_^', 'Foot 0.667', '-0.005 0.258 2.664', '-1 0 0'],
      ['thigh_twist_01_^', 'thigh_^', 'LowerLeg 0.333', '0 0.258 -1.307', '-1 0 0'],
      ['thigh_twist_02_^', 'thigh_^', 'LowerLeg 0.667', '0 0.258 -1.307', '-1 0 0'],
    ],
    [['ik_foot_root', 'root', '']],
    [['ik_foot_^', 'ik_foot_root', '=foot_^']],
    [
      ['ik_hand_root', 'root', ''],
      ['ik_hand_gun', 'ik_hand_root', '=hand_r'],
    ],
    [['ik_hand_^', 'ik_hand_gun', '=hand_^']],
    [
      ['interaction', 'root', ''],
      ['center_of_mass', 'root', ''],
    ],
  ],
};

const SMPL_X: RigTable = {
  convention: 'smplx',
  along: null,
  mirror: 'reflected',
  joints: [
    [['pelvis', '', 'hips']],
    [['&_hip', 'pelvis', 'UpperLeg']],
    [['spine1', 'pelvis', 'spine']],
    [['&_knee', '&_hip', 'LowerLeg']],
    [['spine2', 'spine1', 'chest']],
    [['&_ankle', '&_knee', 'Foot']],
    [['spine3', 'spine2', 'upperChest']],
    [['&_foot', '&_ankle', 'Toes']],
    [['neck', 'spine3', 'neck']],
    [['&_collar', 'spine3', 'Shoulder']],
    [['head', 'neck', 'head']],
    ...alternating([
      ['&_shoulder', '&_collar', 'UpperArm'],
      ['&_elbow', '&_shoulder', 'LowerArm'],
      ['&_wrist', '&_elbow', 'Hand'],
    ]),
    [['jaw', 'head', 'jaw']],
    [['&_eye_smplhf', 'head', 'Eye']],
    [
      ...smplFinger('index', fingerBones('Index')),
      ...smplFinger('middle', fingerBones('Middle')),
      ...smplFinger('pinky', fingerBones('Little')),
      ...smplFinger('ring', fingerBones('Ring')),
      ...smplFinger('thumb', THUMB_BONES),
    ],
  ],
};

const SOMA_77: RigTable = {
  convention: 'nvidia_soma',
  along: null,
  mirror: 'reflected',
  joints: [
    [
      ['Root', '', ''],
      ['Hips', 'Root', 'hips'],
      ['Spine1', 'Hips', 'spine'],
      ['Spine2', 'Spine1', 'chest'],
      ['Chest', 'Spine2', 'upperChest'],
      ['Neck1', 'Chest', 'neck'],
      ['Neck2', 'Neck1', 'head 0.56'],
      ['Head', 'Neck2', 'head'],
      ['HeadEnd', 'Head', 'head +1.7'],
      ['Jaw', 'Head', 'jaw'],
    ],
    [['@Eye', 'Head', 'Eye']],
    [
      ['@Shoulder', 'Chest', 'Shoulder'],
      ['@Arm', '@Shoulder', 'UpperArm'],
      ['@ForeArm', '@Arm', 'LowerArm'],
      ['@Hand', '@ForeArm', 'Hand'],
      ['@HandThumb1', '@Hand', 'ThumbMetacarpal'],
      ['@HandThumb2', '@HandThumb1', 'ThumbProximal'],
      ['@HandThumb3', '@HandThumb2', 'ThumbDistal'],
      ['@HandThumbEnd', '@HandThumb3', 'ThumbDistal +1'],
      ...somaFinger('Index', 'Index', 0.39),
      ...somaFinger('Middle', 'Middle', 0.34),
      ...somaFinger('Ring', 'Ring', 0.33),
      ...somaFinger('Pinky', 'Little', 0.36),
    ],
    [
      ['@Leg', 'Hips', 'UpperLeg'],
      ['@Shin', '@Leg', 'LowerLeg'],
      ['@Foot', '@Shin', 'Foot'],
      ['@ToeBase', '@Foot', 'Toes'],
      ['@ToeEnd', '@ToeBase', 'Toes +0.5'],
    ],
  ],
};

export const STANDARD_RIGS = {
  mixamo: MIXAMO,
  ue5: MANNY,
  // Unity drops a single root node on import, which must not be the hips.
  unity: {
    convention: 'unity_human_body_bones',
    along: null,
    mirror: 'reflected',
    joints: [[['Root', '', '']], boneJoints('unity_human_body_bones', 'Root')],
  },
  vrm: { convention: 'vrm1', along: null, mirror: 'reflected', joints: [boneJoints('vrm1', '')] },
  smplx: SMPL_X,
  soma: SOMA_77,
} as const satisfies Readonly<Record<StandardRigName, RigTable>>;
