/**
 * Which way a body faces and where its up is, from the lines of hips and shoulders
 * (step 0 of the estimator of the reference pose).
 */
import type { Floats } from '../../math/floats.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { type Issue, issue } from '../../report/issue.ts';
import { BONE, type BoneName } from '../bones.ts';

/** Up is taken as an axis of the file when it is nearer to it than this: a leaning body keeps its lean. */
const UP_SNAP = (15 * Math.PI) / 180;
/** The sign of the feet is believed when they point at least this far forward or back, relative to the length of the foot. */
const FEET_SIGN = 0.3;

/** A rotation that stands a body up and turns it to the front, and how it was found. */
export interface MetricFrame {
  /** Turns directions of the file's axes so that the body's left is +X, up +Y, front +Z; unit quaternion xyzw. */
  readonly rotation: Float64Array;
  readonly issues: readonly Issue[];
}

/** The middle of two bones into `out`; the one that is there when the other is missing; false when both are missing. */
function middle(out: Float64Array, positions: Floats, nodes: Int32Array, left: BoneName, right: BoneName): boolean {
  const l = nodes[BONE[left]];
  const r = nodes[BONE[right]];
  if (l < 0 && r < 0) return false;
  vec3.lerp(out, 0, positions, 3 * (l < 0 ? r : l), positions, 3 * (r < 0 ? l : r), 0.5);
  return true;
}

/** Adds the line from right to left of a pair of bones to `out`: wide shoulders weigh more than narrow hips. */
function addSideLine(out: Float64Array, positions: Floats, nodes: Int32Array, left: BoneName, right: BoneName): void {
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

/**
 * The metric frame of a pose: +X along the hip and shoulder lines, up from the hips to the shoulders.
 * `positions` are those of the nodes in model space (3 a node), `nodes` the bone table.
 * Null when the lines are missing or have no length, or lie along each other.
 */
export function metricFrame(positions: Floats, nodes: Int32Array): MetricFrame | null {
  const side = new Float64Array(3);
  addSideLine(side, positions, nodes, 'leftUpperLeg', 'rightUpperLeg');
  addSideLine(side, positions, nodes, 'leftUpperArm', 'rightUpperArm');
  const top = new Float64Array(3);
  const bottom = new Float64Array(3);
  if (!middle(bottom, positions, nodes, 'leftUpperLeg', 'rightUpperLeg')) return null;
  if (!middle(top, positions, nodes, 'leftUpperArm', 'rightUpperArm')) return null;
  const up = new Float64Array(3);
  vec3.subtract(up, 0, top, 0, bottom, 0);
  if (!(vec3.normalize(up, 0, up, 0) > 0) || !(vec3.normalize(side, 0, side, 0) > 0)) return null;
  if (!snapToAxis(up)) standUp(up, bottom, positions, nodes);
  const front = new Float64Array(3);
  vec3.cross(front, 0, side, 0, up, 0);
  if (!(vec3.normalize(front, 0, front, 0) > 1e-3)) return null;
  vec3.cross(side, 0, up, 0, front, 0);
  const axes = new Float64Array(4);
  quat.fromBasis(axes, 0, side, 0, up, 0, front, 0);
  const rotation = new Float64Array(4);
  quat.conjugate(rotation, 0, axes, 0);
  return { rotation, issues: checkFeet(positions, nodes, front) };
}

/** Feet that point backward mean that left and right are confused, or a facing that lines alone cannot tell. */
function checkFeet(positions: Floats, nodes: Int32Array, front: Float64Array): readonly Issue[] {
  const foot = new Float64Array(3);
  let forward = 0;
  let length = 0;
  for (const side of ['left', 'right'] as const) {
    const ankle = nodes[BONE[`${side}Foot`]];
    const toes = nodes[BONE[`${side}Toes`]];
    if (ankle < 0 || toes < 0) continue;
    vec3.subtract(foot, 0, positions, 3 * toes, positions, 3 * ankle);
    forward += vec3.dot(foot, 0, front, 0);
    length += vec3.length(foot, 0);
  }
  if (length === 0 || forward > -FEET_SIGN * length) return [];
  return [
    issue(
      'FACING_GUESSED',
      'The toes point backward when the front is taken from the hips and shoulders: left and right of the bone map may be swapped. Check the bone map.',
    ),
  ];
}
