/**
 * Twist of arms and legs, frame by frame: the forward half of `smooth-hinges.ts`, with the same certainties. What was seen so far counts by how surely it was seen,
 * and less with time.
 */
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import type { PointBody } from './point-body.ts';
import { HINGE_VARIANCE, PLACE_ERROR, PREDICTED_ARM, PREDICTED_LEG, SURELY_BENT, TWIST_RATE } from './smooth-hinges.ts';
import {
  HINGE_STRIDE,
  HINGES,
  hingeBone,
  hingeChild,
  hingeParent,
  measureHinges,
  predictHinge,
} from './solve-frame.ts';

interface HingeState {
  /** Axes in the axes of the bones that carry the limbs, xyz each. */
  readonly axes: Float64Array;
  /** Directions of the upper bones in the same axes. */
  readonly directions: Float64Array;
  /** Certainty of the axes, 1/rad²; 0 before the first frame. */
  readonly certainty: Float64Array;
  /** Error of the places of joints relative to the upper bones. */
  readonly errors: Float64Array;
}

/** Creates a state in which nothing was seen. `errors`: of the places of joints, meters, per limb. */
export function createHingeState({ rest }: PointBody, errors: ArrayLike<number>): HingeState {
  const relative = Float64Array.from({ length: HINGES }, (_, limb) => {
    const length = vec3.distance(rest, 3 * hingeBone(limb), rest, 3 * hingeChild(limb));
    return Math.max(PLACE_ERROR * length, errors[limb]);
  });
  const [axes, directions] = [new Float64Array(3 * HINGES), new Float64Array(3 * HINGES)];
  return { axes, directions, certainty: new Float64Array(HINGES), errors: relative };
}

const u = new Float64Array(3);
const v = new Float64Array(3);
const predicted = new Float64Array(3);
const known = new Float64Array(3);
const swing = new Float64Array(4);

/**
 * Measures the axes of elbows and knees of a frame, and replaces them by what is likely after all frames so far. Does not allocate. `rotations`:
 * those of the trunk of this frame. `seconds`: time since the frame before. `hinges` receives HINGES × HINGE_STRIDE floats.
 */
export function followHinges(
  state: HingeState,
  body: PointBody,
  points: Float64Array,
  rotations: Float64Array,
  seconds: number,
  hinges: Float64Array,
): void {
  const { axes, directions, certainty, errors } = state;
  const rate = (TWIST_RATE * seconds) ** 2;
  measureHinges(body, points, hinges, 0);
  for (let limb = 0; limb < HINGES; limb++) {
    const upper = hingeBone(limb);
    const lower = hingeChild(limb);
    if (body.has[lower] === 0) continue;
    const at = HINGE_STRIDE * limb;
    const carrier = 4 * hingeParent(body, limb);
    const length = vec3.distance(body.rest, 3 * upper, body.rest, 3 * lower);
    vec3.subtract(v, 0, points, 3 * lower, points, 3 * upper);
    vec3.normalize(v, 0, v, 0);
    vec3.rotateBack(u, 0, rotations, carrier, v, 0);
    predictHinge(body, limb, points, rotations, predicted);
    const hint = (limb & 1) === 1 ? PREDICTED_LEG : PREDICTED_ARM;
    let before = 0;
    known.fill(0);
    if (certainty[limb] > 0) {
      before = 1 / (1 / certainty[limb] + rate);
      // The axis goes with the limb without a twist relative to the bone that carries it.
      quat.fromTo(swing, 0, directions, 3 * limb, u, 0, axes, 3 * limb);
      vec3.rotate(known, 0, swing, 0, axes, 3 * limb);
      vec3.rotate(known, 0, rotations, carrier, known, 0);
    }
    const distance = hinges[at + 3];
    const seen = distance > 0 ? 1 / (HINGE_VARIANCE + (errors[limb] / distance) ** 2) : 0;
    // The bend of a limb that is nearly straight has either sign.
    const along = before > 0 ? vec3.dot(hinges, at, known, 0) : vec3.dot(hinges, at, predicted, 0);
    const sign = along < 0 && distance <= SURELY_BENT * 0.5 * length ? -1 : 1;
    for (let c = 0; c < 3; c++) hinges[at + c] = seen * sign * hinges[at + c] + hint * predicted[c] + before * known[c];
    vec3.addScaled(hinges, at, hinges, at, v, 0, -vec3.dot(hinges, at, v, 0));
    if (!(vec3.normalize(hinges, at, hinges, at) > 0)) vec3.copy(hinges, at, predicted, 0);
    certainty[limb] = before + seen + hint;
    vec3.rotateBack(axes, 3 * limb, rotations, carrier, hinges, at);
    vec3.copy(directions, 3 * limb, u, 0);
  }
}
