/**
 * Recovers the bind pose from inverse bind matrices. In a glTF skin they are `IBM(j) = W_bind(j)⁻¹ · S`. S is the bind-shape matrix, the
 * same for all joints: it maps the space of the vertices (the mesh's own, another unit, Z up, quantized) to model space.
 * The file does not contain S. This module finds it, so that `W_bind(j) = S · IBM(j)⁻¹` is comparable with the rest pose.
 */
import * as mat4 from '../math/mat4.ts';
import { upperMedian } from '../math/median.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { GREATEST_SCALE } from './limit-rest.ts';
import { MATRIX_STRIDE } from './skeleton.ts';

interface BindProblem {
  /** Inverses of the inverse bind matrices, {@link MATRIX_STRIDE} floats per joint. */
  readonly bindInShape: Float64Array;
  /** Expected model-space matrices, {@link MATRIX_STRIDE} floats per joint: the rest pose, or the bind pose of other skins. */
  readonly expected: Float64Array;
  /** Nearest ancestor of each joint among these joints, −1 for none; always less than the joint. */
  readonly parents: Int32Array;
  /** Transforms of mesh nodes and armatures that may be S, 16 floats each, likeliest first. The identity is tried before them. */
  readonly candidates: Float64Array;
  /** Size of the skeleton, above 0, the unit of relative distances. */
  readonly extent: number;
}

interface BindShape {
  /** S, column-major. */
  readonly matrix: Float64Array;
  /**
   * `agrees`: most joints match their expected matrices. `candidate`: most do not (the file is posed), but S is the identity or a
   * transform of the file and preserves bone lengths. `guessed`: no good match; a transform of the file in another size and place, or the
   * identity.
   */
  readonly kind: 'agrees' | 'candidate' | 'guessed';
}

/** Joints within both limits (radians, part of the extent) match: more than float32 and quantization errors, less than any pose. */
const AGREE_ANGLE = Math.PI / 180;
const AGREE_DISTANCE = 0.01;
/** Deviations are clamped to these (radians, part of the extent), so that a few posed limbs do not dominate the cost. */
const FAR_ANGLE = Math.PI / 4;
const FAR_DISTANCE = 0.25;
/** Costs that differ by less are equal: 0.005 degrees, or 0.00005 of the extent, on average. */
const COST_TIE = 1e-4;
/** Greatest relative difference of bone lengths between a correct candidate and the rest pose; some rigs have stretched limbs. */
const LENGTH_TOLERANCE = 0.05;
/** Greatest numbers of joints that S is derived from, and of joints that S is measured with: evenly spaced, starting at the root. */
const TRIED_JOINTS = 64;
const MEASURED_JOINTS = 1024;

/** Matrices this close to the identity count as the identity. */
const IDENTITY_TOLERANCE = 1e-9;
/** Differences of float32 numbers that are computed in two ways. */
const ROUNDING = 1e-6;

/** Tells whether a matrix only scales, alike along all axes, and moves. */
function isPlain(m: ArrayLike<number>, i: number): boolean {
  const scale = m[i];
  for (let c = 0; c < 12; c++) {
    if (!(Math.abs(m[i + c] - (c % 5 === 0 ? scale : 0)) <= ROUNDING * Math.abs(scale))) return false;
  }
  return true;
}

/**
 * Marks joints that are not bound at all with 1. Exporters write the identity for all joints that deform nothing, and quantization of the vertices
 * makes it another scale and place. Several joints cannot be bound at the origin, nor at another place unless they are together in the rest pose.
 * `matrices` are bind matrices or their inverses, `rest` is in model space, `extent` is the size of the skeleton.
 */
export function findUnbound(matrices: Float64Array, rest: Float64Array, extent: number): Uint8Array {
  const unbound = new Uint8Array(matrices.length / MATRIX_STRIDE);
  const alike = new Map<string, number[]>();
  for (let joint = 0; joint < unbound.length; joint++) {
    const at = joint * MATRIX_STRIDE;
    if (!isPlain(matrices, at)) continue;
    const isIdentity = mat4.isIdentity(matrices, at, IDENTITY_TOLERANCE);
    const key = isIdentity ? '' : matrices.subarray(at, at + MATRIX_STRIDE).join();
    const joints = alike.get(key);
    if (joints === undefined) alike.set(key, [joint]);
    else joints.push(joint);
  }
  for (const [key, [first, ...others]] of alike) {
    const isApart = (joint: number): boolean =>
      vec3.distance(rest, first * MATRIX_STRIDE + 12, rest, joint * MATRIX_STRIDE + 12) > AGREE_DISTANCE * extent;
    if (others.length === 0 || !(key === '' || others.some(isApart))) continue;
    for (const joint of [first, ...others]) unbound[joint] = 1;
  }
  return unbound;
}

interface Fit {
  readonly shape: Float64Array;
  readonly isCandidate: boolean;
  /** Whether most joints match their expected matrices. */
  readonly agrees: boolean;
  /** Whether bones are as long as in the rest pose. */
  readonly keepsLengths: boolean;
  /** Mean deviation, 0…1. */
  readonly cost: number;
}

/**
 * Finds the bind-shape matrix S. It is chosen from the identity, the candidates, and `expected(j) · IBM(j)` for joints j, which assumes
 * that j is at its expected transform. The first choice is the matrix with which most joints match; earlier ones win ties. Otherwise
 * (the rest pose is not the bind pose) it is the best candidate that preserves bone lengths, otherwise a guess: a candidate in the size of the
 * rest pose, where most joints say it is.
 */
export function solveBindShape(problem: BindProblem): BindShape {
  const { bindInShape, expected, candidates } = problem;
  const jointCount = problem.parents.length;
  const measured = spread(jointCount, MEASURED_JOINTS);
  const lengthRatio = medianLengthRatio(problem);
  const fits: Fit[] = [];
  /** Measures a matrix; returns true when no later one can be better. */
  const tryShape = (shape: Float64Array, isCandidate: boolean): boolean => {
    const { cost, agreeing } = measureFit(problem, shape, measured);
    const scale = Math.cbrt(Math.abs(mat4.determinant(shape, 0)));
    const keepsLengths = Math.abs(scale * lengthRatio - 1) <= LENGTH_TOLERANCE;
    fits.push({ shape, isCandidate, agrees: agreeing * 2 > measured.length, keepsLengths, cost });
    return agreeing === measured.length && cost <= COST_TIE;
  };
  let isPerfect = tryShape(mat4.createIdentity(), true);
  for (let at = 0; !isPerfect && at < candidates.length; at += MATRIX_STRIDE) {
    isPerfect = tryShape(candidates.slice(at, at + MATRIX_STRIDE), true);
  }
  for (const joint of spread(jointCount, TRIED_JOINTS)) {
    if (isPerfect) break;
    const shape = new Float64Array(MATRIX_STRIDE);
    if (!mat4.invertAffine(shape, 0, bindInShape, joint * MATRIX_STRIDE)) continue;
    mat4.multiply(shape, 0, expected, joint * MATRIX_STRIDE, shape, 0);
    if (isUsable(shape, 0)) isPerfect = tryShape(shape, false);
  }
  const agreeing = cheapest(fits.filter((fit) => fit.agrees));
  if (agreeing !== undefined) return { matrix: agreeing.shape, kind: 'agrees' };
  const fitting = cheapest(fits.filter((fit) => fit.isCandidate && fit.keepsLengths));
  if (fitting !== undefined) return { matrix: fitting.shape, kind: 'candidate' };
  let [best, least] = [fits[0].shape, Number.POSITIVE_INFINITY];
  // Vertices in another size, as quantized ones. Posed joints are turned, vertices are along the axes of the file.
  if (fits.some((fit) => fit.keepsLengths)) {
    for (const { shape, isCandidate } of fits) {
      if (!isCandidate) continue;
      const placed = placeShape(problem, shape, 1 / lengthRatio);
      const { cost } = measureFit(problem, placed, measured);
      if (cost < least - COST_TIE) [best, least] = [placed, cost];
    }
  }
  return { matrix: best, kind: 'guessed' };
}

/**
 * Gives a matrix another scale, the same along all axes, and the translation that brings most joints to their expected places, within {@link AGREE_DISTANCE}:
 * a pose moves hips and what is near them by about the same. Of translations with as many, that of the first joint.
 */
function placeShape({ bindInShape, expected, extent }: BindProblem, shape: Float64Array, scale: number): Float64Array {
  const placed = shape.slice();
  const factor = scale / Math.cbrt(Math.abs(mat4.determinant(shape, 0)));
  for (let column = 0; column < 12; column += 4) for (let c = 0; c < 3; c++) placed[column + c] *= factor;
  placed.fill(0, 12, 15);
  const jointCount = bindInShape.length / MATRIX_STRIDE;
  const offsets = new Float64Array(3 * jointCount);
  for (let joint = 0; joint < jointCount; joint++) {
    mat4.transformPoint(offsets, 3 * joint, placed, 0, bindInShape, joint * MATRIX_STRIDE + 12);
    vec3.subtract(offsets, 3 * joint, expected, joint * MATRIX_STRIDE + 12, offsets, 3 * joint);
  }
  const measured = spread(jointCount, MEASURED_JOINTS);
  let most = 0;
  for (const joint of spread(jointCount, TRIED_JOINTS)) {
    const isNear = (other: number): boolean =>
      vec3.distance(offsets, 3 * joint, offsets, 3 * other) <= AGREE_DISTANCE * extent;
    const near = measured.filter(isNear).length;
    if (near <= most) continue;
    most = near;
    vec3.copy(placed, 12, offsets, 3 * joint);
  }
  return placed;
}

/** Selects up to `limit` of `count` indices, ascending, evenly spaced, including 0. */
function spread(count: number, limit: number): Int32Array {
  const step = Math.max(1, count / limit);
  return Int32Array.from({ length: Math.min(count, limit) }, (_, i) => Math.floor(i * step));
}

function cheapest(fits: readonly Fit[]): Fit | undefined {
  const least = fits.reduce((cost, fit) => Math.min(cost, fit.cost), Number.POSITIVE_INFINITY);
  return fits.find((fit) => fit.cost <= least + COST_TIE);
}

const matrix = new Float64Array(MATRIX_STRIDE);
const rotations = new Float64Array(8);

/** Measures how well the joints match their expected matrices when S is `shape`. */
function measureFit(
  { bindInShape, expected, extent }: BindProblem,
  shape: Float64Array,
  measured: Int32Array,
): { cost: number; agreeing: number } {
  let agreeing = 0;
  let cost = 0;
  for (const joint of measured) {
    mat4.multiply(matrix, 0, shape, 0, bindInShape, joint * MATRIX_STRIDE);
    const { angle, distance } = deviation(matrix, 0, expected, joint * MATRIX_STRIDE, extent);
    if (angle <= AGREE_ANGLE && distance <= AGREE_DISTANCE) agreeing++;
    cost += Math.min(1, angle / FAR_ANGLE) + Math.min(1, distance / FAR_DISTANCE);
  }
  return { cost: cost / (2 * measured.length), agreeing };
}

/** Returns the median ratio of bone lengths in bind-shape space to expected bone lengths; 1 without bones. */
function medianLengthRatio({ bindInShape, expected, parents, extent }: BindProblem): number {
  const ratios: number[] = [];
  for (let joint = 0; joint < parents.length; joint++) {
    if (parents[joint] < 0) continue;
    const at = joint * MATRIX_STRIDE + 12;
    const parentAt = parents[joint] * MATRIX_STRIDE + 12;
    const length = vec3.distance(expected, at, expected, parentAt);
    if (length > AGREE_DISTANCE * extent) ratios.push(vec3.distance(bindInShape, at, bindInShape, parentAt) / length);
  }
  return upperMedian(ratios) ?? 1;
}

/**
 * Measures the difference between two matrices. If only one of them mirrors, the angle is π. Returns the angle between the rotations, radians, and
 * the distance between the origins divided by `extent`.
 */
export function deviation(
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  extent: number,
): { angle: number; distance: number } {
  quat.fromMatrix(rotations, 0, a, i);
  quat.fromMatrix(rotations, 4, b, j);
  const mirrored = mat4.determinant(a, i) < 0 !== mat4.determinant(b, j) < 0;
  const distance = vec3.distance(a, i + 12, b, j + 12);
  return { angle: mirrored ? Math.PI : quat.angleBetween(rotations, 0, rotations, 4), distance: distance / extent };
}

/**
 * Returns whether two matrices match: within 1° and 1 % of `extent`. `a` holds 16 floats at offset i, column-major. `b` holds 16 floats at offset j,
 * column-major.
 */
export function agrees(a: Float64Array, i: number, b: Float64Array, j: number, extent: number): boolean {
  const { angle, distance } = deviation(a, i, b, j, extent);
  return angle <= AGREE_ANGLE && distance <= AGREE_DISTANCE;
}

/** Computes the diagonal of the bounding box of the origins of matrices. `matrices`: 16 floats each, column-major. */
export function extentOf(matrices: Float64Array): number {
  let squared = 0;
  for (let c = 12; c < 15; c++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let at = c; at < matrices.length; at += MATRIX_STRIDE) {
      low = Math.min(low, matrices[at]);
      high = Math.max(high, matrices[at]);
    }
    squared += (high - low) ** 2;
  }
  return Math.sqrt(squared);
}

/** Tells whether a matrix and its inverse are transforms of a joint: finite, invertible, and no number of either beyond {@link GREATEST_SCALE}. */
export function isUsable(m: ArrayLike<number>, i: number): boolean {
  for (let c = 0; c < MATRIX_STRIDE; c++) if (!(Math.abs(m[i + c]) <= GREATEST_SCALE)) return false;
  if (!mat4.invertAffine(matrix, 0, m, i)) return false;
  return matrix.every((value) => Math.abs(value) <= GREATEST_SCALE);
}
