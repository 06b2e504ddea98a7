/** Angles about coordinate axes from rotations, in any order: what {@link fromAxisAngles} of euler.ts turns back into them. */
import type { Floats } from './floats.ts';

/** Which of the axes of a product of rotations are turned to reach a rotation, decided once. */
export interface AxisAnglesPlan {
  /** How many angles there are. */
  readonly count: number;
  /** Places, in the list of axes, of those that are turned: three where they reach every rotation, else two, one or none. */
  readonly places: readonly number[];
  /** Their axes: 0 x, 1 y, 2 z. */
  readonly axes: readonly number[];
  /** Whether every rotation can be reached. */
  readonly isComplete: boolean;
}

/** The first places whose axes `fits` accepts, in rising order; null without. */
function findPlaces(
  axes: ArrayLike<number>,
  size: number,
  fits: (chosen: readonly number[]) => boolean,
): number[] | null {
  const search = (places: number[]): number[] | null => {
    if (places.length === size) return fits(places.map((place) => axes[place])) ? places : null;
    for (let place = (places.at(-1) ?? -1) + 1; place < axes.length; place++) {
      const found = search([...places, place]);
      if (found !== null) return found;
    }
    return null;
  };
  return search([]);
}

/**
 * Plans angles for a list of axes (0 x, 1 y, 2 z), of which the rotation is the product in this order. Three different axes, or
 * the first again after another one, reach every rotation; axes that are not needed stay at 0.
 */
export function planAxisAngles(axes: ArrayLike<number>): AxisAnglesPlan {
  const complete =
    findPlaces(axes, 3, ([a, b, c]) => a !== b && b !== c && a !== c) ??
    findPlaces(axes, 3, ([a, b, c]) => a !== b && b !== c);
  const places = complete ?? findPlaces(axes, 2, ([a, b]) => a !== b) ?? findPlaces(axes, 1, () => true) ?? [];
  return {
    count: axes.length,
    places,
    axes: places.map((place) => axes[place]),
    isComplete: complete !== null,
  };
}

const TURN = 2 * Math.PI;
/** Where a sine is smaller than this, the two outer axes lie along each other and only their sum or difference is known. */
const LOCKED = 1e-8;

/** The angle plus the whole turns that bring it nearest to another. */
function nearest(angle: number, former: number): number {
  return angle - TURN * Math.round((angle - former) / TURN);
}

/** 1 where the axes a and b are followed by their cross product, −1 where by its opposite. */
function signOf(a: number, b: number): 1 | -1 {
  return (b - a + 3) % 3 === 1 ? 1 : -1;
}

/**
 * Writes the angles, radians, whose product is a rotation (unit quaternion at i), to `out` from o on. Of all angles that do, those
 * nearest to the ones that `out` holds: handed from key to key they run on without jumps, past half turns and past the
 * middle angle at which the outer axes lie along each other; where only the sum of the outer ones is known they keep their
 * difference. Where the axes cannot reach the rotation: the angles of the nearest one that they reach.
 *
 * From the half angles: with R = Ra(α) · Rb(β) · Ra(γ) the quaternion is (cos β/2 · cos σ, cos β/2 · sin σ, sin β/2 · cos δ,
 * sin β/2 · sin δ) along 1, a, b, a × b, where σ and δ are half the sum and the difference of α and γ. Three different axes are
 * brought to this form by a quarter turn about the middle one. Two axes: the dot product of the quaternions is bilinear in the
 * half angles, largest at the angles of a singular value decomposition.
 */
export function toAxisAngles(out: Floats, o: number, plan: AxisAnglesPlan, q: ArrayLike<number>, i: number): void {
  const { places, axes } = plan;
  if (places.length === 3) threeAngles(out, o, plan, q, i);
  else if (places.length === 2) twoAngles(out, o, plan, q, i);
  else if (places.length === 1) {
    const at = o + places[0];
    const sine = q[i + axes[0]];
    const cosine = q[i + 3];
    if (Math.hypot(sine, cosine) >= LOCKED) out[at] = nearest(2 * Math.atan2(sine, cosine), out[at]);
  }
}

function threeAngles(out: Floats, o: number, { places, axes }: AxisAnglesPlan, q: ArrayLike<number>, i: number): void {
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
  const first = o + places[0];
  const second = o + places[1];
  const third = o + places[2];
  // The third angle in the form with equal outer axes.
  const turn = isProper ? 1 : -sign;
  const quarter = isProper ? 0 : Math.PI / 2;
  const formerFirst = out[first];
  const formerSecond = out[second];
  const formerThird = out[third];
  const cosine = Math.hypot(w, qa);
  const sine = Math.hypot(qb, qab);
  const half = cosine < LOCKED ? (formerFirst + turn * formerThird) / 2 : Math.atan2(qa, w);
  const apart = sine < LOCKED ? (formerFirst - turn * formerThird) / 2 : Math.atan2(qab, qb);
  const middle = 2 * Math.atan2(sine, cosine);

  let least = Number.POSITIVE_INFINITY;
  for (let flip = 0; flip < 2; flip++) {
    const x = nearest(half + apart + flip * Math.PI, formerFirst);
    const y = nearest((flip === 0 ? middle : -middle) - quarter, formerSecond);
    const z = nearest(turn * (half - apart + flip * Math.PI), formerThird);
    const way = (x - formerFirst) ** 2 + (y - formerSecond) ** 2 + (z - formerThird) ** 2;
    // A rounding must not decide between two answers that are equally near.
    if (way >= least * (1 - 1e-9)) continue;
    least = way;
    out[first] = x;
    out[second] = y;
    out[third] = z;
  }
}

function twoAngles(out: Floats, o: number, { places, axes }: AxisAnglesPlan, q: ArrayLike<number>, i: number): void {
  const [a, b] = axes;
  const w = q[i + 3];
  const qa = q[i + a];
  const qb = q[i + b];
  const qab = signOf(a, b) * q[i + 3 - a - b];
  const first = o + places[0];
  const second = o + places[1];
  const half = Math.hypot(qa + qb, w - qab) < LOCKED ? (out[first] + out[second]) / 2 : Math.atan2(qa + qb, w - qab);
  const apart = Math.hypot(qa - qb, w + qab) < LOCKED ? (out[first] - out[second]) / 2 : Math.atan2(qa - qb, w + qab);
  out[first] = nearest(half + apart, out[first]);
  out[second] = nearest(half - apart, out[second]);
}
