/** Finds the role of each named point: by the words of landmarks, else by the names of rigs that the bone mapper knows. */
import {
  BONE_COUNT,
  FINGER_SEGMENTS,
  isBoneName,
  isFingerBone,
  SIDES,
  type Side,
  THUMB_SEGMENTS,
} from '../humanoid/bones.ts';
import { mapBones } from '../humanoid/mapping/map-bones.ts';
import { POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { POINT_ROLES, ROLE, ROLE_COUNT } from './roles.ts';

/** Points of the middle by their words without spaces. */
const MIDDLE: Readonly<Record<string, string>> = {
  ...{ hip: 'hips', hips: 'hips', midhip: 'hips', hipcenter: 'hips', pelvis: 'hips', root: 'hips', chip: 'hips' },
  ...{ spine: 'spine', spine1: 'spine', torso: 'spine', belly: 'spine', naval: 'spine', spinenavel: 'spine' },
  ...{ spine2: 'chest', chest: 'chest', spinechest: 'chest', spine3: 'upperChest', upperchest: 'upperChest' },
  ...{ neck: 'neck', midshoulder: 'neck', shouldercenter: 'neck', cshoulder: 'neck' },
  ...{ head: 'head', headtop: 'headTop', topofhead: 'headTop', headend: 'headTop', nose: 'nose', jaw: 'jaw' },
};

/** Points of a side by their words without the side. */
const SIDED: Readonly<Record<string, string>> = {
  ...{ hip: 'UpperLeg', upleg: 'UpperLeg', upperleg: 'UpperLeg', thigh: 'UpperLeg' },
  ...{ knee: 'LowerLeg', lowerleg: 'LowerLeg', shin: 'LowerLeg', calf: 'LowerLeg' },
  ...{ ankle: 'Foot', heel: 'Heel', bigtoe: 'BigToe', smalltoe: 'SmallToe', littletoe: 'SmallToe' },
  ...{ toe: 'Toes', toes: 'Toes', toebase: 'Toes', toeend: 'ToeTip', toetip: 'ToeTip', footindex: 'ToeTip' },
  ...{ collar: 'Shoulder', clavicle: 'Shoulder' },
  ...{ shoulder: 'UpperArm', upperarm: 'UpperArm' },
  ...{ elbow: 'LowerArm', lowerarm: 'LowerArm', forearm: 'LowerArm', wrist: 'Hand' },
  ...{ ear: 'Ear', eye: 'FaceEye', eyesmplhf: 'FaceEye', mouth: 'Mouth' },
  ...{ pinky: 'LittleKnuckle', index: 'IndexKnuckle', thumb: 'ThumbKnuckle' },
};

/** Joints of fingers: `index2`, and the end after the last. */
const FINGER_WORDS: Readonly<Record<string, string>> = {
  ...{ thumb: 'Thumb', index: 'Index', middle: 'Middle', ring: 'Ring', pinky: 'Little', little: 'Little' },
};
const FINGER_JOINT = /^(thumb|index|middle|ring|pinky|little)([1234]|tip|end)$/;

/** Splits a name into its side and the words around it: `L_Wrist`, `LWrist`, `left_wrist`, `wrist.L`, `leftWrist`, `mouth_left`. */
function readName(name: string): { readonly side: Side | null; readonly word: string } {
  const words = name
    .replace(/^.*:/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/^([LRC])([A-Z][a-z])/, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && word !== 'joint');
  const at = words.findIndex((word) => /^(?:l|r|left|right)$/.test(word));
  if (at < 0) {
    const joined = words.join('');
    const lead = /^(left|right)(.+)$/.exec(joined);
    return lead === null ? { side: null, word: joined } : { side: lead[1] as Side, word: lead[2] };
  }
  const side = words[at].startsWith('l') ? 'left' : 'right';
  return { side, word: words.filter((_, k) => k !== at).join('') };
}

function fingerRole(side: Side, word: string): number {
  const [, finger, joint] = FINGER_JOINT.exec(word) ?? [];
  if (finger === undefined) return -1;
  const name = `${side}${FINGER_WORDS[finger]}`;
  const segments = finger === 'thumb' ? THUMB_SEGMENTS : FINGER_SEGMENTS;
  const segment = segments[Number(joint) - 1];
  return ROLE[segment === undefined ? `${name}Tip` : `${name}${segment}`];
}

/** Roles by the words of landmarks, −1 for others. */
function readLandmarks(names: readonly string[]): Int16Array {
  const read = names.map(readName);
  const has = (word: string, side: Side | null = null): boolean =>
    read.some((one) => one.word === word && one.side === side);
  const roles = new Int16Array(names.length).fill(-1);
  const isTaken = new Uint8Array(ROLE_COUNT);
  // Where a thorax is named, it is below the neck joint, and head is the top: Human3.6M. With a nose and without a jaw, head is the top as well.
  const hasThorax = has('thorax');
  const hasTop = hasThorax || (has('nose') && !has('jaw') && !has('spine1'));
  // Names of bones, as in VRM: their shoulder is the clavicle.
  const areBones = names.includes('leftUpperArm');
  for (const [point, { side, word }] of read.entries()) {
    let role = -1;
    if (areBones && isBoneName(names[point])) role = ROLE[names[point]];
    else if (side === null) {
      const known = Object.hasOwn(MIDDLE, word) ? MIDDLE[word] : word === 'thorax' ? 'neck' : '';
      const moved =
        hasThorax && known === 'neck' && word !== 'thorax' ? 'head' : hasTop && known === 'head' ? 'headTop' : known;
      role = ROLE[moved] ?? -1;
    } else if (word === 'foot') role = ROLE[`${side}${has('ankle', side) ? 'Toes' : 'Foot'}`];
    else if (word === 'hand') role = ROLE[`${side}${has('wrist', side) ? 'HandTip' : 'Hand'}`];
    else if (word === 'shoulder') role = ROLE[`${side}${has('upperarm', side) ? 'Shoulder' : 'UpperArm'}`];
    else role = (Object.hasOwn(SIDED, word) ? ROLE[`${side}${SIDED[word]}`] : undefined) ?? fingerRole(side, word);
    if (role < 0 || isTaken[role] === 1) continue;
    isTaken[role] = 1;
    roles[point] = role;
  }
  return roles;
}

/** The points without which there is no body: the trunk and the roots of the limbs, then the joints of the limbs. */
const ROOTS = SIDES.flatMap((side) => [ROLE[`${side}UpperArm`], ROLE[`${side}UpperLeg`]]);
const LIMBS = SIDES.flatMap((side) => ['LowerArm', 'Hand', 'LowerLeg', 'Foot'].map((part) => ROLE[`${side}${part}`]));

export function missingRoles(roles: ArrayLike<number>): string[] {
  const has = new Set(Array.from(roles));
  return ROOTS.filter((role) => !has.has(role)).map((role) => POINT_ROLES[role]);
}

function countLimbs(roles: Int16Array): number {
  return [...ROOTS, ...LIMBS].filter((role) => roles.includes(role)).length;
}

/** Role of a leaf below a bone; '' for none. */
function tipOf(bone: string, name: string): string {
  if (isFingerBone(bone)) return bone.replace(/(?:Distal|Intermediate|Proximal|Metacarpal)$/, 'Tip');
  if (bone.endsWith('Hand')) return bone.replace('Hand', /thumb/i.test(name) ? 'ThumbKnuckle' : 'HandTip');
  if (bone.endsWith('Toes')) return bone.replace('Toes', 'ToeTip');
  return bone === 'head' && /top|end|nub|tip|site/i.test(name) ? 'headTop' : '';
}

/** Roles by the bone mapper, and tips from the leaves below its bones. */
function mapByRig(names: readonly string[], parents: Int32Array, pose: ArrayLike<number>): Int16Array {
  const rest = new Float64Array(POSE_STRIDE * names.length);
  for (let node = 0; node < names.length; node++) {
    const parent = parents[node];
    for (let c = 0; c < 3; c++) {
      const offset = pose[3 * node + c] - (parent < 0 ? 0 : pose[3 * parent + c]);
      rest[POSE_STRIDE * node + c] = Number.isFinite(offset) ? offset : 0;
    }
    rest.set([0, 0, 0, 1, 1, 1, 1], POSE_STRIDE * node + 3);
  }
  const joints = new Uint8Array(names.length).fill(1);
  const skeleton: Skeleton = { name: 'points', names, parents, rest, bind: null, joints };
  const { nodes } = mapBones(skeleton, { explain: false }).map;
  const roles = new Int16Array(names.length).fill(-1);
  for (let bone = 0; bone < BONE_COUNT; bone++) if (nodes[bone] >= 0) roles[nodes[bone]] = bone;
  for (let node = 0; node < names.length; node++) {
    if (roles[node] >= 0 || parents.includes(node) || parents[node] < 0 || roles[parents[node]] < 0) continue;
    const role = ROLE[tipOf(POINT_ROLES[roles[parents[node]]], names[node])];
    if (role !== undefined && !roles.includes(role)) roles[node] = role;
  }
  // Face points of a rig are eyes.
  for (const side of SIDES) {
    const at = roles.indexOf(ROLE[`${side}Eye`]);
    if (at >= 0) roles[at] = ROLE[`${side}FaceEye`];
  }
  return roles;
}

/**
 * Finds the role of every point. `parents`: parent of each point, −1 for a root; parents come before children; null where unknown. `pose`: positions
 * of the points in one frame: xyz each. Returns the role of each point, −1 for a point that is not used.
 */
export function findPointRoles(
  names: readonly string[],
  parents: Int32Array | null,
  pose: ArrayLike<number>,
): Int16Array {
  const landmarks = readLandmarks(names);
  if (countLimbs(landmarks) === ROOTS.length + LIMBS.length) return landmarks;
  const flat = parents ?? new Int32Array(names.length).fill(-1);
  const mapped = mapByRig(names, flat, pose);
  return countLimbs(mapped) > countLimbs(landmarks) ? mapped : landmarks;
}
