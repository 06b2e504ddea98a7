/** The obvious forward kinematics of an asset: rotation matrices and positions of all nodes in every frame. */
import type { Asset } from '../../../src/core/asset/asset.ts';
import { POSE_STRIDE } from '../../../src/core/skeleton/skeleton.ts';

/** A 3×3 matrix by rows. */
export type Matrix = readonly number[];

export function matrixOf([x, y, z, w]: ArrayLike<number> & Iterable<number>): Matrix {
  return [
    ...[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    ...[2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    ...[2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
}

export function product(a: Matrix, b: Matrix): Matrix {
  return Array.from({ length: 9 }, (_, k) => {
    const [row, column] = [Math.floor(k / 3), k % 3];
    return a[3 * row] * b[column] + a[3 * row + 1] * b[3 + column] + a[3 * row + 2] * b[6 + column];
  });
}

export function turned(m: Matrix, [x, y, z]: ArrayLike<number> & Iterable<number>): number[] {
  return [0, 1, 2].map((row) => m[3 * row] * x + m[3 * row + 1] * y + m[3 * row + 2] * z);
}

/** Poses a frame of a clip of the first skeleton. */
export function posed(asset: Asset, clip: number, frame: number): { matrices: Matrix[]; places: number[][] } {
  const { parents, rest } = asset.skeletons[0].skeleton;
  const { tracks } = asset.clips[clip].clips[0];
  const matrices: Matrix[] = [];
  const places: number[][] = [];
  for (let node = 0; node < parents.length; node++) {
    const at = POSE_STRIDE * node;
    const keyOf = (path: string, width: number, from: number): ArrayLike<number> & Iterable<number> => {
      const track = tracks.find((one) => one.target === node && one.path === path);
      return track === undefined
        ? rest.subarray(at + from, at + from + width)
        : track.values.subarray(width * frame, width * (frame + 1));
    };
    const own = matrixOf(keyOf('rotation', 4, 3));
    const place = keyOf('translation', 3, 0);
    const parent = parents[node];
    matrices.push(parent < 0 ? own : product(matrices[parent], own));
    places.push(parent < 0 ? [...place] : turned(matrices[parent], place).map((value, k) => value + places[parent][k]));
  }
  return { matrices, places };
}

/** Greatest distance of two lists of points. */
export function farthest(a: readonly (readonly number[])[], b: readonly (readonly number[])[]): number {
  return Math.max(...a.map((point, k) => Math.hypot(...point.map((value, axis) => value - b[k][axis]))));
}
