/** What the vertices of a foot show: how its sole lies, and where it points. */
import { nodesBelow, posedPoints } from './bound-points.ts';
import { boneOf, DEGREES, type Side, type TurnedBody } from './turned-body.ts';

/** Vertices that a foot has at least. */
const FEWEST_VERTICES = 8;
/** Edges of a sole that bend up by no more than this are one: vertices in between are off the plane by rounding, radians. */
const ONE_EDGE = 0.5 / DEGREES;
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

/** From one corner of a hull to another: length, and slope in radians, positive when it rises to the toes. */
function edge(
  from: readonly [number, number],
  to: readonly [number, number],
): readonly [length: number, slope: number] {
  const [run, rise] = [to[0] - from[0], to[1] - from[1]];
  return [Math.hypot(run, rise), Math.atan2(rise, run)];
}

/**
 * Slope of the sole of a foot that points to the front and stands about as it should, radians, positive when it rises to the toes: that of
 * the longest edge that a straight floor could touch from below. Null without a mesh, or with one that has no such edge.
 */
export function solePitch(body: TurnedBody, side: Side): number | null {
  const points = footPoints(body, side);
  if (points === null) return null;
  const hull = lowerHull(points);
  const foot = hull[hull.length - 1][0] - hull[0][0];
  let longest = 0;
  let pitch = 0;
  for (let first = 0; first + 1 < hull.length; first++) {
    const start = edge(hull[first], hull[first + 1])[1];
    let last = first + 1;
    while (last + 1 < hull.length && edge(hull[last], hull[last + 1])[1] - start < ONE_EDGE) last++;
    const [length, slope] = edge(hull[first], hull[last]);
    if (length <= longest) continue;
    longest = length;
    pitch = slope;
  }
  return longest >= LONG_EDGE * foot && Math.abs(pitch) <= STEEPEST ? pitch : null;
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
