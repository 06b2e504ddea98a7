/**
 * The 55 humanoid bones, their tree and their roles. Vocabulary of EXT_skeleton_humanoid, identical to VRM 1.0.
 * Order: parents before children, so one loop forward suffices.
 */
const FINGER_NAMES = ['Index', 'Middle', 'Ring', 'Little'] as const;

export const BONES = [
  'hips',
  'spine',
  'chest',
  'upperChest',
  'neck',
  'head',
  'leftEye',
  'rightEye',
  'jaw',
  'leftShoulder',
  'leftUpperArm',
  'leftLowerArm',
  'leftHand',
  'leftUpperLeg',
  'leftLowerLeg',
  'leftFoot',
  'leftToes',
  'leftThumbMetacarpal',
  'leftThumbProximal',
  'leftThumbDistal',
  'leftIndexProximal',
  'leftIndexIntermediate',
  'leftIndexDistal',
  'leftMiddleProximal',
  'leftMiddleIntermediate',
  'leftMiddleDistal',
  'leftRingProximal',
  'leftRingIntermediate',
  'leftRingDistal',
  'leftLittleProximal',
  'leftLittleIntermediate',
  'leftLittleDistal',
  'rightShoulder',
  'rightUpperArm',
  'rightLowerArm',
  'rightHand',
  'rightUpperLeg',
  'rightLowerLeg',
  'rightFoot',
  'rightToes',
  'rightThumbMetacarpal',
  'rightThumbProximal',
  'rightThumbDistal',
  'rightIndexProximal',
  'rightIndexIntermediate',
  'rightIndexDistal',
  'rightMiddleProximal',
  'rightMiddleIntermediate',
  'rightMiddleDistal',
  'rightRingProximal',
  'rightRingIntermediate',
  'rightRingDistal',
  'rightLittleProximal',
  'rightLittleIntermediate',
  'rightLittleDistal',
] as const;

export type BoneName = (typeof BONES)[number];

export const BONE_COUNT: number = BONES.length;

/** Index of every bone by its name: `BONE.hips` is 0. */
export const BONE: Readonly<Record<BoneName, number>> = Object.freeze(
  Object.fromEntries(BONES.map((name, bone) => [name, bone])) as Record<BoneName, number>,
);

function parentName(bone: BoneName): BoneName | null {
  const side = bone.startsWith('left') ? 'left' : bone.startsWith('right') ? 'right' : '';
  const part = bone.slice(side.length);
  const sided = (name: string): BoneName => `${side}${name}` as BoneName;
  switch (part) {
    case 'hips':
      return null;
    case 'spine':
    case 'UpperLeg':
      return 'hips';
    case 'chest':
      return 'spine';
    case 'upperChest':
      return 'chest';
    case 'neck':
    case 'Shoulder':
      return 'upperChest';
    case 'head':
      return 'neck';
    case 'Eye':
    case 'jaw':
      return 'head';
    case 'UpperArm':
      return sided('Shoulder');
    case 'LowerArm':
      return sided('UpperArm');
    case 'Hand':
      return sided('LowerArm');
    case 'LowerLeg':
      return sided('UpperLeg');
    case 'Foot':
      return sided('LowerLeg');
    case 'Toes':
      return sided('Foot');
    case 'ThumbMetacarpal':
      return sided('Hand');
    case 'ThumbProximal':
      return sided('ThumbMetacarpal');
    case 'ThumbDistal':
      return sided('ThumbProximal');
  }
  const finger = FINGER_NAMES.find((name) => part.startsWith(name));
  if (part === `${finger}Proximal`) return sided('Hand');
  if (part === `${finger}Intermediate`) return sided(`${finger}Proximal`);
  return sided(`${finger}Intermediate`);
}

/** Parent bone in the full tree, −1 for hips. */
export const BONE_PARENTS: Int8Array = Int8Array.from(BONES, (name) => {
  const parent = parentName(name);
  return parent === null ? -1 : BONE[parent];
});

/** The bone on the other side; a bone of the middle is its own mirror. */
export const BONE_MIRRORS: Int8Array = Int8Array.from(BONES, (name) => {
  if (name.startsWith('left')) return BONE[`right${name.slice(4)}` as BoneName];
  if (name.startsWith('right')) return BONE[`left${name.slice(5)}` as BoneName];
  return BONE[name];
});

/** The 15 bones without which nothing is a humanoid (VRM 1.0, humanoid.md). */
export const REQUIRED_BONES: readonly BoneName[] = [
  'hips',
  'spine',
  'head',
  'leftUpperArm',
  'leftLowerArm',
  'leftHand',
  'rightUpperArm',
  'rightLowerArm',
  'rightHand',
  'leftUpperLeg',
  'leftLowerLeg',
  'leftFoot',
  'rightUpperLeg',
  'rightLowerLeg',
  'rightFoot',
];

/** True for one of the 55 names; safe for names out of files (`__proto__`, `constructor`). */
export function isBoneName(name: string): name is BoneName {
  return Object.hasOwn(BONE, name);
}

/** The nearest ancestor of a bone, in the full tree, that is present in a bone → node table; −1 when none is. */
export function presentParent(bone: number, nodes: ArrayLike<number>): number {
  let parent = BONE_PARENTS[bone];
  while (parent >= 0 && nodes[parent] < 0) parent = BONE_PARENTS[parent];
  return parent;
}
