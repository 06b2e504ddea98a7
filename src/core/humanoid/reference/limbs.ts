/** What arms and legs have in common: two segments that are laid along one direction, and a hinge between them that shows the roll of the upper one. */
import * as vec3 from '../../math/vec3.ts';
import { nextInChain, tChain } from './t-pose.ts';
import {
  boneOf,
  DEGREES,
  type Direction,
  degrees,
  followParent,
  has,
  LEFT,
  rollBy,
  rollTo,
  type Side,
  swing,
  type TurnedBody,
  turnedSegment,
} from './turned-body.ts';

/** A hinge bent more than this shows its axis, whatever roll that asks for, radians. */
const HINGE = 30 / DEGREES;
/** One bent by this at least shows it too where that asks for no great roll: less would be the side bend of a real leg. */
const SLIGHT_HINGE = 8 / DEGREES;
const SLIGHT_HINGE_ROLL = 20 / DEGREES;
/** An arm or leg further from its place than this is moved in the most likely way, not in a certain one. */
const FAR = 100 / DEGREES;
/** A straight limb that is moved further than this has an uncertain roll. */
const ROLL_UNSURE = 60 / DEGREES;

export interface LimbShape {
  readonly side: Side;
  /** Upper bone, lower bone, and the one at its end. */
  readonly bones: readonly [upper: string, lower: string, end: string];
  /** How nearly opposite directions go. */
  readonly way: Direction;
  /** About what the middle joint bends, in the T-pose. */
  readonly hinge: Direction;
  readonly joint: 'elbow' | 'knee';
  /** By how much the upper bone leans to the front with the trunk, radians: that is taken back before it is swung. */
  readonly lean: number;
}

/** What was done to a limb. */
export interface Alignment {
  /** Angle that the worst segment was off, radians. */
  readonly moved: number;
  /** Bend of the middle joint in the pose, radians; null where it is missing. */
  readonly bend: number | null;
  /** Whether the hinge showed the roll. */
  readonly hinged: boolean;
}

/** By how much the hinge asks to roll the upper bone, which lies along its direction already; null when it shows no axis. */
function hingeRoll(direction: Direction, lower: Direction, hinge: Direction): number | null {
  const bend = vec3.angleBetween(lower, 0, direction, 0);
  if (bend < SLIGHT_HINGE) return null;
  const axis = new Float64Array(3);
  vec3.cross(axis, 0, direction, 0, lower, 0);
  const roll = rollTo(direction, axis, hinge);
  if (roll === null || (bend < HINGE && Math.abs(roll) > SLIGHT_HINGE_ROLL)) return null;
  return roll;
}

/** Lays both segments of a limb along its direction, the upper one rolled by the hinge where that shows its axis. */
export function alignLimb(body: TurnedBody, { side, bones, way, hinge, lean }: LimbShape): Alignment {
  const [upper, lower, end] = bones.map((part) => boneOf(side, part));
  const chain = tChain(upper);
  const { direction } = chain;
  let moved = 0;
  let bend: number | null = null;
  let hinged = false;
  for (const bone of [upper, lower]) {
    followParent(body, bone);
    const next = has(body, bone) ? nextInChain(chain, bone, body.nodes, body.points) : -1;
    if (next < 0) continue;
    if (bone === upper && lean !== 0) rollBy(body, upper, LEFT, -lean);
    const off = swing(body, bone, turnedSegment(body, bone, next, bone), direction, way);
    if (bone === upper || !has(body, upper)) moved = off;
    if (bone !== upper || next !== lower) continue;
    const last = nextInChain(chain, lower, body.nodes, body.points);
    if (last !== end) continue;
    const segment = turnedSegment(body, lower, last, upper);
    bend = vec3.angleBetween(segment, 0, direction, 0);
    const roll = hingeRoll(direction, segment, hinge);
    if (roll === null) continue;
    hinged = true;
    rollBy(body, upper, direction, roll);
  }
  return { moved, bend, hinged };
}

/** How sure the place of a limb is, 0…1. */
export function limbConfidence({ moved, bend, hinged }: Alignment): number {
  if (bend === null) return 0.5;
  if (moved > FAR) return hinged ? 0.6 : 0.4;
  return !hinged && moved > ROLL_UNSURE ? 0.8 : 1;
}

/** What was done to a limb, in plain words. */
export function limbReason({ moved, bend, hinged }: Alignment, { joint, lean }: LimbShape): string {
  const off = moved * DEGREES < 0.5 ? 'in place' : `moved by ${degrees(moved)}`;
  if (bend === null) return `${off}; a segment is missing or has no length`;
  if (hinged) return `${off}; ${joint} bent by ${degrees(bend)} shows the roll`;
  const way = bend < SLIGHT_HINGE ? 'straight' : `bent to the side by ${degrees(bend)}`;
  const start = Math.abs(lean) * DEGREES < 0.5 ? '' : ` once its lean with the trunk (${degrees(lean)}) is taken back`;
  return `${off}; ${joint} ${way}, the roll is that of the shortest way${start}`;
}
