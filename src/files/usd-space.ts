/** The space of USD files that are made of others: USD says itself what is up, +Y or +Z, and how long a unit is. */
import type { Asset } from '../core/asset/asset.ts';
import type { Humanoid } from '../core/humanoid/humanoid.ts';
import * as quat from '../core/math/quat.ts';
import * as vec3 from '../core/math/vec3.ts';
import type { UsdSpace } from '../formats/usd/write/usd-animation.ts';

/** How near a direction must come to an axis to be one. */
const ON_AXIS = 1e-6;

/** What is up in a file: what its format says, else what the humanoid stands along, else +Y. */
function upOf({ up }: Pick<Asset, 'up'>, humanoid: Humanoid | null): Float64Array {
  const out = Float64Array.of(0, 1, 0);
  if (up !== null) return Float64Array.from(up);
  if (humanoid === null) return out;
  const back = new Float64Array(4);
  quat.conjugate(back, 0, humanoid.frame, 0);
  vec3.rotate(out, 0, back, 0, out, 0);
  return out;
}

/**
 * The space that a file is written in as USD: its own, so that no number changes. A file with another axis up is turned as a whole, by the shortest
 * way, and a file that says nothing of its unit has the one that its humanoid shows, else meters.
 */
export function usdSpace(asset: Pick<Asset, 'format' | 'metersPerUnit' | 'up'>, humanoid: Humanoid | null): UsdSpace {
  const isGltf = asset.format !== 'bvh' && asset.format !== 'fbx' && asset.format !== 'usd';
  const metersPerUnit = isGltf ? 1 : (humanoid?.metersPerUnit ?? asset.metersPerUnit ?? 1);
  const up = upOf(asset, humanoid);
  const still = [0, 0, 0, 1];
  if (up[1] > 1 - ON_AXIS) return { upAxis: 'Y', metersPerUnit, rotation: still };
  if (up[2] > 1 - ON_AXIS) return { upAxis: 'Z', metersPerUnit, rotation: still };
  const rotation = new Float64Array(4);
  quat.fromTo(rotation, 0, up, 0, [0, 1, 0], 0);
  return { upAxis: 'Y', metersPerUnit, rotation };
}
