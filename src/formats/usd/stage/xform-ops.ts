/** Evaluates transform operations of prims: `xformOp:…` attributes in the order of `xformOpOrder` (UsdGeomXformable). */
import * as mat4 from '../../../core/math/mat4.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { Value } from '../layer/value.ts';
import { attributeValue, mergeTimes, timeSamplesOf } from './attribute-values.ts';
import { primAndAncestors, type Stage, type Time } from './stage.ts';

interface LocalTransform {
  /** Matrix to the space of the parent: 16 floats for row vectors, translation last, which is glTF's column-major order. */
  readonly matrix: Float64Array;
  /** True if the parent is ignored and the matrix is relative to the world (`!resetXformStack!`). */
  readonly resetsStack: boolean;
}

const RESET = '!resetXformStack!';
const INVERT = '!invert!';
const ROTATE = /^rotate([XYZ]{1,3})$/;

/** Returns the numbers of a value that is one tuple of at least `count` numbers; else null. */
function tuple(value: Value | null, count: number): ArrayLike<number> | null {
  if (value === null || !('numbers' in value) || value.isArray || value.numbers.length < count) return null;
  return Float64Array.from(value.numbers as ArrayLike<number>, Number);
}

/** Returns a rotation about an axis (0…2) in degrees; exact for multiples of 90°. */
function axisRotation(axis: number, degrees: number): Float64Array {
  const quarters = degrees / 90;
  const isQuarter = Number.isInteger(quarters);
  const step = (((quarters % 4) + 4) % 4) as 0 | 1 | 2 | 3;
  const radians = (degrees * Math.PI) / 180;
  const cos = isQuarter ? [1, 0, -1, 0][step] : Math.cos(radians);
  const sin = isQuarter ? [0, 1, 0, -1][step] : Math.sin(radians);
  const matrix = mat4.createIdentity();
  const j = (axis + 1) % 3;
  const k = (axis + 2) % 3;
  matrix[5 * j] = cos;
  matrix[5 * k] = cos;
  matrix[4 * j + k] = sin;
  matrix[4 * k + j] = -sin;
  return matrix;
}

function eulerRotation(order: string, value: Value | null): Float64Array | null {
  const angles = tuple(value, order.length);
  if (angles === null) return null;
  const matrix = mat4.createIdentity();
  // The first letter is applied first: it is innermost.
  for (const letter of [...order].reverse()) {
    const axis = 'XYZ'.indexOf(letter);
    const angle = angles[order.length === 1 ? 0 : axis];
    mat4.multiply(matrix, 0, matrix, 0, axisRotation(axis, angle), 0);
  }
  return matrix;
}

/**
 * Returns the matrix of an operation (`translate`, `scale`, `rotateXYZ`, `orient`, `transform`, …); null for unknown types and without a value of the
 * expected type.
 */
function opMatrix(type: string, value: Value | null): Float64Array | null {
  const rotate = ROTATE.exec(type);
  if (rotate !== null)
    return new Set(rotate[1]).size === rotate[1].length && rotate[1].length !== 2
      ? eulerRotation(rotate[1], value)
      : null;
  const single = /^(translate|scale)([XYZ])$/.exec(type);
  if (single !== null) {
    const number = tuple(value, 1);
    if (number === null) return null;
    const matrix = mat4.createIdentity();
    const axis = 'XYZ'.indexOf(single[2]);
    matrix[single[1] === 'scale' ? 5 * axis : 12 + axis] = number[0];
    return matrix;
  }
  const numbers = tuple(value, { translate: 3, scale: 3, orient: 4, transform: MATRIX_STRIDE }[type] ?? 0);
  if (numbers === null) return null;
  const matrix = mat4.createIdentity();
  if (type === 'translate') matrix.set([numbers[0], numbers[1], numbers[2]], 12);
  else if (type === 'scale') for (let axis = 0; axis < 3; axis++) matrix[5 * axis] = numbers[axis];
  else if (type === 'orient')
    mat4.compose(matrix, 0, [0, 0, 0, numbers[0], numbers[1], numbers[2], numbers[3], 1, 1, 1], 0);
  else if (type === 'transform') matrix.set(Array.from(numbers));
  else return null;
  return matrix;
}

/** Lists the operations in effect, outermost first, and whether they are relative to the world. */
function opsOf(stage: Stage, path: string): { names: readonly string[]; resetsStack: boolean } {
  const order = attributeValue(stage, path, 'xformOpOrder', 'default');
  const names = order !== null && 'texts' in order ? order.texts : [];
  const reset = names.lastIndexOf(RESET);
  return { names: names.slice(reset + 1), resetsStack: reset >= 0 };
}

/** Splits `!invert!xformOp:translate:pivot` into attribute, operation type and inversion. */
function parseOp(name: string): { attribute: string; type: string; isInverse: boolean } {
  const isInverse = name.startsWith(INVERT);
  const attribute = isInverse ? name.slice(INVERT.length) : name;
  const [prefix, type = ''] = attribute.split(':');
  return { attribute, type: prefix === 'xformOp' ? type : '', isInverse };
}

/**
 * Computes the local transform of a prim. Operations without a value, of unknown types, and inversions of singular matrices are ignored. `time`:
 * time code, or `default` for default values.
 */
export function localTransform(stage: Stage, path: string, time: Time): LocalTransform {
  const { names, resetsStack } = opsOf(stage, path);
  const matrix = mat4.createIdentity();
  for (const name of names) {
    const { attribute, type, isInverse } = parseOp(name);
    const op = opMatrix(type, attributeValue(stage, path, attribute, time));
    if (op === null || (isInverse && !mat4.invertAffine(op, 0, op, 0))) continue;
    mat4.multiply(matrix, 0, matrix, 0, op, 0);
  }
  return { matrix, resetsStack };
}

/** Computes the matrix from the space of a prim to that of the stage. It is as in {@link LocalTransform}; the identity for `/`. */
export function localToWorld(stage: Stage, path: string, time: Time): Float64Array {
  const world = mat4.createIdentity();
  for (const prim of primAndAncestors(stage, path)) {
    const { matrix, resetsStack } = localTransform(stage, prim.path, time);
    mat4.multiply(world, 0, matrix, 0, world, 0);
    if (resetsStack) break;
  }
  return world;
}

export function transformOps(stage: Stage, path: string): readonly string[] {
  return opsOf(stage, path).names;
}

export function transformAttributes(stage: Stage, path: string): string[] {
  return [...new Set(opsOf(stage, path).names.map((name) => parseOp(name).attribute))];
}

/** Lists the time codes at which the local transform of a prim has samples. */
export function transformTimes(stage: Stage, path: string): Float64Array {
  return mergeTimes(transformAttributes(stage, path).map((attribute) => timeSamplesOf(stage, path, attribute)));
}
