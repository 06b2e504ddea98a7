/**
 * Which way a body faces and where its up is, from the lines of hips and shoulders
 * (step 0 of the estimator of the reference pose).
 */
import type { Floats } from '../../math/floats.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { type Issue, issue } from '../../report/issue.ts';
import { BONE, type BoneName } from '../bones.ts';
import { type FrontVote, frontSigns, voteFront } from './facing.ts';

/** Up is taken as an axis of the file when it is nearer to it than this: a leaning body keeps its lean. */
const UP_SNAP = (15 * Math.PI) / 180;
/** A body narrower than this part of its height has no left and right. */
const NARROW = 1e-3;
/** The same, as the sine between its breadth and its up. */
const ASKEW = 1e-3;
/** Signs that come to less than this, of 1 for feet that point straight to the front, do not speak against the hips and shoulders. */
const CONTRADICTION = 0.3;

/** A rotation that stands a body up and turns it to the front, and how it was found. */
export interface MetricFrame {
  /** Turns directions of the file's axes so that the body's left is +X, up +Y, front +Z; unit quaternion xyzw. */
  readonly rotation: Float64Array;
  readonly issues: readonly Issue[];
  /** What showed the front, in plain words, and how sure it is, 0…1. */
  readonly reason: string;
  readonly confidence: number;
}

/** The middle of two bones into `out`; the one that is there when the other is missing; false when both are missing. */
function middle(
  out: Float64Array,
  positions: Floats,
  nodes: ArrayLike<number>,
  left: BoneName,
  right: BoneName,
): boolean {
  const l = nodes[BONE[left]];
  const r = nodes[BONE[right]];
  if (l < 0 && r < 0) return false;
  vec3.lerp(out, 0, positions, 3 * (l < 0 ? r : l), positions, 3 * (r < 0 ? l : r), 0.5);
  return true;
}

/** Adds the line from right to left of a pair of bones to `out`: wide shoulders weigh more than narrow hips. */
function addSideLine(
  out: Float64Array,
  positions: Floats,
  nodes: ArrayLike<number>,
  left: BoneName,
  right: BoneName,
): void {
  const l = nodes[BONE[left]];
  const r = nodes[BONE[right]];
  if (l < 0 || r < 0) return;
  const line = new Float64Array(3);
  vec3.subtract(line, 0, positions, 3 * l, positions, 3 * r);
  vec3.add(out, 0, out, 0, line, 0);
}

/** Replaces a direction by the nearest axis of the file when it is within {@link UP_SNAP} of it; whether it was. */
function snapToAxis(direction: Float64Array): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const unit = new Float64Array(3);
    unit[axis] = Math.sign(direction[axis]);
    if (unit[axis] === 0 || vec3.angleBetween(unit, 0, direction, 0) >= UP_SNAP) continue;
    direction.set(unit);
    return true;
  }
  return false;
}

/**
 * The up of a body whose trunk alone stands askew (rigs whose shoulders lie behind their hips): that of trunk and legs together,
 * when it is near an axis, and would be with straight legs too (so that the T-pose found has the same up). Left as it is otherwise.
 */
function standUp(up: Float64Array, hips: Float64Array, positions: Floats, nodes: Int32Array): void {
  const legs = new Float64Array(3);
  if (!middle(legs, positions, nodes, 'leftFoot', 'rightFoot')) return;
  vec3.subtract(legs, 0, hips, 0, legs, 0);
  if (!(vec3.normalize(legs, 0, legs, 0) > 0)) return;
  vec3.add(legs, 0, legs, 0, up, 0);
  if (snapToAxis(legs) && vec3.angleBetween(legs, 0, up, 0) < 2 * UP_SNAP) up.set(legs);
}

/** Of the four horizontal axes of the file the one to which most signs point; null when none does. */
function guessFront(up: Float64Array, positions: Floats, nodes: Int32Array): Float64Array | null {
  const signs = frontSigns(positions, nodes);
  let best: Float64Array | null = null;
  let most = 0;
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [1, -1]) {
      const front = new Float64Array(3);
      front[axis] = sign;
      if (Math.abs(vec3.dot(front, 0, up, 0)) > Math.SQRT1_2) continue;
      const { votes } = voteFront(signs, front);
      if (votes <= most) continue;
      most = votes;
      best = front;
    }
  }
  return best;
}

/** The lines of a body that stay what they are when limbs move: file axes or those of a bone table of points, any length. */
export interface BodyLines {
  /** From the middle of the hip joints to that of the shoulders, by hips and head where those are missing. */
  readonly up: Float64Array;
  /** Middle of the hip joints. */
  readonly bottom: Float64Array;
  /** From right to left, hips and shoulders together. */
  readonly side: Float64Array;
}

/** Where hips and shoulders lie; null when one of them is missing. `nodes` gives the place of each bone in `positions`, −1 where it is absent. */
export function bodyLines(positions: Floats, nodes: ArrayLike<number>): BodyLines | null {
  const top = new Float64Array(3);
  const bottom = new Float64Array(3);
  if (!middle(bottom, positions, nodes, 'leftUpperLeg', 'rightUpperLeg')) {
    if (!middle(bottom, positions, nodes, 'hips', 'hips')) return null;
  }
  if (!middle(top, positions, nodes, 'leftUpperArm', 'rightUpperArm')) {
    if (!middle(top, positions, nodes, 'head', 'neck')) return null;
  }
  const up = new Float64Array(3);
  vec3.subtract(up, 0, top, 0, bottom, 0);
  const side = new Float64Array(3);
  addSideLine(side, positions, nodes, 'leftUpperLeg', 'rightUpperLeg');
  addSideLine(side, positions, nodes, 'leftUpperArm', 'rightUpperArm');
  return { up, bottom, side };
}

/** The up of a body at length 1; null without height. */
function upOf({ up: line, bottom }: BodyLines, positions: Floats, nodes: Int32Array): Float64Array | null {
  const up = new Float64Array(3);
  if (!(vec3.normalize(up, 0, line, 0) > 0)) return null;
  if (!snapToAxis(up)) standUp(up, bottom, positions, nodes);
  return up;
}

/** The front of a body by the lines of its hips and shoulders, at length 1, file axes; null when they show none. */
function frontOf(lines: BodyLines, up: Float64Array): Float64Array | null {
  const side = new Float64Array(3);
  const breadth = vec3.normalize(side, 0, lines.side, 0);
  if (!(breadth > NARROW * vec3.length(lines.up, 0))) return null;
  const front = new Float64Array(3);
  vec3.cross(front, 0, side, 0, up, 0);
  return vec3.normalize(front, 0, front, 0) > ASKEW ? front : null;
}

/** F of a body with this up and front. */
function frameRotation(up: Float64Array, front: Float64Array): Float64Array {
  const side = new Float64Array(3);
  vec3.cross(side, 0, up, 0, front, 0);
  vec3.normalize(side, 0, side, 0);
  vec3.cross(front, 0, side, 0, up, 0);
  const axes = new Float64Array(4);
  quat.fromBasis(axes, 0, side, 0, up, 0, front, 0);
  const rotation = new Float64Array(4);
  quat.conjugate(rotation, 0, axes, 0);
  return rotation;
}

/**
 * The metric frame of a pose: +X along the hip and shoulder lines, up from the hips to the shoulders. A body that is no broader
 * than a line faces the one of four axes of the file to which feet, face, knees and thumbs point. `positions` are those of the nodes in
 * model space (3 a node), `nodes` the bone table. Null when height is missing, or everything that shows the front.
 */
export function metricFrame(positions: Floats, nodes: Int32Array): MetricFrame | null {
  const lines = bodyLines(positions, nodes);
  const up = lines === null ? null : upOf(lines, positions, nodes);
  if (lines === null || up === null) return null;
  const front = frontOf(lines, up);
  if (front !== null) {
    const vote = voteFront(frontSigns(positions, nodes), front);
    return { rotation: frameRotation(up, front), ...judge(vote) };
  }
  const guess = guessFront(up, positions, nodes);
  if (guess === null) return null;
  const { forward } = voteFront(frontSigns(positions, nodes), guess);
  const reason = `front by ${forward.join(', ')}: hips and shoulders have no breadth`;
  const message = `Hips and shoulders show no left and right; of the four directions of the file that was taken for the front to which ${forward.join(' and ')} point. Check the bone map.`;
  return { rotation: frameRotation(up, guess), issues: [issue('FACING_GUESSED', message)], reason, confidence: 0.4 };
}

/** Feet, face and knees that point backward mean that left and right are confused, or a facing that lines alone cannot tell. */
function judge({ votes, forward, backward }: FrontVote): Omit<MetricFrame, 'rotation'> {
  const by = 'front by hips and shoulders';
  if (backward.length === 0) {
    const confirmed = forward.length === 0 ? '' : `, and by ${forward.join(', ')}`;
    return { issues: [], reason: by + confirmed, confidence: forward.length === 0 ? 0.8 : 1 };
  }
  const reason = `${by}; ${backward.join(', ')} point backward`;
  if (votes > -CONTRADICTION) return { issues: [], reason, confidence: votes > 0 ? 0.9 : 0.6 };
  const message = `The ${backward.join(' and ')} point backward when the front is taken from the hips and shoulders: left and right of the bone map may be swapped. Check the bone map.`;
  return { issues: [issue('FACING_GUESSED', message)], reason, confidence: 0.3 };
}
