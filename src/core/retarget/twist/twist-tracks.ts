import type { Track } from '../../animation/clip.ts';
import type { Floats } from '../../math/floats.ts';
import * as quat from '../../math/quat.ts';
import type { RetargetPlan, TwistPlan } from '../plan-types.ts';
import { type RotationProducts, sampleProduct } from '../rotation-products.ts';
import { resampleTrack } from '../target-track.ts';
import { twistRotation } from './twist-rotation.ts';

const driverRotation = new Float64Array(4);
const ownRotation = new Float64Array(4);

interface ConstantTwists {
  /** The products with the constant twists of bones multiplied into their constants, so that keys can be mapped one by one. */
  readonly products: RotationProducts;
  readonly values: readonly {
    readonly twist: TwistPlan;
    /** Local rotation of its node, xyzw. */
    readonly value: Float64Array;
  }[];
}

/** Evaluates the twists whose drivers are constant over a clip. */
export function evaluateConstantTwists(plan: RetargetPlan, products: RotationProducts): ConstantTwists {
  if (plan.twists.length === 0) return { products, values: [] };
  const values: { twist: TwistPlan; value: Float64Array }[] = [];
  const constants = products.constants.slice();
  for (const twist of plan.twists) {
    if (products.trackCounts[twist.driver] > 0) continue;
    const value = new Float64Array(4);
    twistRotation(value, 0, twist, products.constants, products.start[twist.driver]);
    if (twist.bone < 0) values.push({ twist, value });
    else {
      const at = products.start[twist.bone];
      quat.multiply(constants, at, value, 0, constants, at);
    }
  }
  return { products: { ...products, constants }, values };
}

function tracksOf({ first, trackCounts, tracks }: RotationProducts, k: number): readonly Track[] {
  return tracks.slice(first[k], first[k] + trackCounts[k]);
}

/**
 * Resamples the rotation of a twist joint whose driver moves; for a bone, together with its own rotation. `duration`: seconds. `fps`: keys per second;
 * undefined keeps the key times of the source and adds keys up to the tolerance.
 */
export function twistTrack(
  plan: RetargetPlan,
  products: RotationProducts,
  twist: TwistPlan,
  tolerance: number,
  duration: number,
  fps: number | undefined,
): Track {
  const { driver, bone } = twist;
  const evaluate = (time: number, out: Floats, o: number): void => {
    sampleProduct(driverRotation, 0, products, driver, time);
    if (bone < 0) {
      twistRotation(out, o, twist, driverRotation, 0);
      return;
    }
    sampleProduct(ownRotation, 0, products, bone, time);
    twistRotation(driverRotation, 0, twist, driverRotation, 0);
    quat.multiply(out, o, driverRotation, 0, ownRotation, 0);
  };
  const own = bone < 0 || bone === driver ? [] : tracksOf(products, bone);
  const tracks = [...tracksOf(products, driver), ...own];
  const node = bone < 0 ? twist.targetNode : plan.targetNodes[bone];
  return resampleTrack(node, { path: 'rotation', tracks, tolerance, evaluate }, duration, fps);
}
