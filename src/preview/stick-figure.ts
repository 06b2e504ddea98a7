/** Stick figures: from the positions of the joints to coloured lines and a head, in space; the sheet projects them. */
import { BONE, BONE_COUNT, BONES, presentParent } from '../core/humanoid/bones.ts';
import * as vec3 from '../core/math/vec3.ts';

/** What a line belongs to: limbs have a side; `plain` where nothing is known about the joints. */
export type StickPart = 'left' | 'right' | 'middle' | 'plain';

/** A line between two points, xyz. */
export interface Stick {
  readonly from: readonly [number, number, number];
  readonly to: readonly [number, number, number];
  readonly part: StickPart;
  /** Fingers and the like. */
  readonly thin: boolean;
}

export interface StickFigure {
  readonly sticks: readonly Stick[];
  /** Centre, radius and tip of the nose; null without a head. */
  readonly head: {
    readonly centre: readonly [number, number, number];
    readonly radius: number;
    readonly nose: readonly [number, number, number];
  } | null;
}

/** Radius of a head by the height of the body, where no joint says how large it is; least and most. */
const HEAD_RADIUS = [0.055, 0.09] as const;
const FACE = /Eye$|^jaw$/;
const THIN = /(Thumb|Index|Middle|Ring|Little)/;

type Point = [number, number, number];

function pointAt(positions: ArrayLike<number>, node: number): Point {
  return [positions[node * 3], positions[node * 3 + 1], positions[node * 3 + 2]];
}

function partOf(bone: number): StickPart {
  const name = BONES[bone];
  return name.startsWith('left') ? 'left' : name.startsWith('right') ? 'right' : 'middle';
}

/**
 * The figure of a skeleton in one pose. `parents` and `positions` (xyz a node) are those of the skeleton, canonical frame;
 * `bones` has the node of each of the 55 bones, −1 where absent, or is null: then every joint is drawn alike.
 * `height` is that of the body.
 */
export function stickFigure(
  parents: ArrayLike<number>,
  bones: ArrayLike<number> | null,
  positions: ArrayLike<number>,
  height: number,
): StickFigure {
  if (bones === null) return { sticks: plainSticks(parents, positions), head: null };
  const sticks: Stick[] = [];
  for (let bone = 1; bone < BONE_COUNT; bone++) {
    const parent = presentParent(bone, bones);
    if (bones[bone] < 0 || parent < 0 || FACE.test(BONES[bone])) continue;
    const from = pointAt(positions, bones[parent]);
    sticks.push({ from, to: pointAt(positions, bones[bone]), part: partOf(bone), thin: THIN.test(BONES[bone]) });
  }
  for (const side of ['left', 'right'] as const) {
    const last = bones[BONE[`${side}Toes`]] >= 0 ? bones[BONE[`${side}Toes`]] : bones[BONE[`${side}Foot`]];
    const tip = last < 0 ? -1 : tipOf(parents, bones, positions, last);
    if (tip >= 0) {
      sticks.push({ from: pointAt(positions, last), to: pointAt(positions, tip), part: side, thin: false });
    }
  }
  return { sticks, head: headOf(parents, bones, positions, height) };
}

function plainSticks(parents: ArrayLike<number>, positions: ArrayLike<number>): Stick[] {
  const sticks: Stick[] = [];
  for (let node = 0; node < parents.length; node++) {
    if (parents[node] < 0) continue;
    const from = pointAt(positions, parents[node]);
    sticks.push({ from, to: pointAt(positions, node), part: 'plain', thin: false });
  }
  return sticks;
}

/** The farthest child of a node that no bone is: the end of a foot or the crown. −1 when there is none. */
function tipOf(
  parents: ArrayLike<number>,
  bones: ArrayLike<number>,
  positions: ArrayLike<number>,
  node: number,
): number {
  const mapped = Array.from(bones);
  let tip = -1;
  let farthest = 0;
  for (let child = 0; child < parents.length; child++) {
    if (parents[child] !== node || mapped.includes(child)) continue;
    const distance = vec3.distance(positions, child * 3, positions, node * 3);
    if (distance <= farthest) continue;
    tip = child;
    farthest = distance;
  }
  return tip;
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
  const crown = tipOf(parents, bones, positions, head);
  if (crown >= 0) vec3.subtract(up, 0, positions, crown * 3, positions, head * 3);
  else vec3.subtract(up, 0, positions, head * 3, positions, bones[below] * 3);
  const length = vec3.normalize(up, 0, up, 0);
  const eyes = crown >= 0 ? 0 : eyeHeight(bones, positions, up);
  const [least, most] = HEAD_RADIUS;
  let radius = Math.min(length, most * height);
  if (crown >= 0) radius = length / 2;
  // Eyes are half-way up a head that begins at its joint.
  else if (eyes > 0) radius = Math.min(eyes, height / 2);
  radius = Math.max(radius, least * height);
  const centre = new Float64Array(3);
  vec3.addScaled(centre, 0, positions, head * 3, up, 0, radius);
  const forward = facingOf(bones, positions, up);
  const nose = new Float64Array(3);
  vec3.addScaled(nose, 0, centre, 0, forward, 0, radius * 1.25);
  return { centre: [centre[0], centre[1], centre[2]], radius, nose: [nose[0], nose[1], nose[2]] };
}

/** How far the eyes are above the joint of the head; 0 without eyes. */
function eyeHeight(bones: ArrayLike<number>, positions: ArrayLike<number>, up: Float64Array): number {
  const [left, right, head] = [bones[BONE.leftEye], bones[BONE.rightEye], bones[BONE.head]];
  if (left < 0 || right < 0) return 0;
  const sum = vec3.dot(positions, left * 3, up, 0) + vec3.dot(positions, right * 3, up, 0);
  return sum / 2 - vec3.dot(positions, head * 3, up, 0);
}

/** Where the face looks: square to up and to the line of the eyes, else of the shoulders, else of the hips. */
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
