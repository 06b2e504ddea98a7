/** Rotation tracks of nodes that take a share of the turn of a bone, and of the bones below them. */
import type { Track } from '../animation/clip.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import type { RetargetPlan, SharePlan } from './retarget-plan.ts';
import { constantOf, type RotationProducts, sampleProduct, trackCount } from './rotation-products.ts';
import { shareRotation } from './share-rotation.ts';
import { resampled } from './target-track.ts';

const driverRotation = new Float64Array(4);
const ownRotation = new Float64Array(4);

/** Shares whose drivers stand still over a clip. */
export interface StillShares {
  /** The products with the shares of bones in their constants: their keys can be mapped as ever. */
  readonly folded: RotationProducts;
  /** The rotations of the other nodes. */
  readonly still: readonly { readonly share: SharePlan; readonly value: Float64Array }[];
}

/** Makes constants of the shares whose drivers stand still. */
export function foldStillShares({ shares }: RetargetPlan, products: RotationProducts): StillShares {
  if (shares.length === 0) return { folded: products, still: [] };
  const still: { share: SharePlan; value: Float64Array }[] = [];
  const constants = products.constants.slice();
  for (const share of shares) {
    if (trackCount(products, share.driver) > 0) continue;
    const value = new Float64Array(4);
    shareRotation(value, 0, share, products.constants, constantOf(products, share.driver));
    if (share.bone < 0) still.push({ share, value });
    else {
      const at = constantOf(products, share.bone);
      quat.multiply(constants, at, value, 0, constants, at);
    }
  }
  return { folded: { ...products, constants }, still };
}

/** The tracks of bone k. */
function tracksOf({ first, tracks }: RotationProducts, k: number): readonly Track[] {
  return tracks.slice(first[k], first[k + 1]);
}

/** A resampled track of a share whose driver moves; of a bone, with its own rotation. */
export function sharedTrack(
  { targetNodes }: RetargetPlan,
  products: RotationProducts,
  share: SharePlan,
  tolerance: number,
  duration: number,
  fps: number | undefined,
): Track {
  const { driver, bone } = share;
  const evaluate = (time: number, out: Floats, o: number): void => {
    sampleProduct(driverRotation, 0, products, driver, time);
    if (bone < 0) {
      shareRotation(out, o, share, driverRotation, 0);
      return;
    }
    sampleProduct(ownRotation, 0, products, bone, time);
    shareRotation(driverRotation, 0, share, driverRotation, 0);
    quat.multiply(out, o, driverRotation, 0, ownRotation, 0);
  };
  const own = bone < 0 || bone === driver ? [] : tracksOf(products, bone);
  const tracks = [...tracksOf(products, driver), ...own];
  const node = bone < 0 ? share.targetNode : targetNodes[bone];
  return resampled(node, { path: 'rotation', tracks, tolerance, evaluate }, duration, fps);
}
