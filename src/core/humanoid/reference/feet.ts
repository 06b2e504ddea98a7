/** Feet in the T-pose: soles on the ground, toes to the front. */
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { soleHeading, solePitch } from './soles.ts';
import type { Stance } from './stance.ts';
import {
  boneOf,
  DEGREES,
  degrees,
  FRONT,
  find,
  followParent,
  has,
  LEFT,
  rollBy,
  rollTo,
  type Side,
  type TurnedBody,
  tipDirection,
  turnedSegment,
  UP,
} from './turned-body.ts';

/** A toe joint straight below the ankle (or a tip along the shin) tells no heading: at least this part of the way is horizontal. */
const AHEAD = 0.2;
/** Slopes of the way from ankle to toes of a foot that stands flat, radians below the horizontal: boots of chibis, bare feet. */
const FLATTEST = -5 / DEGREES;
const STEEPEST = 55 / DEGREES;
/** The usual one. */
const USUAL_SLOPE = 30 / DEGREES;
/** Pitch of a sole that is left as it stands: heels and toe caps are no planes. */
const SOLE_NOISE = 2 / DEGREES;

/** The way from the ankle to the toes, as the foot is turned; null when no joint shows it. */
function wayToToes(body: TurnedBody, side: Side): Float64Array | null {
  const foot = boneOf(side, 'Foot');
  const toes = boneOf(side, 'Toes');
  const way = has(body, toes) ? turnedSegment(body, foot, toes, foot) : tipDirection(body, foot);
  return way !== null && Math.hypot(way[0], way[2]) > AHEAD * vec3.length(way, 0) ? way : null;
}

/** Turns the foot about the vertical so that its toes point to the front; what showed where they point. */
function turnToFront(body: TurnedBody, side: Side): string | null {
  const way = wayToToes(body, side);
  const heading = way ?? soleHeading(body, side);
  if (heading === null) return null;
  const yaw = rollTo(UP, heading, FRONT) ?? 0;
  rollBy(body, boneOf(side, 'Foot'), UP, yaw);
  const turned = Math.abs(yaw) * DEGREES < 0.5 ? 'in place' : `turned by ${degrees(yaw)}`;
  return `heading by ${way === null ? 'the sole' : 'the toes'}, ${turned}`;
}

/** How steeply the toes go down from the ankle where that tells how the sole lies: null without a toe joint. */
function toeSlope(body: TurnedBody, side: Side): number | null {
  const foot = boneOf(side, 'Foot');
  const toes = boneOf(side, 'Toes');
  if (!has(body, toes)) return null;
  const way = turnedSegment(body, foot, toes, foot);
  return vec3.length(way, 0) > 0 ? Math.atan2(-way[1], Math.hypot(way[0], way[2])) : null;
}

function isPlausible(slope: number | null): boolean {
  return slope === null || (slope >= FLATTEST && slope <= STEEPEST);
}

/** Pitches the foot so that its sole is flat; how sure that is, and what showed it. */
function layFlat(body: TurnedBody, side: Side, stance: Stance): readonly [confidence: number, reason: string] {
  const foot = boneOf(side, 'Foot');
  const slope = toeSlope(body, side);
  const plausible = isPlausible(slope);
  if (stance !== 'moving' && slope !== null && plausible) return [1, 'the sole as it stands'];
  const planted = stance === 'moving' && slope !== null ? body.plantedSlope() : null;
  const goal = planted ?? (plausible ? slope : USUAL_SLOPE);
  const turn = slope === null || goal === null ? 0 : goal - slope;
  rollBy(body, foot, LEFT, turn);
  const pitch = solePitch(body, side);
  if (pitch !== null) {
    if (turn !== 0 || Math.abs(pitch) > SOLE_NOISE) rollBy(body, foot, LEFT, pitch);
    return [1, 'the sole of the mesh'];
  }
  if (slope === null)
    return [stance === 'moving' ? 0.4 : 0.7, 'no toes show how the sole lies: it stands as in the pose'];
  if (planted !== null) return [0.8, 'sloped as where it is planted in the motion'];
  if (plausible) return [0.6, 'sloped as in the pose'];
  return [0.3, `no foot that stands slopes by ${degrees(slope)}: sloped as usual`];
}

/**
 * The turn from which a foot starts: that of the body as a whole, for straightening the leg must not tilt the sole. In a pose of movement
 * that leaves it in the air, that of the shin.
 */
function startFoot(body: TurnedBody, side: Side, stance: Stance): void {
  const foot = boneOf(side, 'Foot');
  quat.copy(body.turns, 4 * foot, body.attitude, 0);
  if (stance !== 'moving' || !has(body, boneOf(side, 'Toes'))) return;
  const isAhead = turnedSegment(body, foot, boneOf(side, 'Toes'), foot)[2] > 0;
  if (!isAhead || !isPlausible(toeSlope(body, side))) followParent(body, foot);
}

/** Sets a foot flat on the ground, whatever the leg did, and turns its toes to the front. */
export function alignFoot(body: TurnedBody, side: Side, stance: Stance): void {
  const foot = boneOf(side, 'Foot');
  if (!has(body, foot)) return;
  startFoot(body, side, stance);
  const heading = turnToFront(body, side);
  const [confidence, pitch] =
    stance === 'digitigrade' ? ([0.6, 'left as it stands'] as const) : layFlat(body, side, stance);
  followParent(body, boneOf(side, 'Toes'));
  const reason = `${heading ?? 'nothing shows its heading'}; ${pitch}`;
  find(body, `${side}Foot`, heading === null ? Math.min(confidence, 0.5) : confidence, reason);
}
