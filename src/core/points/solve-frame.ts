/**
 * Rotations of all bones from the points of one frame. Nothing here allocates or throws: it also runs live.
 *
 * Every bone gets its rotation relative to the T-pose, in the axes of the points: one direction exactly (that of a limb to its next joint), a second as nearly as
 * the first allows (the axis of the elbow, the line of the hips), so there is no direction at which a rotation jumps.
 */
import { BONE } from '../humanoid/bones.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { BODY_SIDES, type PointBody, type SidePoints, trunkSegment } from './point-body.ts';
import { ROLE } from './roles.ts';

const NOSE = ROLE['nose'];
const HEAD_TOP = ROLE['headTop'];
const [LEFT, RIGHT] = BODY_SIDES;

/** Floats of the hinges of a frame: for each of four limbs the axis of its elbow or knee, xyz, and the distance of that joint from the straight limb, meters. */
export const HINGE_STRIDE = 4;
export const HINGES = 4;

// Scratch vectors and quaternions; none is used by two of the functions below that call each other.
const refBasis = new Float64Array(9);
const obsBasis = new Float64Array(9);
const refRotation = new Float64Array(4);
const obsRotation = new Float64Array(4);
const a = new Float64Array(3);
const b = new Float64Array(3);
const c = new Float64Array(3);
const d = new Float64Array(3);
const e = new Float64Array(3);
const f = new Float64Array(3);
const swing = new Float64Array(4);
const AXES = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
const X = 0;
const Y = 3;
const Z = 6;

/** Squared sine between two directions, below which the second shows no rotation about the first. */
const PARALLEL_SQUARED = 1e-10;

/** Orthonormal axes: the first along `p`, the second as near to `s` as that allows. Returns false where they are parallel or have no length. */
function basis(out: Float64Array, p: ArrayLike<number>, i: number, s: ArrayLike<number>, j: number): boolean {
  if (!(vec3.normalize(out, 0, p, i) > 0)) return false;
  const size = vec3.dot(s, j, s, j);
  vec3.addScaled(out, 3, s, j, out, 0, -vec3.dot(s, j, out, 0));
  if (!(vec3.dot(out, 3, out, 3) > PARALLEL_SQUARED * size)) return false;
  vec3.normalize(out, 3, out, 3);
  vec3.cross(out, 6, out, 0, out, 3);
  return true;
}

/**
 * Computes the rotation that takes `refP` to `p` exactly and `refS` to `s` as nearly as that allows. Without a usable second direction it swings the rotation
 * that `out` has by the shortest way.
 */
function twoDirections(
  out: Float64Array,
  o: number,
  refP: ArrayLike<number>,
  i: number,
  refS: ArrayLike<number>,
  j: number,
  p: ArrayLike<number>,
  k: number,
  s: ArrayLike<number>,
  l: number,
): void {
  if (basis(refBasis, refP, i, refS, j) && basis(obsBasis, p, k, s, l)) {
    quat.fromBasis(refRotation, 0, refBasis, 0, refBasis, 3, refBasis, 6);
    quat.fromBasis(obsRotation, 0, obsBasis, 0, obsBasis, 3, obsBasis, 6);
    quat.conjugate(refRotation, 0, refRotation, 0);
    quat.multiply(out, o, obsRotation, 0, refRotation, 0);
    return;
  }
  vec3.rotate(f, 0, out, o, refP, i);
  quat.fromTo(swing, 0, f, 0, p, k);
  quat.multiply(out, o, swing, 0, out, o);
}

function between(out: Float64Array, points: ArrayLike<number>, from: number, to: number): void {
  vec3.subtract(out, 0, points, 3 * to, points, 3 * from);
}

function middle(out: Float64Array, points: ArrayLike<number>, one: number, other: number): void {
  vec3.lerp(out, 0, points, 3 * one, points, 3 * other, 0.5);
}

/** Share of the way from the neck joint to the middle of the ears at which the head joint is. */
const HEAD_BELOW_EARS = 0.6;
/** Share of the way from the neck joint to the top of the head at which the head joint is. */
const HEAD_BELOW_TOP = 0.35;

/** Places the joints that no point shows and that follow from others: hips between the legs, the neck between the arms, the head below its points. */
export function completePoints({ has }: PointBody, points: Float64Array): void {
  if (has[BONE.hips] === 0)
    vec3.lerp(points, 3 * BONE.hips, points, 3 * LEFT.upperLeg, points, 3 * RIGHT.upperLeg, 0.5);
  if (has[BONE.neck] === 0)
    vec3.lerp(points, 3 * BONE.neck, points, 3 * LEFT.upperArm, points, 3 * RIGHT.upperArm, 0.5);
  if (has[BONE.head] === 1) return;
  if (has[LEFT.ear] === 1 && has[RIGHT.ear] === 1) {
    middle(a, points, LEFT.ear, RIGHT.ear);
    vec3.lerp(points, 3 * BONE.head, points, 3 * BONE.neck, a, 0, HEAD_BELOW_EARS);
  } else if (has[HEAD_TOP] === 1)
    vec3.lerp(points, 3 * BONE.head, points, 3 * BONE.neck, points, 3 * HEAD_TOP, HEAD_BELOW_TOP);
}

export function showsHead({ has }: PointBody): boolean {
  return has[BONE.head] === 1 || has[HEAD_TOP] === 1 || (has[LEFT.ear] === 1 && has[RIGHT.ear] === 1);
}

/** The line from the right to the left shoulder: of the clavicles where points show them, because arms lift the shoulders. */
function shoulderLine(out: Float64Array, { has }: PointBody, points: ArrayLike<number>): void {
  if (has[LEFT.shoulder] === 1 && has[RIGHT.shoulder] === 1) between(out, points, RIGHT.shoulder, LEFT.shoulder);
  else between(out, points, RIGHT.upperArm, LEFT.upperArm);
}

/** Rotates hips and spine. Only the next joint of each segment and the lines of hips and shoulders are used. */
export function solveTrunk(body: PointBody, points: ArrayLike<number>, out: Float64Array): void {
  const { trunk, spine, rest } = body;
  between(a, rest, BONE.hips, trunk[1]);
  between(b, points, BONE.hips, trunk[1]);
  between(d, points, RIGHT.upperLeg, LEFT.upperLeg);
  shoulderLine(e, body, points);
  vec3.normalize(d, 0, d, 0);
  vec3.normalize(e, 0, e, 0);
  twoDirections(out, 4 * BONE.hips, AXES, X, a, 0, d, 0, b, 0);
  const count = spine.length;
  for (let k = 0; k < count; k++) {
    const segment = trunkSegment(body, k);
    between(a, rest, trunk[segment], trunk[segment + 1]);
    between(b, points, trunk[segment], trunk[segment + 1]);
    vec3.lerp(c, 0, d, 0, e, 0, (k + 1) / count);
    quat.copy(out, 4 * spine[k], out, 4 * BONE.hips);
    twoDirections(out, 4 * spine[k], a, 0, AXES, X, b, 0, c, 0);
  }
}

/** Adds the vector from the right to the left of a pair of points, in the T-pose and in the frame. */
function addPair(left: number, right: number, { has, rest }: PointBody, points: ArrayLike<number>): boolean {
  if (has[left] === 0 || has[right] === 0) return false;
  for (let k = 0; k < 3; k++) {
    a[k] += rest[3 * left + k] - rest[3 * right + k];
    b[k] += points[3 * left + k] - points[3 * right + k];
  }
  return true;
}

function addFace(role: number, weight: number, { has, rest }: PointBody, points: ArrayLike<number>): number {
  if (has[role] === 0) return 0;
  for (let k = 0; k < 3; k++) {
    c[k] += weight * rest[3 * role + k];
    d[k] += weight * points[3 * role + k];
  }
  return weight;
}

/** Rotates neck and head: the head by its face, where points show it. */
function solveHead(body: PointBody, points: ArrayLike<number>, out: Float64Array): void {
  const { has, rest, spine } = body;
  const chest = spine[spine.length - 1];
  const neck = 4 * BONE.neck;
  const head = 4 * BONE.head;
  quat.copy(out, neck, out, 4 * chest);
  if (showsHead(body)) {
    vec3.rotate(e, 0, out, 4 * chest, AXES, X);
    between(a, rest, BONE.neck, BONE.head);
    between(b, points, BONE.neck, BONE.head);
    twoDirections(out, neck, a, 0, AXES, X, b, 0, e, 0);
  }
  quat.copy(out, head, out, neck);
  a.fill(0);
  b.fill(0);
  const hasEars = addPair(LEFT.ear, RIGHT.ear, body, points);
  const hasEyes = addPair(LEFT.eye, RIGHT.eye, body, points);
  const hasMouth = addPair(LEFT.mouth, RIGHT.mouth, body, points);
  const hasLine = hasEars || hasEyes || hasMouth;
  c.fill(0);
  d.fill(0);
  let weight = addFace(NOSE, 2, body, points);
  for (let side = 0; side < 2; side++) {
    weight += addFace(BODY_SIDES[side].eye, 1, body, points);
    weight += addFace(BODY_SIDES[side].mouth, 1, body, points);
  }
  if (weight > 0) {
    vec3.scale(c, 0, c, 0, 1 / weight);
    vec3.scale(d, 0, d, 0, 1 / weight);
    // The face is ahead of the ears, else of the head or neck joint.
    const back = has[BONE.head] === 1 ? BONE.head : BONE.neck;
    if (hasEars) middle(e, rest, LEFT.ear, RIGHT.ear);
    else vec3.copy(e, 0, rest, 3 * back);
    vec3.subtract(c, 0, c, 0, e, 0);
    if (hasEars) middle(e, points, LEFT.ear, RIGHT.ear);
    else vec3.copy(e, 0, points, 3 * back);
    vec3.subtract(d, 0, d, 0, e, 0);
    if (hasLine) twoDirections(out, head, a, 0, c, 0, b, 0, d, 0);
    else if (has[HEAD_TOP] === 1) {
      between(a, rest, BONE.neck, HEAD_TOP);
      between(b, points, BONE.neck, HEAD_TOP);
      twoDirections(out, head, a, 0, c, 0, b, 0, d, 0);
    } else {
      vec3.rotate(e, 0, out, neck, AXES, X);
      twoDirections(out, head, c, 0, AXES, X, d, 0, e, 0);
    }
    return;
  }
  if (has[HEAD_TOP] === 0) return;
  between(c, rest, BONE.head, HEAD_TOP);
  between(d, points, BONE.head, HEAD_TOP);
  if (hasLine) twoDirections(out, head, a, 0, c, 0, b, 0, d, 0);
  else {
    vec3.rotate(e, 0, out, neck, AXES, X);
    twoDirections(out, head, c, 0, AXES, X, d, 0, e, 0);
  }
}

/** Rotates the clavicle: from its joint, which the chest carries, to the point of the upper arm. */
function solveShoulder(side: SidePoints, body: PointBody, points: ArrayLike<number>, out: Float64Array): void {
  const { has, rest, spine } = body;
  const chest = 4 * spine[spine.length - 1];
  const joint = 3 * side.shoulder;
  vec3.subtract(a, 0, rest, 3 * side.upperArm, rest, joint);
  if (has[side.shoulder] === 1) vec3.subtract(b, 0, points, 3 * side.upperArm, points, joint);
  else {
    vec3.subtract(c, 0, rest, joint, rest, 3 * BONE.neck);
    vec3.rotate(c, 0, out, chest, c, 0);
    vec3.add(c, 0, c, 0, points, 3 * BONE.neck);
    vec3.subtract(b, 0, points, 3 * side.upperArm, c, 0);
  }
  vec3.rotate(e, 0, out, chest, AXES, Y);
  quat.copy(out, 4 * side.shoulder, out, chest);
  twoDirections(out, 4 * side.shoulder, a, 0, AXES, Y, b, 0, e, 0);
}

/** The axis of elbow or knee in the T-pose: an elbow bends forward, a knee backward. */
function hingeAxis(out: Float64Array, side: SidePoints, isLeg: boolean): void {
  out[0] = isLeg ? 1 : 0;
  out[1] = isLeg ? 0 : -side.sign;
  out[2] = 0;
}

/** Measures the axes of elbows and knees, and how far each is from a straight limb. An absent limb has distance 0. */
export function measureHinges({ has }: PointBody, points: ArrayLike<number>, out: Float64Array, o: number): void {
  for (let limb = 0; limb < HINGES; limb++) {
    const side = BODY_SIDES[limb >> 1];
    const isLeg = (limb & 1) === 1;
    const upper = isLeg ? side.upperLeg : side.upperArm;
    const lower = isLeg ? side.lowerLeg : side.lowerArm;
    const end = isLeg ? side.foot : side.hand;
    const at = o + HINGE_STRIDE * limb;
    out[at] = out[at + 1] = out[at + 2] = out[at + 3] = 0;
    if (has[lower] === 0 || has[end] === 0) continue;
    between(a, points, upper, lower);
    between(b, points, lower, end);
    vec3.cross(out, at, a, 0, b, 0);
    const area = vec3.length(out, at);
    vec3.add(a, 0, a, 0, b, 0);
    const reach = vec3.length(a, 0);
    if (!(area > 0)) continue;
    vec3.scale(out, at, out, at, 1 / area);
    // A limb folded onto itself has no line, but a bend.
    out[at + 3] = reach > 0 ? Math.min(area / reach, vec3.length(b, 0)) : vec3.length(b, 0);
  }
}

/**
 * Predicts the axis of an elbow or knee from trunk and limb: the axis of the T-pose, swung with the limb. `out` receives the axis, unit length,
 * perpendicular to the upper bone.
 */
export function predictHinge(
  body: PointBody,
  limb: number,
  points: ArrayLike<number>,
  rotations: Float64Array,
  out: Float64Array,
): void {
  const side = BODY_SIDES[limb >> 1];
  const isLeg = (limb & 1) === 1;
  const parent = 4 * hingeParent(body, limb);
  const upper = isLeg ? side.upperLeg : side.upperArm;
  const lower = isLeg ? side.lowerLeg : side.lowerArm;
  between(a, body.rest, upper, lower);
  vec3.rotate(a, 0, rotations, parent, a, 0);
  between(b, points, upper, lower);
  hingeAxis(c, side, isLeg);
  vec3.rotate(c, 0, rotations, parent, c, 0);
  quat.fromTo(swing, 0, a, 0, b, 0, c, 0);
  vec3.rotate(out, 0, swing, 0, c, 0);
}

/** The bone that carries a limb: the hips, or the top of the trunk. */
export function hingeParent({ spine }: PointBody, limb: number): number {
  return (limb & 1) === 1 ? BONE.hips : spine[spine.length - 1];
}

export function hingeBone(limb: number): number {
  const side = BODY_SIDES[limb >> 1];
  return (limb & 1) === 1 ? side.upperLeg : side.upperArm;
}

export function hingeChild(limb: number): number {
  const side = BODY_SIDES[limb >> 1];
  return (limb & 1) === 1 ? side.lowerLeg : side.lowerArm;
}

function solveLimb(
  limb: number,
  body: PointBody,
  points: ArrayLike<number>,
  hinges: ArrayLike<number>,
  h: number,
  out: Float64Array,
): void {
  const side = BODY_SIDES[limb >> 1];
  const isLeg = (limb & 1) === 1;
  const { bones, rest } = body;
  const upper = isLeg ? side.upperLeg : side.upperArm;
  const lower = isLeg ? side.lowerLeg : side.lowerArm;
  const end = isLeg ? side.foot : side.hand;
  const above = 4 * (isLeg ? BONE.hips : side.shoulder);
  if (bones[upper] === 1) quat.copy(out, 4 * upper, out, above);
  if (bones[lower] === 0) return;
  hingeAxis(c, side, isLeg);
  vec3.copy(d, 0, hinges, h);
  between(a, rest, upper, lower);
  between(b, points, upper, lower);
  twoDirections(out, 4 * upper, a, 0, c, 0, b, 0, d, 0);
  quat.copy(out, 4 * lower, out, 4 * upper);
  if (bones[end] === 0) return;
  between(a, rest, lower, end);
  between(b, points, lower, end);
  twoDirections(out, 4 * lower, a, 0, c, 0, b, 0, d, 0);
  quat.copy(out, 4 * end, out, 4 * lower);
}

/** Sum of the toe points, in the T-pose to `c` and in the frame to `d`; returns their number. */
function toePoints(side: SidePoints, body: PointBody, points: ArrayLike<number>): number {
  c.fill(0);
  d.fill(0);
  let count = addFace(side.bigToe, 1, body, points) + addFace(side.smallToe, 1, body, points);
  if (count === 0) count = addFace(side.toes, 1, body, points);
  if (count === 0) count = addFace(side.toeTip, 1, body, points);
  return count;
}

/** Rotates a foot: from its heel, else its ankle, to the toes; level with both toes, else with the axis of the knee. */
export function solveFoot(side: SidePoints, body: PointBody, points: ArrayLike<number>, out: Float64Array): void {
  const { has, bones, rest } = body;
  if (bones[side.foot] === 0) return;
  const count = toePoints(side, body, points);
  if (count > 0) {
    vec3.scale(c, 0, c, 0, 1 / count);
    vec3.scale(d, 0, d, 0, 1 / count);
    const from = has[side.heel] === 1 ? side.heel : side.foot;
    vec3.subtract(c, 0, c, 0, rest, 3 * from);
    vec3.subtract(d, 0, d, 0, points, 3 * from);
    if (has[side.bigToe] === 1 && has[side.smallToe] === 1) {
      between(a, rest, side.bigToe, side.smallToe);
      between(b, points, side.bigToe, side.smallToe);
      twoDirections(out, 4 * side.foot, c, 0, a, 0, d, 0, b, 0);
    } else {
      vec3.rotate(b, 0, out, 4 * side.lowerLeg, AXES, X);
      twoDirections(out, 4 * side.foot, c, 0, AXES, X, d, 0, b, 0);
    }
  }
  if (bones[side.toes] === 0) return;
  quat.copy(out, 4 * side.toes, out, 4 * side.foot);
  if (has[side.toes] === 0 || has[side.toeTip] === 0) return;
  between(a, rest, side.toes, side.toeTip);
  between(c, points, side.toes, side.toeTip);
  vec3.rotate(b, 0, out, 4 * side.foot, AXES, X);
  twoDirections(out, 4 * side.toes, a, 0, AXES, X, c, 0, b, 0);
}

/** The point of a knuckle: the first joint of the finger, else the landmark. */
function knuckleOf({ has }: PointBody, joint: number, landmark: number): number {
  return has[joint] === 1 ? joint : has[landmark] === 1 ? landmark : -1;
}

/** Rotates a hand by its knuckles, and its fingers, each by the shortest way from the bone before it. */
function solveHand(side: SidePoints, body: PointBody, points: ArrayLike<number>, out: Float64Array): void {
  const { has, bones, rest } = body;
  if (bones[side.hand] === 0) return;
  const index = knuckleOf(body, side.fingers[1][0], side.indexKnuckle);
  const little = knuckleOf(body, side.fingers[4][0], side.littleKnuckle);
  const thumb = knuckleOf(body, side.fingers[0][0], side.thumbKnuckle);
  c.fill(0);
  d.fill(0);
  let count = 0;
  if (index >= 0) count += addFace(index, 1, body, points);
  if (little >= 0) count += addFace(little, 1, body, points);
  if (count === 0) count = addFace(side.fingers[2][0], 1, body, points) || addFace(side.handTip, 1, body, points);
  if (count > 0) {
    vec3.scale(c, 0, c, 0, 1 / count);
    vec3.scale(d, 0, d, 0, 1 / count);
    vec3.subtract(c, 0, c, 0, rest, 3 * side.hand);
    vec3.subtract(d, 0, d, 0, points, 3 * side.hand);
    const hasBoth = index >= 0 && little >= 0;
    const from = hasBoth ? little : side.hand;
    const to = hasBoth ? index : thumb;
    if (to >= 0) {
      between(a, rest, from, to);
      between(b, points, from, to);
      twoDirections(out, 4 * side.hand, c, 0, a, 0, d, 0, b, 0);
    } else {
      vec3.rotate(b, 0, out, 4 * side.lowerArm, AXES, Z);
      twoDirections(out, 4 * side.hand, c, 0, AXES, Z, d, 0, b, 0);
    }
  }
  for (let finger = 0; finger < side.fingers.length; finger++) {
    const chain = side.fingers[finger];
    let above = side.hand;
    for (let k = 0; k < 3 && bones[chain[k]] === 1; k++) {
      const bone = chain[k];
      quat.copy(out, 4 * bone, out, 4 * above);
      above = bone;
      if (has[chain[k + 1]] === 0) continue;
      between(a, rest, bone, chain[k + 1]);
      vec3.rotate(a, 0, out, 4 * bone, a, 0);
      between(b, points, bone, chain[k + 1]);
      quat.fromTo(swing, 0, a, 0, b, 0);
      quat.multiply(out, 4 * bone, swing, 0, out, 4 * bone);
    }
  }
}

/**
 * Rotates everything that the trunk carries. `solveTrunk` must have run on the same frame. `hinges`: axes of elbows and knees from offset h on, as
 * of `measureHinges`; only their directions are used. `out`: rotations relative to the T-pose: xyzw per bone.
 */
export function solveLimbs(
  body: PointBody,
  points: ArrayLike<number>,
  hinges: ArrayLike<number>,
  h: number,
  out: Float64Array,
): void {
  solveHead(body, points, out);
  for (let limb = 0; limb < HINGES; limb++) {
    const side = BODY_SIDES[limb >> 1];
    const isLeg = (limb & 1) === 1;
    if (!isLeg) solveShoulder(side, body, points, out);
    solveLimb(limb, body, points, hinges, h + HINGE_STRIDE * limb, out);
    if (isLeg) solveFoot(side, body, points, out);
    else solveHand(side, body, points, out);
  }
}
