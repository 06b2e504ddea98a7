/**
 * Twist of arms and legs over time. A bent limb shows its twist by the axis of elbow or knee; a straight one does not, and a nearly straight one shows noise. So
 * the twist is the curve that is close to what each frame shows, by how surely it shows it, and changes no faster than limbs do.
 */
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { HINGE_STRIDE, HINGES } from './solve-frame.ts';

export interface HingeFrames {
  readonly step: number;
  /** Rotation of the bone that carries the limb: xyzw per frame. */
  readonly carriers: Float64Array;
  /** Direction of the upper bone, unit length: xyz per frame. */
  readonly directions: Float64Array;
  /** The axis of the T-pose, swung with the limb: xyz per frame. */
  readonly predicted: Float64Array;
  /** Measured axes and distances from the straight limb, of all limbs: HINGES × HINGE_STRIDE floats per frame. The axes of `limb` are replaced. */
  readonly hinges: Float64Array;
  readonly limb: number;
  /** Error of the place of a joint, meters. */
  readonly noise: number;
  /** Length of the upper bone, meters. */
  readonly length: number;
}

/** Rate at which limbs twist, radians per second: half of what the forearm of a fast throw reaches. */
export const TWIST_RATE = 6;
/** Certainty of the predicted twist, 1/rad²: little, so that any bend over time outweighs it; legs follow the hips more closely than arms the chest. */
export const PREDICTED_LEG = 2;
export const PREDICTED_ARM = 0.25;
/** Sine of the bend from which on a limb cannot be bent backward: knees and elbows overextend by up to 15°. */
export const SURELY_BENT = 0.26;
/** Least error of the place of a joint, relative to the upper bone, also of exact positions: a knee that is bent by a degree shows no twist. */
export const PLACE_ERROR = 5e-3;
/** Variance of the twist that a bend shows without noise, rad²: elbows and knees are no exact hinges (about 0.5°). */
export const HINGE_VARIANCE = 1e-4;

/** Solves for the path that minimizes Σ w|z − m|² + λ Σ|Δz|²: a tridiagonal system per component. */
function smoothPath(target: Float64Array, weights: Float64Array, lambda: number): Float64Array {
  const count = weights.length;
  const path = new Float64Array(2 * count);
  const factors = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const neighbors = (k > 0 ? 1 : 0) + (k < count - 1 ? 1 : 0);
    const below = k > 0 ? lambda * factors[k - 1] : 0;
    const pivot = weights[k] + lambda * neighbors - below;
    factors[k] = lambda / pivot;
    for (let c = 0; c < 2; c++)
      path[2 * k + c] = (weights[k] * target[2 * k + c] + (k > 0 ? lambda * path[2 * k - 2 + c] : 0)) / pivot;
  }
  for (let k = count - 2; k >= 0; k--) for (let c = 0; c < 2; c++) path[2 * k + c] += factors[k] * path[2 * k + 2 + c];
  return path;
}

/** Replaces the measured axes of one limb by smooth ones. */
export function smoothHinges({
  step,
  carriers,
  directions,
  predicted,
  hinges,
  limb,
  noise,
  length,
}: HingeFrames): void {
  const count = directions.length / 3;
  const stride = HINGES * HINGE_STRIDE;
  // Axes perpendicular to the limb that do not twist relative to the bone that carries it: angles are measured from them.
  const zero = new Float64Array(3 * count);
  const [u, before, axis, side, local] = Array.from({ length: 5 }, () => new Float64Array(3));
  const swing = new Float64Array(4);
  const target = new Float64Array(2 * count);
  const weights = new Float64Array(count);
  const measured = new Float64Array(2 * count);
  const guess = new Float64Array(2 * count);
  const angleOf = (v: ArrayLike<number>, i: number, out: Float64Array, k: number): void => {
    out[2 * k] = vec3.dot(v, i, zero, 3 * k);
    vec3.cross(side, 0, directions, 3 * k, zero, 3 * k);
    out[2 * k + 1] = vec3.dot(v, i, side, 0);
    const size = Math.hypot(out[2 * k], out[2 * k + 1]);
    if (size > 0) {
      out[2 * k] /= size;
      out[2 * k + 1] /= size;
    }
  };
  for (let k = 0; k < count; k++) {
    vec3.rotateBack(u, 0, carriers, 4 * k, directions, 3 * k);
    if (k === 0) vec3.rotateBack(axis, 0, carriers, 0, predicted, 0);
    else {
      quat.fromTo(swing, 0, before, 0, u, 0, axis, 0);
      vec3.rotate(axis, 0, swing, 0, axis, 0);
      vec3.addScaled(axis, 0, axis, 0, u, 0, -vec3.dot(axis, 0, u, 0));
      vec3.normalize(axis, 0, axis, 0);
    }
    vec3.copy(before, 0, u, 0);
    vec3.rotate(local, 0, carriers, 4 * k, axis, 0);
    vec3.copy(zero, 3 * k, local, 0);
    const at = stride * k + HINGE_STRIDE * limb;
    angleOf(hinges, at, measured, k);
    angleOf(predicted, 3 * k, guess, k);
  }
  const predictedWeight = (limb & 1) === 1 ? PREDICTED_LEG : PREDICTED_ARM;
  const lambda = 1 / (TWIST_RATE * step) ** 2;
  const solve = (usable: (k: number, distance: number) => boolean): Float64Array => {
    for (let k = 0; k < count; k++) {
      const distance = hinges[stride * k + HINGE_STRIDE * limb + 3];
      const weight =
        distance > 0 && usable(k, distance)
          ? 1 / (HINGE_VARIANCE + (Math.max(PLACE_ERROR * length, noise) / distance) ** 2)
          : 0;
      for (let c = 0; c < 2; c++) {
        const i = 2 * k + c;
        target[i] = (weight * measured[i] + predictedWeight * guess[i]) / (weight + predictedWeight);
      }
      weights[k] = weight + predictedWeight;
    }
    return smoothPath(target, weights, lambda);
  };
  // The bend of a limb that is straight or overextended has either sign: that of the frames in which it is surely bent.
  const sure = solve((_, distance) => distance > SURELY_BENT * 0.5 * length);
  for (let k = 0; k < count; k++) {
    const distance = hinges[stride * k + HINGE_STRIDE * limb + 3];
    const isAlong = measured[2 * k] * sure[2 * k] + measured[2 * k + 1] * sure[2 * k + 1] >= 0;
    if (isAlong || distance > SURELY_BENT * 0.5 * length) continue;
    measured[2 * k] *= -1;
    measured[2 * k + 1] *= -1;
  }
  const path = solve(() => true);
  for (let k = 0; k < count; k++) {
    const at = stride * k + HINGE_STRIDE * limb;
    const size = Math.hypot(path[2 * k], path[2 * k + 1]);
    const [cos, sin] = size > 0 ? [path[2 * k] / size, path[2 * k + 1] / size] : [1, 0];
    vec3.cross(side, 0, directions, 3 * k, zero, 3 * k);
    vec3.scale(axis, 0, zero, 3 * k, cos);
    vec3.addScaled(axis, 0, axis, 0, side, 0, sin);
    vec3.copy(hinges, at, axis, 0);
  }
}
