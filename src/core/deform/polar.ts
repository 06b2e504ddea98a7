import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';

/** A determinant below this fraction of the product of the column lengths counts as 0. */
const SINGULAR = 1e-12;
/** The iteration has converged once no element changes by this much. */
const CONVERGED = 1e-14;
/** Newton's method doubles the correct digits in each step; with scaling, ten steps are enough for stretches of 1e12 to 1. */
const MAX_STEPS = 20;

const iterate = new Float64Array(MATRIX_STRIDE);
const inverse = new Float64Array(MATRIX_STRIDE);

/**
 * Computes the rotation R of the upper 3×3 part M of a matrix: M = R · S with S symmetric. If M mirrors, S is negative definite, as in
 * GfMatrix4d::Factor. Scaled Newton iteration: N. J. Higham, Computing the polar decomposition, 1986. `out` receives a unit quaternion xyzw; the
 * identity where M is singular.
 */
export function polarRotation(out: Floats, o: number, m: ArrayLike<number>, i: number): boolean {
  const determinant = mat4.determinant(m, i);
  let volume = 1;
  for (let column = i; column < i + 12; column += 4) volume *= lengthOf(m, column);
  if (!(Math.abs(determinant) > SINGULAR * volume && Number.isFinite(volume))) {
    quat.identity(out, o);
    return false;
  }
  const sign = determinant < 0 ? -1 : 1;
  for (let c = 0; c < 12; c++) iterate[c] = c % 4 === 3 ? 0 : sign * m[i + c];
  iterate[15] = 1;
  for (let step = 0; step < MAX_STEPS; step++) {
    if (!mat4.invertAffine(inverse, 0, iterate, 0)) break;
    const scale = Math.sqrt(frobeniusNorm(inverse) / frobeniusNorm(iterate));
    let change = 0;
    for (let column = 0; column < 3; column++) {
      for (let row = 0; row < 3; row++) {
        const at = 4 * column + row;
        const next = (scale * iterate[at] + inverse[4 * row + column] / scale) / 2;
        change = Math.max(change, Math.abs(next - iterate[at]));
        iterate[at] = next;
      }
    }
    if (change < CONVERGED) break;
  }
  quat.fromMatrix(out, o, iterate, 0);
  return true;
}

function lengthOf(m: ArrayLike<number>, i: number): number {
  return Math.sqrt(m[i] * m[i] + m[i + 1] * m[i + 1] + m[i + 2] * m[i + 2]);
}

function frobeniusNorm(m: Float64Array): number {
  return Math.hypot(lengthOf(m, 0), lengthOf(m, 4), lengthOf(m, 8));
}
