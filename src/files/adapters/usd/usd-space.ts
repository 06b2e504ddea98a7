/** The space of USD files that are converted from other formats. USD declares its up axis, +Y or +Z, and its unit. */
import type { Asset } from '../../../core/asset/asset.ts';
import type { Humanoid } from '../../../core/humanoid/humanoid.ts';
import * as quat from '../../../core/math/quat.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import type { UsdSpace } from '../../../formats/usd/write/usd-animation.ts';

/** Tolerance for a direction along an axis. */
const ON_AXIS = 1e-6;

/** The up direction that the format declares, else that of the humanoid, else +Y. */
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
 * Chooses the space of a file that is written as USD: its own, so that no number changes. A file with another up axis is rotated as a whole, by the
 * shortest arc. A file without a unit gets that of its humanoid, else meters.
 *
 * @param asset The file.
 * @param humanoid Its humanoid; null without one.
 * @returns Up axis, unit in meters and rotation (quaternion xyzw) of the whole scene.
 */
export function usdSpace(asset: Pick<Asset, 'format' | 'metersPerUnit' | 'up'>, humanoid: Humanoid | null): UsdSpace {
  const isGltf = asset.format !== 'bvh' && asset.format !== 'fbx' && asset.format !== 'usd';
  const metersPerUnit = isGltf ? 1 : (humanoid?.metersPerUnit ?? asset.metersPerUnit ?? 1);
  const up = upOf(asset, humanoid);
  const identity = [0, 0, 0, 1];
  if (up[1] > 1 - ON_AXIS) return { upAxis: 'Y', metersPerUnit, rotation: identity };
  if (up[2] > 1 - ON_AXIS) return { upAxis: 'Z', metersPerUnit, rotation: identity };
  const rotation = new Float64Array(4);
  quat.fromTo(rotation, 0, up, 0, [0, 1, 0], 0);
  return { upAxis: 'Y', metersPerUnit, rotation };
}
