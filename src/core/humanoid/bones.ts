/** The 55 humanoid bones, their hierarchy and their mirrors. Names of EXT_skeleton_humanoid, identical to VRM 1.0. */

/** A side of a humanoid, as seen by itself; bone names begin with it. */
export type Side = 'left' | 'right';
export const SIDES: readonly Side[] = ['left', 'right'];
/** The fingers of a hand beside its thumb, from the index finger outwards. */
export const FINGERS = ['Index', 'Middle', 'Ring', 'Little'] as const;
export type Finger = (typeof FINGERS)[number];
/** The bones of a finger, from the knuckle to the tip: `left` + `Index` + `Proximal`. */
export const FINGER_SEGMENTS = ['Proximal', 'Intermediate', 'Distal'] as const;
/** The bones of a thumb, from the wrist to the tip: `left` + `Thumb` + `Metacarpal`. */
export const THUMB_SEGMENTS = ['Metacarpal', 'Proximal', 'Distal'] as const;

/** Names of the 55 bones, parents before children. A bone is passed around as its index in this list. */
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

/** Name of one of the 55 bones. */
export type BoneName = (typeof BONES)[number];

/** Number of bones: 55. */
export const BONE_COUNT: number = BONES.length;

/** Index of every bone by name: `BONE.hips` is 0. */
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
  const finger = FINGERS.find((name) => part.startsWith(name));
  if (part === `${finger}Proximal`) return sided('Hand');
  if (part === `${finger}Intermediate`) return sided(`${finger}Proximal`);
  return sided(`${finger}Intermediate`);
}

/** Parent bone of every bone in the full hierarchy; −1 for hips. */
export const BONE_PARENTS: Int8Array = Int8Array.from(BONES, (name) => {
  const parent = parentName(name);
  return parent === null ? -1 : BONE[parent];
});

/** The bone on the other side, for every bone; center bones mirror to themselves. */
export const BONE_MIRRORS: Int8Array = Int8Array.from(BONES, (name) => {
  if (name.startsWith('left')) return BONE[`right${name.slice(4)}` as BoneName];
  if (name.startsWith('right')) return BONE[`left${name.slice(5)}` as BoneName];
  return BONE[name];
});

/** The 15 bones that every humanoid has (VRM 1.0, humanoid.md). */
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

const FINGER_BONE = new RegExp(['Thumb', ...FINGERS].join('|'));

export function isFingerBone(name: string): boolean {
  return FINGER_BONE.test(name);
}

/** Checks whether a name is one of the 55 bones. Safe for names read from files (`__proto__`, `constructor`). */
export function isBoneName(name: string): name is BoneName {
  return Object.hasOwn(BONE, name);
}

/** Finds the nearest ancestor of a bone that is present in a bone table. */
export function presentParent(bone: number, nodes: ArrayLike<number>): number {
  let parent = BONE_PARENTS[bone];
  while (parent >= 0 && nodes[parent] < 0) parent = BONE_PARENTS[parent];
  return parent;
}
