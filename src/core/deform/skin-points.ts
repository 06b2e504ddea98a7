/** Points of the surface of a character that move with the nodes of its skeleton: skinned vertices, or spheres around joints. */
import type { Floats } from '../math/floats.ts';
import { axisSign, type PoseSigns } from '../skeleton/reflections.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';

export const OFFSET_STRIDE = 4;

/** Points that move with nodes, each by linear blend skinning with any number of influences. Plain data. */
export interface SkinPoints {
  /** First influence of every point, then the number of influences. */
  readonly starts: Int32Array;
  /** Node of every influence. */
  readonly nodes: Int32Array;
  /** Per influence the weighted position in the space of its node, and the weight: `w·x, w·y, w·z, w`. The weights of a point add up to 1. */
  readonly offsets: Float64Array;
  /** 1 for vertices of rigid meshes, which may be weapons and other accessories, else 0. */
  readonly rigid: Uint8Array;
  /** Radius of the surface around every point, canonical meters; 0 for vertices. */
  readonly radii: Float64Array;
  /** Triangles of the meshes between the points, three points each, counterclockwise seen from outside; empty without meshes. */
  readonly triangles: Int32Array;
}

export function countPoints({ starts }: SkinPoints): number {
  return starts.length - 1;
}

/** Returns the node with the largest weight of a point. */
export function mainNode({ starts, nodes, offsets }: SkinPoints, point: number): number {
  let best = starts[point];
  for (let i = best + 1; i < starts[point + 1]; i++) {
    if (offsets[OFFSET_STRIDE * i + 3] > offsets[OFFSET_STRIDE * best + 3]) best = i;
  }
  return nodes[best];
}

export function selectPoints(points: SkinPoints, chosen: ArrayLike<number>): SkinPoints {
  const starts = new Int32Array(chosen.length + 1);
  for (let k = 0; k < chosen.length; k++) {
    starts[k + 1] = starts[k] + points.starts[chosen[k] + 1] - points.starts[chosen[k]];
  }
  const nodes = new Int32Array(starts[chosen.length]);
  const offsets = new Float64Array(OFFSET_STRIDE * nodes.length);
  for (let k = 0; k < chosen.length; k++) {
    const shift = points.starts[chosen[k]] - starts[k];
    for (let i = starts[k]; i < starts[k + 1]; i++) nodes[i] = points.nodes[i + shift];
    for (let i = OFFSET_STRIDE * starts[k]; i < OFFSET_STRIDE * starts[k + 1]; i++) {
      offsets[i] = points.offsets[i + OFFSET_STRIDE * shift];
    }
  }
  return {
    starts,
    nodes,
    offsets,
    rigid: Uint8Array.from(chosen, (point) => points.rigid[point]),
    radii: Float64Array.from(chosen, (point) => points.radii[point]),
    triangles: new Int32Array(0),
  };
}

/**
 * Mirrors points across the plane x = 0, for a skeleton after `mirrorHumanoid`.
 *
 * @returns A copy.
 */
export function mirrorSkinPoints(points: SkinPoints): SkinPoints {
  const { offsets, triangles } = points;
  return {
    ...points,
    offsets: offsets.map((value, k) => (k % OFFSET_STRIDE === 0 ? -value : value)),
    // The second and the third corner are swapped, so that the outside stays outside.
    triangles: triangles.map((_, k) => triangles[k % 3 === 0 ? k : k % 3 === 1 ? k + 1 : k - 1]),
  };
}

/**
 * Converts points to the spaces of the nodes of the same rig without negative scales. `signs`: from `findReflections`; null for a rig that has
 * none.
 */
export function reflectSkinPoints(points: SkinPoints, signs: PoseSigns | null): SkinPoints {
  if (signs === null) return points;
  const offsets = points.offsets.map((value, k) => {
    const axis = k % OFFSET_STRIDE;
    return axis === 3 ? value : value * axisSign(signs, points.nodes[Math.floor(k / OFFSET_STRIDE)], axis);
  });
  return { ...points, offsets };
}

/** Computes the position of a point in a pose. `out` receives xyz at `o`. `matrices`: model matrices of all nodes: 16 floats per node. */
export function skinPoint(out: Floats, o: number, points: SkinPoints, point: number, matrices: Floats): void {
  const { starts, nodes, offsets } = points;
  let x = 0;
  let y = 0;
  let z = 0;
  for (let i = starts[point]; i < starts[point + 1]; i++) {
    const m = MATRIX_STRIDE * nodes[i];
    const at = OFFSET_STRIDE * i;
    const px = offsets[at];
    const py = offsets[at + 1];
    const pz = offsets[at + 2];
    const w = offsets[at + 3];
    x += matrices[m] * px + matrices[m + 4] * py + matrices[m + 8] * pz + matrices[m + 12] * w;
    y += matrices[m + 1] * px + matrices[m + 5] * py + matrices[m + 9] * pz + matrices[m + 13] * w;
    z += matrices[m + 2] * px + matrices[m + 6] * py + matrices[m + 10] * pz + matrices[m + 14] * w;
  }
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
}

/** Computes the positions of all points in a pose. `matrices`: model matrices of all nodes: 16 floats per node. Returns xyz per point. */
export function skinAllPoints(points: SkinPoints, matrices: Floats): Float64Array {
  const count = countPoints(points);
  const positions = new Float64Array(3 * count);
  for (let point = 0; point < count; point++) skinPoint(positions, 3 * point, points, point, matrices);
  return positions;
}

/**
 * Computes the height of the lowest of some consecutive points. `up`: up direction in model space, times meters per unit: xyz. `matrices`: model
 * matrices of all nodes: 16 floats per node. Returns canonical meters; Infinity without points.
 */
export function lowestHeight(
  { starts, nodes, offsets, radii }: SkinPoints,
  from: number,
  to: number,
  up: ArrayLike<number>,
  matrices: Floats,
): number {
  const ux = up[0];
  const uy = up[1];
  const uz = up[2];
  let lowest = Number.POSITIVE_INFINITY;
  // Row of heights of the last matrix: neighboring points mostly move with the same node.
  let last = -1;
  let x = 0;
  let y = 0;
  let z = 0;
  let w = 0;
  for (let point = from; point < to; point++) {
    let height = -radii[point];
    for (let i = starts[point]; i < starts[point + 1]; i++) {
      if (nodes[i] !== last) {
        last = nodes[i];
        const m = MATRIX_STRIDE * last;
        x = ux * matrices[m] + uy * matrices[m + 1] + uz * matrices[m + 2];
        y = ux * matrices[m + 4] + uy * matrices[m + 5] + uz * matrices[m + 6];
        z = ux * matrices[m + 8] + uy * matrices[m + 9] + uz * matrices[m + 10];
        w = ux * matrices[m + 12] + uy * matrices[m + 13] + uz * matrices[m + 14];
      }
      const at = OFFSET_STRIDE * i;
      height += x * offsets[at] + y * offsets[at + 1] + z * offsets[at + 2] + w * offsets[at + 3];
    }
    if (height < lowest) lowest = height;
  }
  return lowest;
}
