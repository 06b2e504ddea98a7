/** Stick figures in 3D: colored lines and a head from joint positions. The sheet projects them. */

import { BONE, BONE_COUNT, BONES, isFingerBone, presentParent } from '../core/humanoid/bones.ts';
import { pointOf } from '../core/math/triples.ts';
import type { Vec3 } from '../core/math/vec3.ts';
import * as vec3 from '../core/math/vec3.ts';

/** Side of a line, which decides its color; `plain` for non-humanoid skeletons. */
export type StickPart = 'left' | 'right' | 'middle' | 'plain';

/** A line between two points. */
interface Stick {
  readonly from: Vec3;
  readonly to: Vec3;
  readonly part: StickPart;
  /** Whether the line is drawn thin, as fingers are. */
  readonly thin: boolean;
}

export interface StickFigure {
  readonly sticks: readonly Stick[];
  /** Center, radius and tip of the nose; null without a head bone. */
  readonly head: {
    readonly center: Vec3;
    readonly radius: number;
    readonly nose: Vec3;
  } | null;
}

/** Joints that define the orientation of the head. */
interface HeadJoints {
  /** Joint of the crown, straight above the head joint. */
  readonly crown: number;
  /** Joint at the tip of the nose. */
  readonly nose: number;
}

/** What a stick figure depends on besides the joint positions. */
export interface StickSkeleton {
  /** Parent of every joint; −1 for roots. */
  readonly parents: ArrayLike<number>;
  /** Joint of each of the 55 bones, −1 where absent; null for a non-humanoid skeleton, whose joints are all drawn alike. */
  readonly bones: ArrayLike<number> | null;
  /** Height of the skeleton, greater than 0. */
  readonly height: number;
  /** Joints that define the orientation of the head; estimated from the joints around it where missing. */
  readonly head?: HeadJoints | null;
  /** Joints at the tips of the feet, −1 where absent; the farthest child joint of each foot where missing. */
  readonly tips?: {
    /** Joint at the tip of the left foot. */
    readonly left: number;
    /** Joint at the tip of the right foot. */
    readonly right: number;
  };
}

/** Least and greatest radius of a head without a crown joint, as fractions of the height. */
const HEAD_RADIUS = [0.055, 0.09] as const;
/** Limits for a crown joint, which exclude ears and hair: angle from the neck line or the vertical, radians; sideways offset relative to its distance. */
const CROWN_ANGLE = Math.PI / 6;
const CROWN_ASIDE = 0.1;
/** Greatest height of a foot tip above its joint, as a fraction of the height. */
const FLAT = 0.02;
/** Bones of the face, which are not drawn as lines. */
const FACE = /Eye$|^jaw$/;

function partOf(bone: number): StickPart {
  const name = BONES[bone];
  return name.startsWith('left') ? 'left' : name.startsWith('right') ? 'right' : 'middle';
}

/** Finds the last joint of a foot: the toes, else the foot; −1 without either. */
function footEnd(bones: ArrayLike<number>, side: 'left' | 'right'): number {
  const toes = bones[BONE[`${side}Toes`]];
  return toes >= 0 ? toes : bones[BONE[`${side}Foot`]];
}

/** Builds the stick figure of a skeleton in one pose. `positions`: positions of its joints, xyz, canonical frame, meters. */
export function stickFigure(skeleton: StickSkeleton, positions: ArrayLike<number>): StickFigure {
  const { parents, bones, height, head = null, tips } = skeleton;
  if (bones === null) return { sticks: plainSticks(parents, positions), head: null };
  const sticks: Stick[] = [];
  for (let bone = 1; bone < BONE_COUNT; bone++) {
    const parent = presentParent(bone, bones);
    if (bones[bone] < 0 || parent < 0 || FACE.test(BONES[bone])) continue;
    const from = pointOf(positions, bones[parent]);
    sticks.push({ from, to: pointOf(positions, bones[bone]), part: partOf(bone), thin: isFingerBone(BONES[bone]) });
  }
  for (const side of ['left', 'right'] as const) {
    const last = footEnd(bones, side);
    const below = last < 0 ? [] : freeChildren(parents, bones, last);
    const tip = tips === undefined ? farthest(positions, last, below) : tips[side];
    if (last >= 0 && tip >= 0) {
      sticks.push({ from: pointOf(positions, last), to: pointOf(positions, tip), part: side, thin: false });
    }
  }
  if (head === null) return { sticks, head: headOf(parents, bones, positions, height) };
  return { sticks, head: bones[BONE.head] < 0 ? null : headAt(positions, bones[BONE.head], head) };
}

function headAt(positions: ArrayLike<number>, joint: number, { crown, nose }: HeadJoints): StickFigure['head'] {
  const center = new Float64Array(3);
  vec3.lerp(center, 0, positions, 3 * joint, positions, 3 * crown, 0.5);
  const radius = vec3.distance(positions, 3 * joint, center, 0);
  return { center: [center[0], center[1], center[2]], radius, nose: pointOf(positions, nose) };
}

/**
 * Draws a line from every joint to its parent. Lines from a root to the first branching joint are thin: roots are often on the
 * floor, and a line from there is not a limb.
 */
function plainSticks(parents: ArrayLike<number>, positions: ArrayLike<number>): Stick[] {
  const count = parents.length;
  const children = new Int32Array(count);
  for (let node = 0; node < count; node++) if (parents[node] >= 0) children[parents[node]]++;
  // isStem: the joint is above every branch. branches: the joint or one of its descendants branches.
  const isStem = new Uint8Array(count);
  const branches = new Uint8Array(count);
  for (let node = 0; node < count; node++) {
    const isFree = parents[node] < 0 || isStem[parents[node]] === 1;
    isStem[node] = isFree && children[node] === 1 ? 1 : 0;
  }
  for (let node = count - 1; node >= 0; node--) {
    if (children[node] > 1) branches[node] = 1;
    if (branches[node] === 1 && parents[node] >= 0) branches[parents[node]] = 1;
  }
  const sticks: Stick[] = [];
  for (let node = 0; node < count; node++) {
    const parent = parents[node];
    if (parent < 0) continue;
    const thin = isStem[parent] === 1 && branches[node] === 1;
    sticks.push({ from: pointOf(positions, parent), to: pointOf(positions, node), part: 'plain', thin });
  }
  return sticks;
}

function freeChildren(parents: ArrayLike<number>, bones: ArrayLike<number>, node: number): number[] {
  const mapped = Array.from(bones);
  const out: number[] = [];
  for (let child = 0; child < parents.length; child++) {
    if (parents[child] === node && !mapped.includes(child)) out.push(child);
  }
  return out;
}

/** Finds the node of a list that is farthest from a node; −1 if all are at the same position. */
function farthest(positions: ArrayLike<number>, node: number, others: readonly number[]): number {
  let found = -1;
  let most = 0;
  for (const other of others) {
    const distance = vec3.distance(positions, other * 3, positions, node * 3);
    if (distance <= most) continue;
    found = other;
    most = distance;
  }
  return found;
}

/**
 * Finds the tips of the feet in the reference pose: the farthest child joint of each foot that is not above it, which excludes accessories.
 * `reference`: joint positions of the reference pose, xyz, canonical frame.
 */
export function footTips(
  { parents, bones, height }: StickSkeleton,
  reference: ArrayLike<number>,
): { readonly left: number; readonly right: number } {
  const tipOf = (side: 'left' | 'right'): number => {
    const last = bones === null ? -1 : footEnd(bones, side);
    if (bones === null || last < 0) return -1;
    const highest = reference[3 * last + 1] + FLAT * height;
    const below = freeChildren(parents, bones, last).filter((child) => reference[3 * child + 1] <= highest);
    return farthest(reference, last, below);
  };
  return { left: tipOf('left'), right: tipOf('right') };
}

/** Finds the crown joint, in direction `up` from the head joint; −1 without one. */
function crownOf(
  parents: ArrayLike<number>,
  bones: ArrayLike<number>,
  positions: ArrayLike<number>,
  up: Float64Array,
): number {
  const head = bones[BONE.head];
  const sideways = new Float64Array(3);
  vec3.cross(sideways, 0, facingOf(bones, positions, up), 0, up, 0);
  const offset = new Float64Array(3);
  const above = freeChildren(parents, bones, head).filter((child) => {
    vec3.subtract(offset, 0, positions, child * 3, positions, head * 3);
    const off = Math.min(vec3.angleBetween(offset, 0, up, 0), vec3.angleBetween(offset, 0, [0, 1, 0], 0));
    if (off > CROWN_ANGLE) return false;
    return Math.abs(vec3.dot(offset, 0, sideways, 0)) <= CROWN_ASIDE * vec3.length(offset, 0);
  });
  return farthest(positions, head, above);
}

function headOf(
  parents: ArrayLike<number>,
  bones: ArrayLike<number>,
  positions: ArrayLike<number>,
  height: number,
): StickFigure['head'] {
  const head = bones[BONE.head];
  const below = presentParent(BONE.head, bones);
  if (head < 0 || below < 0) return null;
  const up = new Float64Array(3);
  vec3.subtract(up, 0, positions, head * 3, positions, bones[below] * 3);
  let length = vec3.normalize(up, 0, up, 0);
  const crown = crownOf(parents, bones, positions, up);
  if (crown >= 0) {
    vec3.subtract(up, 0, positions, crown * 3, positions, head * 3);
    length = vec3.normalize(up, 0, up, 0);
  }
  const eyes = crown >= 0 ? 0 : eyeHeight(bones, positions, up);
  const [least, most] = HEAD_RADIUS;
  let radius = Math.min(length, most * height);
  if (crown >= 0) radius = length / 2;
  // The eyes are halfway up a head that starts at its joint.
  else if (eyes > 0) radius = Math.min(eyes, height / 2);
  radius = Math.max(radius, least * height);
  const center = new Float64Array(3);
  vec3.addScaled(center, 0, positions, head * 3, up, 0, radius);
  const forward = facingOf(bones, positions, up);
  const nose = new Float64Array(3);
  vec3.addScaled(nose, 0, center, 0, forward, 0, radius * 1.25);
  return { center: [center[0], center[1], center[2]], radius, nose: [nose[0], nose[1], nose[2]] };
}

/** Measures the height of the eyes above the head joint; 0 without eyes. */
function eyeHeight(bones: ArrayLike<number>, positions: ArrayLike<number>, up: Float64Array): number {
  const [left, right, head] = [bones[BONE.leftEye], bones[BONE.rightEye], bones[BONE.head]];
  if (left < 0 || right < 0) return 0;
  const sum = vec3.dot(positions, left * 3, up, 0) + vec3.dot(positions, right * 3, up, 0);
  return sum / 2 - vec3.dot(positions, head * 3, up, 0);
}

/** Facing direction of the head: perpendicular to `up` and to the line of the eyes, else of the shoulders, else of the hips. */
function facingOf(bones: ArrayLike<number>, positions: ArrayLike<number>, up: Float64Array): Float64Array {
  const out = new Float64Array(3);
  for (const part of ['Eye', 'UpperArm', 'UpperLeg'] as const) {
    const left = bones[BONE[`left${part}`]];
    const right = bones[BONE[`right${part}`]];
    if (left < 0 || right < 0) continue;
    vec3.subtract(out, 0, positions, left * 3, positions, right * 3);
    vec3.cross(out, 0, out, 0, up, 0);
    if (vec3.normalize(out, 0, out, 0) > 0) return out;
  }
  return out;
}
