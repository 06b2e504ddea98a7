/** Joint lists that are published with data sets and detectors: the names of the points in their order. */
import { SIDES } from '../humanoid/bones.ts';
import { bodyPositions } from '../humanoid/rigs/body-proportions.ts';
import { createRigSkeleton } from '../humanoid/rigs/create-rig-skeleton.ts';

/** SMPL: the body joints that all of its family begin with. */
const SMPL_BODY = [
  ...['pelvis', 'left_hip', 'right_hip', 'spine1', 'left_knee', 'right_knee', 'spine2', 'left_ankle', 'right_ankle'],
  ...['spine3', 'left_foot', 'right_foot', 'neck', 'left_collar', 'right_collar', 'head', 'left_shoulder'],
  ...['right_shoulder', 'left_elbow', 'right_elbow', 'left_wrist', 'right_wrist'],
];
const SMPL_HANDS = SIDES.flatMap((side) =>
  ['index', 'middle', 'pinky', 'ring', 'thumb'].flatMap((finger) => [1, 2, 3].map((k) => `${side}_${finger}${k}`)),
);

const FACE = ['nose', 'left_eye', 'right_eye', 'left_ear', 'right_ear'];
const LIMBS = ['shoulder', 'elbow', 'wrist', 'hip', 'knee', 'ankle'].flatMap((joint) =>
  SIDES.map((side) => `${side}_${joint}`),
);

const somaHand = (side: string): string[] => [
  ...['Thumb1', 'Thumb2', 'Thumb3', 'ThumbEnd'].map((joint) => `${side}Hand${joint}`),
  ...['Index', 'Middle', 'Ring', 'Pinky'].flatMap((finger) =>
    ['1', '2', '3', '4', 'End'].map((joint) => `${side}Hand${finger}${joint}`),
  ),
];
const SOMA_TRUNK = ['Hips', 'Spine1', 'Spine2', 'Chest', 'Neck1', 'Neck2', 'Head'];
const somaArm = (side: string): string[] => ['Shoulder', 'Arm', 'ForeArm', 'Hand'].map((joint) => `${side}${joint}`);
const somaLeg = (side: string): string[] => ['Leg', 'Shin', 'Foot', 'ToeBase'].map((joint) => `${side}${joint}`);

/**
 * The joint lists by name. `smpl22` are the joints of HumanML3D and of most text-to-motion models, `h36m17` those of lifting from 2D to 3D, `mediapipe33` the pose
 * landmarks of MediaPipe.
 */
export const JOINT_SETS = {
  smpl22: SMPL_BODY,
  smpl24: [...SMPL_BODY, 'left_hand', 'right_hand'],
  smplx55: [...SMPL_BODY, 'jaw', 'left_eye_smplhf', 'right_eye_smplhf', ...SMPL_HANDS],
  h36m17: [
    ...['Hip', 'RHip', 'RKnee', 'RFoot', 'LHip', 'LKnee', 'LFoot', 'Spine', 'Thorax', 'Neck', 'Head'],
    ...['LShoulder', 'LElbow', 'LWrist', 'RShoulder', 'RElbow', 'RWrist'],
  ],
  coco17: [...FACE, ...LIMBS],
  halpe26: [
    ...[...FACE, ...LIMBS, 'Head', 'Neck', 'Hip'],
    ...['BigToe', 'SmallToe', 'Heel'].flatMap((point) => ['L', 'R'].map((side) => `${side}${point}`)),
  ],
  body25: [
    ...['Nose', 'Neck', 'RShoulder', 'RElbow', 'RWrist', 'LShoulder', 'LElbow', 'LWrist', 'MidHip', 'RHip', 'RKnee'],
    ...['RAnkle', 'LHip', 'LKnee', 'LAnkle', 'REye', 'LEye', 'REar', 'LEar', 'LBigToe', 'LSmallToe', 'LHeel'],
    ...['RBigToe', 'RSmallToe', 'RHeel'],
  ],
  mediapipe33: [
    ...['nose', 'left_eye_inner', 'left_eye', 'left_eye_outer', 'right_eye_inner', 'right_eye', 'right_eye_outer'],
    ...['left_ear', 'right_ear', 'mouth_left', 'mouth_right'],
    ...['shoulder', 'elbow', 'wrist', 'pinky', 'index', 'thumb', 'hip', 'knee', 'ankle', 'heel', 'foot_index'].flatMap(
      (joint) => SIDES.map((side) => `${side}_${joint}`),
    ),
  ],
  soma30: [
    ...[...SOMA_TRUNK, 'Jaw', 'LeftEye', 'RightEye'],
    ...['Left', 'Right'].flatMap((side) => [...somaArm(side), `${side}HandThumbEnd`, `${side}HandMiddleEnd`]),
    ...['Left', 'Right'].flatMap(somaLeg),
  ],
  soma77: [
    ...[...SOMA_TRUNK, 'HeadEnd', 'Jaw', 'LeftEye', 'RightEye'],
    ...['Left', 'Right'].flatMap((side) => [...somaArm(side), ...somaHand(side)]),
    ...['Left', 'Right'].flatMap((side) => [...somaLeg(side), `${side}ToeEnd`]),
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Name of a known joint list. */
export type JointSet = keyof typeof JOINT_SETS;

/**
 * The parents of a joint list whose names need them: of SOMA, the nearest joint above that the list has. Returns parent of each joint, −1 for a
 * root; null for other lists, whose names say enough.
 */
export function parentsOf(set: JointSet): Int32Array | null {
  if (set !== 'soma30' && set !== 'soma77') return null;
  const names: readonly string[] = JOINT_SETS[set];
  const rig = createRigSkeleton('soma', bodyPositions(null));
  return Int32Array.from(names, (name) => {
    let node = rig.names.indexOf(name);
    do node = rig.parents[node];
    while (node >= 0 && !names.includes(rig.names[node]));
    return node < 0 ? -1 : names.indexOf(rig.names[node]);
  });
}
