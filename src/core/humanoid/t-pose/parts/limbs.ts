/** Aligns a limb of two segments along one direction. The hinge between them shows the roll of the upper segment. */
import { DEGREES_PER_RADIAN } from '../../../math/euler.ts';
import * as vec3 from '../../../math/vec3.ts';
import type { Side } from '../../bones.ts';
import {
  boneOf,
  correctedSegment,
  type Direction,
  type EstimatorState,
  followParent,
  formatDegrees,
  hasBone,
  LEFT,
  rollAngleTo,
  rollBone,
  swingBone,
} from '../estimator-state.ts';
import { findChain, nextInChain } from '../t-pose-chains.ts';

/** A hinge bent more than this, radians, shows its axis, whatever the roll is. */
const HINGE = 30 / DEGREES_PER_RADIAN;
/** A hinge bent at least this much, radians, shows its axis if the roll is small. Below is the natural side bend of a leg. */
const SLIGHT_HINGE = 8 / DEGREES_PER_RADIAN;
/** Maximum roll, radians, that a slight bend is trusted with. */
const SLIGHT_HINGE_ROLL = 20 / DEGREES_PER_RADIAN;
/** Beyond this angle, radians, the direct movement of a limb is likely but not certain. */
const FAR = 100 / DEGREES_PER_RADIAN;
/** Beyond this angle, radians, the roll of a straight limb is uncertain. */
const ROLL_UNCERTAIN = 60 / DEGREES_PER_RADIAN;

export interface LimbSpec {
  readonly side: Side;
  /** Upper bone, lower bone and the bone at the end, without their side. */
  readonly bones: readonly [upper: string, lower: string, end: string];
  /** Intermediate direction when the limb is nearly opposite to its goal. */
  readonly via: Direction;
  /** Axis about which the middle joint bends in the T-pose. */
  readonly hinge: Direction;
  readonly joint: 'elbow' | 'knee';
  /** Lean of the upper bone to the front together with the trunk, radians. It is undone before the bone swings. */
  readonly lean: number;
}

/** How a limb was aligned. */
export interface LimbAlignment {
  /** Angle between the worst segment and its direction, radians. */
  readonly moved: number;
  /** Bend of the middle joint in the pose, radians; null where it is missing. */
  readonly bend: number | null;
  /** Whether the hinge showed the roll. */
  readonly hinged: boolean;
}

/** Roll of an aligned upper bone that the hinge shows, radians; null when it shows no axis. */
function hingeRoll(direction: Direction, lower: Direction, hinge: Direction): number | null {
  const bend = vec3.angleBetween(lower, 0, direction, 0);
  if (bend < SLIGHT_HINGE) return null;
  const axis = new Float64Array(3);
  vec3.cross(axis, 0, direction, 0, lower, 0);
  const roll = rollAngleTo(direction, axis, hinge);
  if (roll === null || (bend < HINGE && Math.abs(roll) > SLIGHT_HINGE_ROLL)) return null;
  return roll;
}

/** Aligns both segments of a limb along its direction, and rolls the upper one where the hinge shows its axis. */
export function alignLimb(state: EstimatorState, { side, bones, via, hinge, lean }: LimbSpec): LimbAlignment {
  const [upper, lower, end] = bones.map((part) => boneOf(side, part));
  const chain = findChain(upper);
  const { direction } = chain;
  let moved = 0;
  let bend: number | null = null;
  let hinged = false;
  for (const bone of [upper, lower]) {
    followParent(state, bone);
    const next = hasBone(state, bone) ? nextInChain(chain, bone, state.nodes, state.bonePositions) : -1;
    if (next < 0) continue;
    if (bone === upper && lean !== 0) rollBone(state, upper, LEFT, -lean);
    const off = swingBone(state, bone, correctedSegment(state, bone, next, bone), direction, via);
    if (bone === upper || !hasBone(state, upper)) moved = off;
    if (bone !== upper || next !== lower) continue;
    const last = nextInChain(chain, lower, state.nodes, state.bonePositions);
    if (last !== end) continue;
    const segment = correctedSegment(state, lower, last, upper);
    bend = vec3.angleBetween(segment, 0, direction, 0);
    const roll = hingeRoll(direction, segment, hinge);
    if (roll === null) continue;
    hinged = true;
    rollBone(state, upper, direction, roll);
  }
  return { moved, bend, hinged };
}

export function limbConfidence({ moved, bend, hinged }: LimbAlignment): number {
  if (bend === null) return 0.5;
  if (moved > FAR) return hinged ? 0.6 : 0.4;
  return !hinged && moved > ROLL_UNCERTAIN ? 0.8 : 1;
}

export function limbReason({ moved, bend, hinged }: LimbAlignment, { joint, lean }: LimbSpec): string {
  const off = moved * DEGREES_PER_RADIAN < 0.5 ? 'in place' : `moved by ${formatDegrees(moved)}`;
  if (bend === null) return `${off}; a segment is missing or has no length`;
  if (hinged) return `${off}; ${joint} bent by ${formatDegrees(bend)} shows the roll`;
  const bending = bend < SLIGHT_HINGE ? 'straight' : `bent to the side by ${formatDegrees(bend)}`;
  const start =
    Math.abs(lean) * DEGREES_PER_RADIAN < 0.5 ? '' : ` after undoing its lean with the trunk (${formatDegrees(lean)})`;
  return `${off}; ${joint} ${bending}, roll from the shortest arc${start}`;
}
