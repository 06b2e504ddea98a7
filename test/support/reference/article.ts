/**
 * The retargeting of the article (Wicked Engine, "Animation Retargeting", 2022), line by line: 4×4 matrices, one channel and one
 * key at a time. Row vectors and row-major matrices as in DirectXMath, so that `local * parent` reads as in its pseudo-code.
 * It is right for similar characters; test/laws/article.test.ts shows where it fails.
 */
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { read } from './plain.ts';

/** 16 numbers, row-major; the last row is the translation. */
type Matrix = readonly number[];

interface Transform {
  readonly scale_local: readonly number[];
  readonly rotation_local: readonly number[];
  readonly translation_local: readonly number[];
}

function MatrixScaling([x, y, z]: readonly number[]): Matrix {
  return [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1];
}

function MatrixRotationQuaternion([x, y, z, w]: readonly number[]): Matrix {
  return [
    ...[1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0],
    ...[2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0],
    ...[2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0],
    ...[0, 0, 0, 1],
  ];
}

function MatrixTranslation([x, y, z]: readonly number[]): Matrix {
  return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
}

function multiply(...matrices: readonly Matrix[]): Matrix {
  return matrices.reduce((a, b) => {
    const out = new Array<number>(16);
    for (let row = 0; row < 16; row += 4) {
      for (let column = 0; column < 4; column++) {
        let sum = 0;
        for (let k = 0; k < 4; k++) sum += a[row + k] * b[column + 4 * k];
        out[row + column] = sum;
      }
    }
    return out;
  });
}

/** Gauss-Jordan elimination. */
function MatrixInverse(matrix: Matrix): Matrix {
  const rows = [0, 1, 2, 3].map((row) => [...matrix.slice(4 * row, 4 * row + 4), 0, 0, 0, 0]);
  rows.forEach((row, k) => {
    row[4 + k] = 1;
  });
  for (let column = 0; column < 4; column++) {
    let pivot = column;
    for (let row = column; row < 4; row++) if (Math.abs(rows[row][column]) > Math.abs(rows[pivot][column])) pivot = row;
    [rows[column], rows[pivot]] = [rows[pivot], rows[column]];
    const factor = 1 / rows[column][column];
    rows[column] = rows[column].map((value) => value * factor);
    for (let row = 0; row < 4; row++) {
      if (row === column) continue;
      const weight = rows[row][column];
      rows[row] = rows[row].map((value, k) => value - weight * rows[column][k]);
    }
  }
  return rows.flatMap((row) => row.slice(4));
}

/** Returns the lengths of the rows, the rotation of the normalized rows, and the last row. */
function MatrixDecompose(m: Matrix): { S: number[]; R: number[]; T: number[] } {
  const rows = [0, 1, 2].map((row) => m.slice(4 * row, 4 * row + 3));
  const S = rows.map((row) => Math.hypot(...row));
  const [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = rows.map((row, k) => row.map((value) => value / S[k]));
  // The largest component of the quaternion comes from the diagonal, the others from differences and sums across it.
  const squares = [1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz];
  const quaternions = [
    [squares[0], xy + yx, xz + zx, yz - zy],
    [xy + yx, squares[1], yz + zy, zx - xz],
    [xz + zx, yz + zy, squares[2], xy - yx],
    [yz - zy, zx - xz, xy - yx, squares[3]],
  ];
  const R = quaternions[squares.indexOf(Math.max(...squares))];
  return { S, R: R.map((value) => value / Math.hypot(...R)), T: m.slice(12, 15) };
}

function GetTransform({ rest }: Skeleton, node: number): Transform {
  return {
    translation_local: read(rest, 10 * node, 3),
    rotation_local: read(rest, 10 * node + 3, 4),
    scale_local: read(rest, 10 * node + 7, 3),
  };
}

function GetLocalMatrix({ scale_local, rotation_local, translation_local }: Transform): Matrix {
  return multiply(
    MatrixScaling(scale_local),
    MatrixRotationQuaternion(rotation_local),
    MatrixTranslation(translation_local),
  );
}

function ComputeWorldMatrixRecursive(skeleton: Skeleton, node: number, localMatrix: Matrix): Matrix {
  let worldMatrix = localMatrix;
  let parent = skeleton.parents[node];
  while (parent >= 0) {
    worldMatrix = multiply(worldMatrix, GetLocalMatrix(GetTransform(skeleton, parent)));
    parent = skeleton.parents[parent];
  }
  return worldMatrix;
}

function ComputeInverseParentMatrixRecursive(skeleton: Skeleton, node: number): Matrix {
  const parent = skeleton.parents[node];
  if (parent < 0) return MatrixScaling([1, 1, 1]);
  return MatrixInverse(ComputeWorldMatrixRecursive(skeleton, parent, GetLocalMatrix(GetTransform(skeleton, parent))));
}

/**
 * Copies an animation to another humanoid. Channels of non-bone nodes and of bones that the other humanoid lacks are left out. Only for
 * keys of STEP and LINEAR tracks. Both rest poses are taken as T-poses with the same axes.
 */
export function retargetByArticle(source: Humanoid, target: Humanoid, clip: Clip): Clip {
  const tracks = clip.tracks.flatMap((track): Track[] => {
    const bone_source = track.target;
    const bone = source.map.nodes.indexOf(bone_source);
    const bone_dest = bone < 0 ? -1 : target.map.nodes[bone];
    if (bone_dest < 0) return [];
    const transform_source = GetTransform(source.skeleton, bone_source);
    const transform_dest = GetTransform(target.skeleton, bone_dest);
    const bindMatrix = ComputeWorldMatrixRecursive(source.skeleton, bone_source, GetLocalMatrix(transform_source));
    const inverseBindMatrix = MatrixInverse(bindMatrix);
    const targetMatrix = ComputeWorldMatrixRecursive(target.skeleton, bone_dest, GetLocalMatrix(transform_dest));
    const inverseParentMatrix = ComputeInverseParentMatrixRecursive(target.skeleton, bone_dest);

    const width = track.path === 'rotation' ? 4 : 3;
    const values: number[] = [];
    for (let i = 0; i < track.values.length; i += width) {
      const data = read(track.values, i, width);
      const transform: Transform = { ...transform_source, [`${track.path}_local`]: data };
      const worldMatrix = ComputeWorldMatrixRecursive(source.skeleton, bone_source, GetLocalMatrix(transform));
      const localMatrix = multiply(targetMatrix, multiply(inverseBindMatrix, worldMatrix), inverseParentMatrix);
      const { S, R, T } = MatrixDecompose(localMatrix);
      values.push(...(track.path === 'scale' ? S : track.path === 'rotation' ? R : T));
    }
    return [{ ...track, target: bone_dest, values: Float64Array.from(values) }];
  });
  return { ...clip, tracks };
}
