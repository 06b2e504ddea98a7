/**
 * The bind pose of joints from bind matrices in a space of their own. A glTF skin's inverse bind matrices are `IBM(j) = W_bind(j)⁻¹ · S` with one factor S
 * for all joints: the space its vertices are in (the mesh's own, another unit, Z up, quantised), as model space.
 * S is not in the file; here it is found, so that `W_bind(j) = S · IBM(j)⁻¹` is comparable with the rest pose.
 */
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { MATRIX_STRIDE } from './skeleton.ts';

/** What is known about the joints of one skin. */
export interface BindProblem {
  /** Inverses of the inverse bind matrices, {@link MATRIX_STRIDE} floats a joint. */
  readonly bindInShape: Float64Array;
  /** Where the joints are expected in model space: matrices at rest, or as other skins bind them. */
  readonly expected: Float64Array;
  /** The nearest joint above among these joints, −1 for none; always less than the joint. */
  readonly parents: Int32Array;
  /** Transforms that mesh nodes and armatures offer as S, likeliest first, one after the other; the identity comes before them. */
  readonly offered: Float64Array;
  /** Size of the skeleton, above 0: what distances are measured by. */
  readonly extent: number;
}

/** How S was found. */
export interface BindShape {
  /** S, column-major. */
  readonly matrix: Float64Array;
  /**
   * `agrees`: with it most joints stand where they are expected. `offered`: most do not (the file is posed), but it is
   * the identity or a transform of the file and gives bones their length. `guessed`: the best of what there is.
   */
  readonly kind: 'agrees' | 'offered' | 'guessed';
}

/** A joint within both agrees: what exporters lose in float32 and in quantisation, but less than any pose. */
const AGREE_ANGLE = Math.PI / 180;
const AGREE_DISTANCE = 0.01;
/** Deviations count up to these, so that a few posed limbs do not outweigh a still body. Distances are parts of the extent. */
const FAR_ANGLE = Math.PI / 4;
const FAR_DISTANCE = 0.25;
/** Costs that differ by less are the same: 0.005 degrees, or 0.00005 of the extent, on average. */
const COST_TIE = 1e-4;
/** Part by which the bones of a right candidate may be longer or shorter at rest: rigs with stretched limbs. */
const LENGTH_TOLERANCE = 0.05;
/** How many joints are tried as the one that stands at its place, and how many are looked at: evenly spread, the topmost first. */
const TRIED_JOINTS = 64;
const MEASURED_JOINTS = 1024;

interface Fit {
  readonly shape: Float64Array;
  readonly isOffered: boolean;
  /** Whether most joints stand where they are expected. */
  readonly agrees: boolean;
  /** Whether bones have the length that they have at rest. */
  readonly keepsLengths: boolean;
  /** Mean deviation, 0…1. */
  readonly cost: number;
}

/**
 * Finds S among: the identity, the transforms that the file offers, and for joints j `expected(j) · IBM(j)`, which
 * assumes that j stands at its place. One with which most joints agree wins, the former before the latter; else (rest
 * is not bind) the best of those the file offers, if bones keep their length with it; else the best of all.
 */
export function solveBindShape(problem: BindProblem): BindShape {
  const { bindInShape, expected, offered } = problem;
  const jointCount = problem.parents.length;
  const measured = spread(jointCount, MEASURED_JOINTS);
  const lengthRatio = medianLengthRatio(problem);
  const fits: Fit[] = [];
  /** Whether it fits so well that nothing after it can be better. */
  const tryShape = (shape: Float64Array, isOffered: boolean): boolean => {
    const { cost, agreeing } = measureFit(problem, shape, measured);
    const scale = Math.cbrt(Math.abs(mat4.determinant(shape, 0)));
    const keepsLengths = Math.abs(scale * lengthRatio - 1) <= LENGTH_TOLERANCE;
    fits.push({ shape, isOffered, agrees: agreeing * 2 > measured.length, keepsLengths, cost });
    return agreeing === measured.length && cost <= COST_TIE;
  };
  const identity = new Float64Array(MATRIX_STRIDE);
  mat4.identity(identity, 0);
  let isPerfect = tryShape(identity, true);
  for (let at = 0; !isPerfect && at < offered.length; at += MATRIX_STRIDE) {
    isPerfect = tryShape(offered.slice(at, at + MATRIX_STRIDE), true);
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
  const fitting = cheapest(fits.filter((fit) => fit.isOffered && fit.keepsLengths));
  if (fitting !== undefined) return { matrix: fitting.shape, kind: 'offered' };
  const guess = cheapest(fits.filter((fit) => fit.keepsLengths)) ?? fits[0];
  return { matrix: guess.shape, kind: 'guessed' };
}

/** At most `limit` of `count` indices, rising, evenly spread, with 0. */
function spread(count: number, limit: number): Int32Array {
  const step = Math.max(1, count / limit);
  return Int32Array.from({ length: Math.min(count, limit) }, (_, i) => Math.floor(i * step));
}

/** The first of those that cost the least. */
function cheapest(fits: readonly Fit[]): Fit | undefined {
  const least = fits.reduce((cost, fit) => Math.min(cost, fit.cost), Number.POSITIVE_INFINITY);
  return fits.find((fit) => fit.cost <= least + COST_TIE);
}

const matrix = new Float64Array(MATRIX_STRIDE);
const rotations = new Float64Array(8);

/** How well the measured joints stand where they are expected when S is `shape`. */
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

/** Median of the lengths of bones in the space of the shape, as parts of their expected lengths; 1 without a bone. */
function medianLengthRatio({ bindInShape, expected, parents, extent }: BindProblem): number {
  const ratios: number[] = [];
  for (let joint = 0; joint < parents.length; joint++) {
    if (parents[joint] < 0) continue;
    const at = joint * MATRIX_STRIDE + 12;
    const parentAt = parents[joint] * MATRIX_STRIDE + 12;
    const length = vec3.distance(expected, at, expected, parentAt);
    if (length > AGREE_DISTANCE * extent) ratios.push(vec3.distance(bindInShape, at, bindInShape, parentAt) / length);
  }
  ratios.sort((a, b) => a - b);
  return ratios.length > 0 ? ratios[ratios.length >> 1] : 1;
}

/**
 * How far matrix a at i is off matrix b at j: angle of their rotations, radians, and distance of their origins as part of
 * `extent`. A mirroring matrix and one that does not mirror are as far apart as can be.
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

/** Whether joints of two matrices count as the same. */
export function agrees(a: Float64Array, i: number, b: Float64Array, j: number, extent: number): boolean {
  const { angle, distance } = deviation(a, i, b, j, extent);
  return angle <= AGREE_ANGLE && distance <= AGREE_DISTANCE;
}

/** Diagonal of the box around the origins of matrices. */
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

/** Whether a matrix is finite and has an inverse. */
export function isUsable(m: ArrayLike<number>, i: number): boolean {
  for (let c = 0; c < MATRIX_STRIDE; c++) if (!Number.isFinite(m[i + c])) return false;
  return mat4.invertAffine(matrix, 0, m, i);
}
