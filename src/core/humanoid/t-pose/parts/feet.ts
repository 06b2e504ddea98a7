import { DEGREES_PER_RADIAN } from '../../../math/euler.ts';
import * as quat from '../../../math/quat.ts';
import * as vec3 from '../../../math/vec3.ts';
import { presentParent, SIDES, type Side } from '../../bones.ts';
import {
  addFinding,
  boneOf,
  correctedSegment,
  type EstimatorState,
  FRONT,
  followParent,
  formatDegrees,
  hasBone,
  LEFT,
  rollAngleTo,
  rollBone,
  tipDirection,
  UP,
} from '../estimator-state.ts';
import type { LegStance } from '../leg-stance.ts';
import { findSoleHeading, findSolePitch } from './soles.ts';

/** A foot shows its heading when at least this fraction of the line from ankle to toes is horizontal. */
const AHEAD = 0.2;
/** Range of slopes from ankle to toes of a foot flat on the ground, radians below the horizontal: boots of chibis to bare feet. */
const FLATTEST = -5 / DEGREES_PER_RADIAN;
const STEEPEST = 55 / DEGREES_PER_RADIAN;
/** Slope that replaces one out of range. */
const USUAL_SLOPE = 30 / DEGREES_PER_RADIAN;
/** Headings within this angle are the same, radians: feet of CMU's library are parallel within 0.01° when they follow their legs. */
const SAME_HEADING = 0.1 / DEGREES_PER_RADIAN;
/** Pitch of a sole that is ignored: heels and toe caps are not planes. */
const SOLE_NOISE = 2 / DEGREES_PER_RADIAN;

/** The vector from ankle to toes, corrected; null when no joint shows it. */
function lineToToes(state: EstimatorState, side: Side): Float64Array | null {
  const foot = boneOf(side, 'Foot');
  const toes = boneOf(side, 'Toes');
  // Other joints of a foot may be its heel, or a spur.
  const line = hasBone(state, toes) ? correctedSegment(state, foot, toes, foot) : tipDirection(state, foot, FRONT);
  return line !== null && Math.hypot(line[0], line[2]) > AHEAD * vec3.length(line, 0) ? line : null;
}

/** Rotates a foot about the vertical so that its toes point to the front. Returns the evidence in plain words; null without. */
export function headToFront(state: EstimatorState, side: Side): string | null {
  const line = lineToToes(state, side);
  const heading = line ?? findSoleHeading(state, side);
  if (heading === null) return null;
  const yaw = rollAngleTo(UP, heading, FRONT) ?? 0;
  rollBone(state, boneOf(side, 'Foot'), UP, yaw);
  const change = Math.abs(yaw) * DEGREES_PER_RADIAN < 0.5 ? 'in place' : `rotated by ${formatDegrees(yaw)}`;
  return `heading from ${line === null ? 'the sole' : 'the toes'}, ${change}`;
}

/** Slope from ankle to toes, radians below the horizontal; null without a toe joint. */
function toeSlope(state: EstimatorState, side: Side): number | null {
  const foot = boneOf(side, 'Foot');
  const toes = boneOf(side, 'Toes');
  if (!hasBone(state, toes)) return null;
  const line = correctedSegment(state, foot, toes, foot);
  return vec3.length(line, 0) > 0 ? Math.atan2(-line[1], Math.hypot(line[0], line[2])) : null;
}

/** Whether a slope is that of a foot flat on the ground. Feet without toes always are. */
function isPlausible(slope: number | null): boolean {
  return slope === null || (slope >= FLATTEST && slope <= STEEPEST);
}

/** Pitches the foot so that its sole is flat. Returns the confidence and the evidence. */
function layFlat(state: EstimatorState, side: Side, stance: LegStance): readonly [confidence: number, reason: string] {
  const foot = boneOf(side, 'Foot');
  const slope = toeSlope(state, side);
  const plausible = isPlausible(slope);
  if (stance !== 'moving' && slope !== null && plausible) return [1, 'slope of the sole kept'];
  const planted = stance === 'moving' && slope !== null ? state.plantedSlope() : null;
  const goal = planted ?? (plausible ? slope : USUAL_SLOPE);
  const pitchToGoal = slope === null || goal === null ? 0 : goal - slope;
  rollBone(state, foot, LEFT, pitchToGoal);
  const pitch = findSolePitch(state, side);
  if (pitch !== null) {
    if (pitchToGoal !== 0 || Math.abs(pitch) > SOLE_NOISE) rollBone(state, foot, LEFT, pitch);
    return [1, 'the sole of the mesh'];
  }
  if (slope === null)
    return [stance === 'moving' ? 0.4 : 0.7, 'no toes show the slope of the sole, so that of the pose is kept'];
  if (planted !== null) return [0.8, 'slope taken from planted feet of the motion'];
  if (plausible) return [0.6, 'slope of the pose kept'];
  return [0.3, `a slope of ${formatDegrees(slope)} is out of range, so a typical slope is used`];
}

/** Returns the heading of the line from ankle to toes after a rotation, radians from the front; null without toes. */
function headingAfter(state: EstimatorState, side: Side, rotations: Float64Array, at: number): number | null {
  const [foot, toes] = [boneOf(side, 'Foot'), boneOf(side, 'Toes')];
  if (!hasBone(state, foot) || !hasBone(state, toes)) return null;
  const line = new Float64Array(3);
  vec3.subtract(line, 0, state.bonePositions, 3 * toes, state.bonePositions, 3 * foot);
  vec3.rotate(line, 0, rotations, at, line, 0);
  return Math.atan2(line[0], line[2]);
}

/**
 * Tests whether ankles do not bend, as in the zero pose of CMU's library, which spreads legs and feet by 20°, and in motions whose feet are rigid to the
 * shins: feet are parallel when they follow the legs, and not where they are. All legs must be straight already.
 */
function areRigidToShins(state: EstimatorState): boolean {
  const apart = (headingOf: (side: Side) => number | null): number => {
    const [left, right] = SIDES.map(headingOf);
    return left === null || right === null ? Number.NaN : Math.abs(left - right);
  };
  const inPlace = apart((side) => headingAfter(state, side, state.frame, 0));
  const withLegs = apart((side) =>
    headingAfter(state, side, state.corrections, 4 * presentParent(boneOf(side, 'Foot'), state.nodes)),
  );
  // Soles of meshes are flat. Their feet may turn out by just as much as legs that are spread.
  return inPlace > SAME_HEADING && withLegs <= SAME_HEADING && state.vertices() === null;
}

/**
 * Sets the initial correction of a foot. It is that of the whole character, because straightening the leg must not tilt
 * the sole. In a pose in motion that leaves the foot in the air, and of feet whose ankles do not bend, it is that of the shin.
 */
function startFoot(state: EstimatorState, side: Side, stance: LegStance): void {
  const foot = boneOf(side, 'Foot');
  quat.copy(state.corrections, 4 * foot, state.frame, 0);
  if (areRigidToShins(state)) followParent(state, foot);
  if (stance !== 'moving' || !hasBone(state, boneOf(side, 'Toes'))) return;
  const isAhead = correctedSegment(state, foot, boneOf(side, 'Toes'), foot)[2] > 0;
  if (!isAhead || !isPlausible(toeSlope(state, side))) followParent(state, foot);
}

/** Aligns a foot flat on the ground, independent of the leg, with its toes to the front. */
export function alignFoot(state: EstimatorState, side: Side, stance: LegStance): void {
  const foot = boneOf(side, 'Foot');
  if (!hasBone(state, foot)) return;
  startFoot(state, side, stance);
  const shown = headToFront(state, side);
  const [confidence, pitch] = stance === 'digitigrade' ? ([0.6, 'pitch kept'] as const) : layFlat(state, side, stance);
  // A foot that pointed down shows its heading when it is flat.
  const heading = shown ?? headToFront(state, side);
  followParent(state, boneOf(side, 'Toes'));
  const reason = `${heading ?? 'heading unknown'}; ${pitch}`;
  addFinding(state, `${side}Foot`, heading === null ? Math.min(confidence, 0.5) : confidence, reason);
}
