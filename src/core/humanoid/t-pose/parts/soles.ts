import { DEGREES_PER_RADIAN } from '../../../math/euler.ts';
import type { Side } from '../../bones.ts';
import { markSubtree, poseVertices } from '../bound-vertices.ts';
import { boneOf, type EstimatorState } from '../estimator-state.ts';

const MIN_VERTICES = 8;
/** Edges of a sole within this angle, radians, count as one: vertices between them are off the plane by rounding. */
const ONE_EDGE = 0.5 / DEGREES_PER_RADIAN;
/** Minimum length of the edge on the ground, as a fraction of the foot. */
const LONG_EDGE = 0.4;
/** Maximum slope of a sole of a roughly aligned foot, radians. */
const STEEPEST = 50 / DEGREES_PER_RADIAN;
/** A foot is longer to the front than to the back by this factor. */
const LONGER_AHEAD = 1.3;
/** A heading within this angle of the front, radians, counts as the front: feet are not symmetric. */
const STRAIGHT = 10 / DEGREES_PER_RADIAN;

/** Positions of the vertices of a foot and its toes relative to the ankle, corrected, xyz; null where there are too few. */
function footPoints(state: EstimatorState, side: Side): Float64Array | null {
  const vertices = state.vertices();
  if (vertices === null) return null;
  const foot = boneOf(side, 'Foot');
  const wanted = markSubtree(state.skeleton, state.nodes[foot], []);
  const ankle = state.bonePositions.subarray(3 * foot, 3 * foot + 3);
  const correction = state.corrections.subarray(4 * foot, 4 * foot + 4);
  const points = poseVertices(state.skeleton, state.pose, vertices, wanted, ankle, correction);
  return points.length >= 3 * MIN_VERTICES ? points : null;
}

/** Lower side of the convex hull of points seen from the side: [z, y] from heel to toes (Andrew's monotone chain). */
function lowerHull(points: Float64Array): (readonly [number, number])[] {
  const seen = Array.from({ length: points.length / 3 }, (_, k) => [points[3 * k + 2], points[3 * k + 1]] as const);
  seen.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const hull: (readonly [number, number])[] = [];
  for (const point of seen) {
    while (hull.length >= 2) {
      const [a, b] = hull.slice(-2);
      const cross = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]);
      if (cross > 0) break;
      hull.pop();
    }
    hull.push(point);
  }
  return hull;
}

/** Length and slope between two corners of a hull; the slope in radians, positive when it rises toward the toes. */
function edge(
  from: readonly [number, number],
  to: readonly [number, number],
): readonly [length: number, slope: number] {
  const [run, rise] = [to[0] - from[0], to[1] - from[1]];
  return [Math.hypot(run, rise), Math.atan2(rise, run)];
}

/**
 * Measures the slope of the sole of a foot that points to the front: the slope of the longest edge that a flat floor could touch from below.
 * Returns radians, positive when the sole rises toward the toes; null without a mesh or without such an edge.
 */
export function findSolePitch(state: EstimatorState, side: Side): number | null {
  const points = footPoints(state, side);
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
 * Measures where a foot without toe joints points: from the ankle to its farthest vertex, seen from above. Returns horizontal unit direction xyz;
 * null without a mesh that shows it.
 */
export function findSoleHeading(state: EstimatorState, side: Side): Float64Array | null {
  const points = footPoints(state, side);
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
