/** Decomposes rotations into angles about coordinate axes, in any order: the inverse of {@link fromAxisAngles} in euler.ts. */
import type { Floats } from './floats.ts';

export interface AxisAnglesPlan {
  /** Indices of the axes that get an angle: three where they reach every rotation, else two, one or none. */
  readonly indices: readonly number[];
  /** Axes at these indices: 0 x, 1 y, 2 z. */
  readonly axes: readonly number[];
  readonly isComplete: boolean;
}

/** Returns the first `size` indices, ascending, whose axes `fits` accepts; null without a match. */
function findIndices(
  axes: ArrayLike<number>,
  size: number,
  fits: (chosen: readonly number[]) => boolean,
): number[] | null {
  const search = (indices: number[]): number[] | null => {
    if (indices.length === size) return fits(indices.map((index) => axes[index])) ? indices : null;
    for (let index = (indices.at(-1) ?? -1) + 1; index < axes.length; index++) {
      const found = search([...indices, index]);
      if (found !== null) return found;
    }
    return null;
  };
  return search([]);
}

/**
 * Plans the decomposition of rotations into angles about a list of axes, multiplied in this order. Three different axes, or three
 * where only the first and last are equal, reach every rotation. The angles of other axes stay at 0.
 */
export function planAxisAngles(axes: ArrayLike<number>): AxisAnglesPlan {
  const complete =
    findIndices(axes, 3, ([a, b, c]) => a !== b && b !== c && a !== c) ??
    findIndices(axes, 3, ([a, b, c]) => a !== b && b !== c);
  const indices = complete ?? findIndices(axes, 2, ([a, b]) => a !== b) ?? findIndices(axes, 1, () => true) ?? [];
  return {
    indices,
    axes: indices.map((index) => axes[index]),
    isComplete: complete !== null,
  };
}

const FULL_ROTATION = 2 * Math.PI;
/** Sine below which the outer axes are parallel (gimbal lock), so that only the sum or difference of their angles is known. */
const LOCKED = 1e-8;

function nearest(angle: number, former: number): number {
  return angle - FULL_ROTATION * Math.round((angle - former) / FULL_ROTATION);
}

/** Returns 1 where a × b is the positive third axis, −1 where it is the negative one. */
function signOf(a: number, b: number): 1 | -1 {
  return (b - a + 3) % 3 === 1 ? 1 : -1;
}

/**
 * Decomposes a rotation into angles about the axes of a plan, the inverse of {@link fromAxisAngles}. Of all solutions it writes the one
 * nearest to the angles that `out` holds. Called key by key on the same buffer, the angles stay continuous past half rotations and past gimbal
 * lock. In gimbal lock only the sum or difference of the outer angles is known; the other one keeps its value. Where the axes cannot reach
 * the rotation, the result is the nearest rotation that they reach.
 *
 * The method uses half angles: with R = Ra(α) · Rb(β) · Ra(γ) the quaternion is (cos β/2 · cos σ, cos β/2 · sin σ, sin β/2 · cos δ,
 * sin β/2 · sin δ) along 1, a, b, a × b, where σ and δ are half the sum and half the difference of α and γ. Three different axes are
 * brought to this form by a quarter rotation about the middle one. With two axes the dot product of the quaternions is bilinear in the
 * half angles; its maximum is at the angles of a singular value decomposition.
 *
 * @param out Holds the former angles, one per axis from offset o, radians; receives the new ones.
 */
export function toAxisAngles(out: Floats, o: number, plan: AxisAnglesPlan, q: ArrayLike<number>, i: number): void {
  const { indices, axes } = plan;
  if (indices.length === 3) threeAngles(out, o, plan, q, i);
  else if (indices.length === 2) twoAngles(out, o, plan, q, i);
  else if (indices.length === 1) {
    const at = o + indices[0];
    const sine = q[i + axes[0]];
    const cosine = q[i + 3];
    if (Math.hypot(sine, cosine) >= LOCKED) out[at] = nearest(2 * Math.atan2(sine, cosine), out[at]);
  }
}

function threeAngles(out: Floats, o: number, { indices, axes }: AxisAnglesPlan, q: ArrayLike<number>, i: number): void {
  const [a, b, c] = axes;
  const sign = signOf(a, b);
  const isProper = a === c;
  let w = q[i + 3];
  let qa = q[i + a];
  let qb = q[i + b];
  let qab = sign * q[i + 3 - a - b];
  if (!isProper) {
    const [oldW, oldA, oldB, oldAb] = [w, qa, qb, qab];
    w = oldW - oldB;
    qa = oldA - oldAb;
    qb = oldB + oldW;
    qab = oldAb + oldA;
  }
  const first = o + indices[0];
  const second = o + indices[1];
  const third = o + indices[2];
  // The third angle in the form with equal outer axes.
  const thirdSign = isProper ? 1 : -sign;
  const quarter = isProper ? 0 : Math.PI / 2;
  const formerFirst = out[first];
  const formerSecond = out[second];
  const formerThird = out[third];
  const cosine = Math.hypot(w, qa);
  const sine = Math.hypot(qb, qab);
  const half = cosine < LOCKED ? (formerFirst + thirdSign * formerThird) / 2 : Math.atan2(qa, w);
  const apart = sine < LOCKED ? (formerFirst - thirdSign * formerThird) / 2 : Math.atan2(qab, qb);
  const middle = 2 * Math.atan2(sine, cosine);

  let least = Number.POSITIVE_INFINITY;
  for (let flip = 0; flip < 2; flip++) {
    const x = nearest(half + apart + flip * Math.PI, formerFirst);
    const y = nearest((flip === 0 ? middle : -middle) - quarter, formerSecond);
    const z = nearest(thirdSign * (half - apart + flip * Math.PI), formerThird);
    const change = (x - formerFirst) ** 2 + (y - formerSecond) ** 2 + (z - formerThird) ** 2;
    // Rounding must not decide between two solutions that are equally near.
    if (change >= least * (1 - 1e-9)) continue;
    least = change;
    out[first] = x;
    out[second] = y;
    out[third] = z;
  }
}

function twoAngles(out: Floats, o: number, { indices, axes }: AxisAnglesPlan, q: ArrayLike<number>, i: number): void {
  const [a, b] = axes;
  const w = q[i + 3];
  const qa = q[i + a];
  const qb = q[i + b];
  const qab = signOf(a, b) * q[i + 3 - a - b];
  const first = o + indices[0];
  const second = o + indices[1];
  const half = Math.hypot(qa + qb, w - qab) < LOCKED ? (out[first] + out[second]) / 2 : Math.atan2(qa + qb, w - qab);
  const apart = Math.hypot(qa - qb, w + qab) < LOCKED ? (out[first] - out[second]) / 2 : Math.atan2(qa - qb, w + qab);
  out[first] = nearest(half + apart, out[first]);
  out[second] = nearest(half - apart, out[second]);
}
