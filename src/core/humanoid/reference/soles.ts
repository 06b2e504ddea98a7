/** What the vertices of a foot show: how its sole lies, and where it points. */
import { nodesBelow, posedPoints } from './bound-points.ts';
import { boneOf, DEGREES, type Side, type TurnedBody } from './turned-body.ts';

/** Vertices that a foot has at least. */
const FEWEST_VERTICES = 8;
/** The edge on which a foot stands is at least this part of its length. */
const LONG_EDGE = 0.4;
/** Soles are not steeper than this once the foot stands about as it should, radians. */
const STEEPEST = 50 / DEGREES;
/** A foot is longer to the front than to the back by this factor. */
const LONGER_AHEAD = 1.3;
/** Headings of a mesh nearer than this to the front are taken for it: feet are not symmetric. */
const STRAIGHT = 10 / DEGREES;

/** Vertices of a foot and its toes around the ankle, as the foot is turned: xyz each; null where there are too few. */
function footPoints(body: TurnedBody, side: Side): Float64Array | null {
  const vertices = body.vertices();
  if (vertices === null) return null;
  const foot = boneOf(side, 'Foot');
  const wanted = nodesBelow(body.skeleton, body.nodes[foot], []);
  const ankle = body.points.subarray(3 * foot, 3 * foot + 3);
  const turn = body.turns.subarray(4 * foot, 4 * foot + 4);
  const points = posedPoints(body.skeleton, body.pose, vertices, wanted, ankle, turn);
  return points.length >= 3 * FEWEST_VERTICES ? points : null;
}

/** The lower side of the convex hull of points seen from the side: [z, y] from the heel to the toes (Andrew's monotone chain). */
function lowerHull(points: Float64Array): (readonly [number, number])[] {
  const seen = Array.from({ length: points.length / 3 }, (_, k) => [points[3 * k + 2], points[3 * k + 1]] as const);
  seen.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const hull: (readonly [number, number])[] = [];
  for (const point of seen) {
    while (hull.length >= 2) {
      const [a, b] = hull.slice(-2);
      const turn = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]);
      if (turn > 0) break;
      hull.pop();
    }
    hull.push(point);
  }
  return hull;
}

/**
 * Slope of the sole of a foot that points to the front and stands about as it should, radians, positive when it rises to the toes: that of
 * the longest edge that a straight floor could touch from below. Null without a mesh, or with one that has no such edge.
 */
export function solePitch(body: TurnedBody, side: Side): number | null {
  const points = footPoints(body, side);
  if (points === null) return null;
  const hull = lowerHull(points);
  const length = hull[hull.length - 1][0] - hull[0][0];
  let longest = 0;
  let pitch = 0;
  for (let k = 1; k < hull.length; k++) {
    const run = hull[k][0] - hull[k - 1][0];
    const rise = hull[k][1] - hull[k - 1][1];
    if (Math.hypot(run, rise) <= longest) continue;
    longest = Math.hypot(run, rise);
    pitch = Math.atan2(rise, run);
  }
  return longest >= LONG_EDGE * length && Math.abs(pitch) <= STEEPEST ? pitch : null;
}

/**
 * Where a foot without toe joints points, as it is turned: from the ankle to the farthest of its vertices, seen from above. Null
 * without a mesh, or with one that does not show it.
 */
export function soleHeading(body: TurnedBody, side: Side): Float64Array | null {
  const points = footPoints(body, side);
  if (points === null) return null;
  const reach = (o: number): number => Math.hypot(points[o], points[o + 2]);
  let farthest = 0;
  for (let o = 0; o < points.length; o += 3) if (reach(o) > reach(farthest)) farthest = o;
  const ahead = reach(farthest);
  let behind = 0;
  for (let o = 0; o < points.length; o += 3) {
    const along = -(points[o] * points[farthest] + points[o + 2] * points[farthest + 2]) / ahead;
    behind = Math.max(behind, along);
  }
  if (ahead < LONGER_AHEAD * behind) return null;
  const heading = Math.atan2(points[farthest], points[farthest + 2]);
  return Math.abs(heading) < STRAIGHT
    ? Float64Array.of(0, 0, 1)
    : Float64Array.of(Math.sin(heading), 0, Math.cos(heading));
}
