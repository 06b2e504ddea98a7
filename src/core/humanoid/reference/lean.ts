/**
 * Leaning. A trunk keeps its lean (it may be the character's own), but an arm that hangs in the plane of a leaning trunk has leant with it:
 * raised by the shortest way, it would keep the lean as a roll about its own axis.
 *
 * A lean cannot be told from the shape of a back, nor from arms held to the front, by one of them alone. So only what shoulders,
 * neck and the arm itself agree on is a lean: the smallest of the three, nothing where one of them says the contrary.
 */
import * as vec3 from '../../math/vec3.ts';
import { BONE } from '../bones.ts';
import { type BodyLines, bodyLines } from './metric-frame.ts';
import { nextInChain, tChain } from './t-pose.ts';
import { boneOf, DEGREES, has, type Side, type TurnedBody, turnedSegment } from './turned-body.ts';

/**
 * How far shoulders and neck of somebody upright lie behind the hip joints, seen from these, radians. Of 24 different characters at rest
 * the shoulders by 3.0° (standard deviation 4.4°), the neck by 2.6° (3.1°); of
 * the seven with the proportions of people by 3 to 7° and 2 to 6°. Taken between these and the bodies of the demo (3.4 to 4.2°).
 */
const BEHIND = 3.5 / DEGREES;
/** Tangent of 20°: no trunk leans more than that and keeps it; an arm that is further out of the upright is held to the front or the back. */
const STEEPEST = Math.tan(20 / DEGREES);
/**
 * Length, in parts of the arm, by which it must go down (or up) beyond that for the plane in which it hangs to count in full; below
 * that in part, so that poses that differ by little get turns that differ by little. An arm along X shows no plane and stays as it is.
 */
const HANGS = 0.1;

/** What two measures agree on: the smaller of them, 0 when they have different signs. */
function agreed(a: number, b: number): number {
  return a * b > 0 ? Math.sign(a) * Math.min(Math.abs(a), Math.abs(b)) : 0;
}

/** The lines of hips and shoulders in the pose, axes of the file; null when one of them is missing. */
export function linesOf({ points, nodes }: TurnedBody): BodyLines | null {
  return bodyLines(
    points,
    Int32Array.from(nodes, (node, bone) => (node < 0 ? -1 : bone)),
  );
}

/** By how much the trunk, as it has been turned, leans to the front, radians; below 0 to the back. */
export function trunkLean(body: TurnedBody): number {
  const lines = linesOf(body);
  if (lines === null) return 0;
  const lean = (line: Float64Array): number => {
    vec3.rotate(line, 0, body.turns, 4 * BONE.hips, line, 0);
    return Math.atan2(line[2], line[1]) + BEHIND;
  };
  const shoulders = lean(lines.up);
  if (!has(body, BONE.neck)) return shoulders;
  const neck = new Float64Array(3);
  vec3.subtract(neck, 0, body.points, 3 * BONE.neck, lines.bottom, 0);
  return agreed(shoulders, lean(neck));
}

/** By how much an upper arm that has been turned with the trunk leans to the front with it, radians; `trunk` is how much that does. */
export function armLean(body: TurnedBody, side: Side, trunk: number): number {
  const upper = boneOf(side, 'UpperArm');
  const next = nextInChain(tChain(upper), upper, body.nodes, body.points);
  if (next < 0) return 0;
  const arm = turnedSegment(body, upper, next, upper);
  vec3.normalize(arm, 0, arm, 0);
  const [, up, front] = arm;
  const shown = Math.min((Math.abs(up) - Math.abs(front) / STEEPEST) / HANGS, 1);
  if (!(shown > 0)) return 0;
  return shown * shown * (3 - 2 * shown) * agreed(Math.atan(front / up), trunk);
}
