/** Groups of points with bounds of their heights: most of a trunk is too high to have its lowest point. */

import { lowestHeight, OFFSET_STRIDE, type SkinPoints } from '../../deform/skin-points.ts';
import type { Floats } from '../../math/floats.ts';
import * as vec3 from '../../math/vec3.ts';
import { MATRIX_STRIDE } from '../../skeleton/skeleton.ts';

/** Floats per sphere: center, radius. */
const SPHERE_STRIDE = 4;
/** By how much bounds are lowered, relative to heights: far above rounding, and above what weights in float32 miss of 1. */
const BOUND_MARGIN = 1e-6;

/** Consecutive points in groups. Plain data. */
export interface PointGroups {
  /** First point of every group, then the end of the last one. */
  readonly starts: Int32Array;
  /** First sphere of every group, then the number of spheres. */
  readonly firstSpheres: Int32Array;
  /** Node of every sphere: each node that points of the group move with has one. */
  readonly nodes: Int32Array;
  /** Per sphere center and radius in the space of its node: around the points of the group as far as they move with that node. */
  readonly spheres: Float64Array;
  /** Largest radius of the points of every group, canonical meters. */
  readonly radii: Float64Array;
}

function positionsByNode({ starts, nodes, offsets }: SkinPoints, from: number, to: number): Map<number, number[]> {
  const positions = new Map<number, number[]>();
  for (let i = starts[from]; i < starts[to]; i++) {
    const at = OFFSET_STRIDE * i;
    const weight = offsets[at + 3];
    const known = positions.get(nodes[i]) ?? [];
    positions.set(nodes[i], known);
    // A weight of 0 has no position, and a negative one no bound.
    for (let c = 0; c < 3; c++) known.push(weight > 0 ? offsets[at + c] / weight : Number.POSITIVE_INFINITY);
  }
  return positions;
}

/** A sphere around points; of infinite radius where they are not finite. */
function sphereAround(points: readonly number[]): readonly number[] {
  const count = points.length / 3;
  const center = [0, 0, 0];
  for (let k = 0; k < points.length; k++) center[k % 3] += points[k] / count;
  let radius = 0;
  for (let k = 0; k < points.length; k += 3) radius = Math.max(radius, vec3.distance(points, k, center, 0));
  return Number.isFinite(radius) ? [...center, radius] : [0, 0, 0, Number.POSITIVE_INFINITY];
}

export function groupPoints(points: SkinPoints, bones: ArrayLike<number>, to: number): PointGroups {
  const starts: number[] = [];
  for (let point = 0; point < to; point++) if (point === 0 || bones[point] !== bones[point - 1]) starts.push(point);
  const [firstSpheres, nodes, spheres, radii]: number[][] = [[0], [], [], []];
  for (const [group, from] of starts.entries()) {
    const end = starts[group + 1] ?? to;
    for (const [node, positions] of positionsByNode(points, from, end)) {
      nodes.push(node);
      spheres.push(...sphereAround(positions));
    }
    firstSpheres.push(nodes.length);
    radii.push(points.radii.subarray(from, end).reduce((most, radius) => Math.max(most, radius), 0));
  }
  return {
    starts: Int32Array.from([...starts, to]),
    firstSpheres: Int32Array.from(firstSpheres),
    nodes: Int32Array.from(nodes),
    spheres: Float64Array.from(spheres),
    radii: Float64Array.from(radii),
  };
}

/** Returns a height that no point of a group is below: the weights of a point add up to 1, so that it is not below all of its nodes' spheres. */
function lowestBound(
  { firstSpheres, nodes, spheres, radii }: PointGroups,
  group: number,
  up: ArrayLike<number>,
  matrices: Floats,
): number {
  const ux = up[0];
  const uy = up[1];
  const uz = up[2];
  let lowest = Number.POSITIVE_INFINITY;
  for (let s = firstSpheres[group]; s < firstSpheres[group + 1]; s++) {
    const m = MATRIX_STRIDE * nodes[s];
    const at = SPHERE_STRIDE * s;
    const x = ux * matrices[m] + uy * matrices[m + 1] + uz * matrices[m + 2];
    const y = ux * matrices[m + 4] + uy * matrices[m + 5] + uz * matrices[m + 6];
    const z = ux * matrices[m + 8] + uy * matrices[m + 9] + uz * matrices[m + 10];
    const w = ux * matrices[m + 12] + uy * matrices[m + 13] + uz * matrices[m + 14];
    const center = x * spheres[at] + y * spheres[at + 1] + z * spheres[at + 2] + w;
    const reach = Math.sqrt(x * x + y * y + z * z) * spheres[at + 3];
    lowest = Math.min(lowest, center - reach - BOUND_MARGIN * (Math.abs(center) + reach + Math.abs(w)));
  }
  return lowest - radii[group];
}

/**
 * Computes the height of the lowest point of all groups: the same as `lowestHeight`. `up`: up direction in model space, times meters per unit: xyz.
 * `matrices`: model matrices of all nodes: 16 floats per node. Returns canonical meters; Infinity without points.
 */
export function lowestOfGroups(
  groups: PointGroups,
  points: SkinPoints,
  up: ArrayLike<number>,
  matrices: Floats,
): number {
  const { starts } = groups;
  const count = starts.length - 1;
  let first = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let group = 0; group < count; group++) {
    const bound = lowestBound(groups, group, up, matrices);
    if (first >= 0 && !(bound < least)) continue;
    first = group;
    least = bound;
  }
  if (first < 0) return Number.POSITIVE_INFINITY;
  let lowest = lowestHeight(points, starts[first], starts[first + 1], up, matrices);
  for (let group = 0; group < count; group++) {
    if (group === first || lowestBound(groups, group, up, matrices) >= lowest) continue;
    lowest = Math.min(lowest, lowestHeight(points, starts[group], starts[group + 1], up, matrices));
  }
  return lowest;
}
