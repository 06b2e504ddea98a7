import * as quat from '../../../core/math/quat.ts';
import { countOf, type NumpyArray, readNumbers } from '../container/numpy-array.ts';
import { formatShape, layoutError } from './arrays.ts';

export interface Rotations {
  readonly frames: number;
  readonly joints: number;
  /** xyzw per frame and joint. */
  readonly values: Float64Array;
}

/** Numbers per joint of the forms that are known. */
const WIDTHS = { 'axis-angle': 3, matrix: 9 } as const;

/** Writes the rotation of an axis-angle vector: its direction is the axis, its length the angle in radians. */
function fromRotationVector(out: Float64Array, o: number, vector: Float64Array, i: number): void {
  const angle = Math.hypot(vector[i], vector[i + 1], vector[i + 2]);
  // The quotient sin(angle / 2) / angle is 1/2 where the angle is 0.
  const factor = angle > 0 ? Math.sin(angle / 2) / angle : 0.5;
  quat.set(out, o, vector[i] * factor, vector[i + 1] * factor, vector[i + 2] * factor, Math.cos(angle / 2));
}

const matrix = new Float64Array(16);

/** Writes the rotation of a 3×3 matrix, row-major as NumPy has it. */
function fromRotationMatrix(out: Float64Array, o: number, rows: Float64Array, i: number): void {
  for (let column = 0; column < 3; column++) {
    for (let row = 0; row < 3; row++) matrix[4 * column + row] = rows[i + 3 * row + column];
  }
  quat.fromMatrix(out, o, matrix, 0);
}

/** Finds out how many joints an array has rotations of, and in which form; null where it has none of the numbers. */
function formOf(
  shape: readonly number[],
  counts: readonly number[],
): [joints: number, form: keyof typeof WIDTHS] | null {
  const isSquare = shape.length > 2 && shape.at(-1) === 3 && shape.at(-2) === 3;
  for (const joints of counts) {
    // (T, 3, 3) is a matrix of one joint or the vectors of three: the number of joints that is expected tells.
    for (const form of isSquare ? (['matrix', 'axis-angle'] as const) : (['axis-angle'] as const)) {
      const width = joints * WIDTHS[form];
      // The dimensions after the frames; a single frame may have no dimension for frames.
      if (shape.length > 1 && countOf(shape.slice(1)) === width) return [joints, form];
      if (shape.length <= 1 + Number(isSquare) + Number(shape.at(-1) === 3) && countOf(shape) === width)
        return [joints, form];
    }
  }
  return null;
}

/** Returns the number of joints of an array of rotations; 0 for another shape. */
export function jointsOf({ shape }: NumpyArray, counts: readonly number[]): number {
  return formOf(shape, counts)?.[0] ?? 0;
}

/** Reads rotations. Throws FormatError `NPZ_LAYOUT` for another shape. */
export function readRotations(array: NumpyArray, key: string, counts: readonly number[]): Rotations {
  const found = formOf(array.shape, counts);
  if (found === null) {
    const expected = counts.map((count) => `(frames, ${3 * count})`).join(' or ');
    throw layoutError(
      `${key} has the shape ${formatShape(array.shape)}, expected rotations as axis and angle with the shape ${expected}; the program that wrote the file mixed up its arrays, or this is another model`,
    );
  }
  const [joints, form] = found;
  const width = WIDTHS[form];
  const numbers = readNumbers(array);
  const count = numbers.length / width;
  const values = new Float64Array(4 * count);
  const convert = form === 'matrix' ? fromRotationMatrix : fromRotationVector;
  for (let k = 0; k < count; k++) convert(values, 4 * k, numbers, width * k);
  return { frames: count / joints, joints, values };
}

/** Returns the rotations of one joint. A single frame stands for all. */
export function rotationsOfJoint({ frames, joints, values }: Rotations, joint: number, count: number): Float32Array {
  const out = new Float32Array(4 * count);
  for (let frame = 0; frame < count; frame++)
    quat.copy(out, 4 * frame, values, 4 * ((frames === 1 ? 0 : frame) * joints + joint));
  return out;
}
