import { type Asset, isGltfKind } from '../../../core/asset/asset.ts';
import type { Humanoid } from '../../../core/humanoid/humanoid.ts';
import * as quat from '../../../core/math/quat.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import type { UsdSpace } from '../../../formats/usd/write/written-layer.ts';

/** Tolerance for a direction along an axis. */
const ON_AXIS = 1e-6;

/** The up direction that the format declares, else that of the humanoid, else +Y. */
function upOf({ up }: Pick<Asset, 'up'>, humanoid: Humanoid | null): Float64Array {
  const out = Float64Array.of(0, 1, 0);
  if (up !== null) return Float64Array.from(up);
  if (humanoid === null) return out;
  const back = quat.conjugated(humanoid.frame);
  vec3.rotate(out, 0, back, 0, out, 0);
  return out;
}

/** Rotations by 0°, 90°, 180° and 270° about the up axis: sine and cosine of half the angle. */
const QUARTERS = [
  [0, 1],
  [Math.SQRT1_2, Math.SQRT1_2],
  [1, 0],
  [-Math.SQRT1_2, Math.SQRT1_2],
] as const;

/**
 * Rotates a scene about its up axis by multiples of 90° until the humanoid faces the viewer. Smaller angles stay: people in recordings rarely
 * face an axis exactly. `rotation` leads to Y-up or Z-up and is edited.
 */
function faceViewer(rotation: Float64Array, upAxis: UsdSpace['upAxis'], { frame }: Humanoid): void {
  const facing = quat.conjugated(frame);
  quat.multiply(facing, 0, rotation, 0, facing, 0);
  vec3.rotate(facing, 0, facing, 0, [0, 0, 1], 0);
  const [x, y, z] = facing;
  // Viewers look along −Z, at Z-up along +Y.
  const angle = upAxis === 'Y' ? Math.atan2(-x, z) : Math.atan2(-x, -y);
  const [sin, cos] = QUARTERS[(Math.round(angle / (Math.PI / 2)) + 4) % 4];
  if (sin !== 0) quat.multiply(rotation, 0, upAxis === 'Y' ? [0, sin, 0, cos] : [0, 0, sin, cos], 0, rotation, 0);
}

/**
 * Chooses the space of a file that is written as USD: its own, so that no number changes, with one rotation of the whole scene: by the shortest arc for
 * another up axis than +Y and +Z, and by multiples of 90° for a humanoid that does not face the viewer (+Z, at Z-up −Y), such as a VRM 0.x. A USD stays
 * as it is. A file without a unit gets that of its humanoid, else meters. `humanoid`: null without one. Returns up axis, unit in meters and rotation
 * (quaternion xyzw) of the whole scene.
 */
export function usdSpace(asset: Pick<Asset, 'format' | 'metersPerUnit' | 'up'>, humanoid: Humanoid | null): UsdSpace {
  const metersPerUnit = isGltfKind(asset.format) ? 1 : (humanoid?.metersPerUnit ?? asset.metersPerUnit ?? 1);
  const up = upOf(asset, humanoid);
  const rotation = Float64Array.of(0, 0, 0, 1);
  const isZ = up[2] > 1 - ON_AXIS;
  if (!isZ && !(up[1] > 1 - ON_AXIS)) quat.fromTo(rotation, 0, up, 0, [0, 1, 0], 0);
  const upAxis = isZ ? 'Z' : 'Y';
  if (humanoid !== null && asset.format !== 'usd') faceViewer(rotation, upAxis, humanoid);
  return { upAxis, metersPerUnit, rotation: Array.from(rotation) };
}
