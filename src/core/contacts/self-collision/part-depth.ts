/** How deep a point of a limb is inside a part of a character. */
import * as vec3 from '../../math/vec3.ts';
import { type BoneRadii, depthInside, GROUND, mostDepth, radiusToward } from '../surface/radius-map.ts';
import { BONE_STRIDE, POSITION_OFFSET } from './bone-frames.ts';
import type { LimbPoint } from './limb-points.ts';

/** Computes the position of a point of a limb. `out` receives xyz at `o`, canonical frame, meters. */
export function pointAt(
  out: Float64Array,
  o: number,
  { bone, offset }: LimbPoint,
  bones: Float64Array,
  b: number,
): void {
  const at = b + BONE_STRIDE * bone;
  vec3.rotate(out, o, bones, at, offset, 0);
  vec3.add(out, o, out, o, bones, at + POSITION_OFFSET);
}

interface PartDepth {
  /** How deep the surface of the limb is below the surface of the part, meters; negative outside. */
  depth: number;
  /** Radius of the part plus that of the limb, in their direction, meters. */
  size: number;
  /** The bone of the part; −1 where nothing is deep enough. */
  bone: number;
  /** Largest depth that the point can have by its distance from the axes of the bones alone, meters. */
  most: number;
  /** Direction out of the part, xyz, canonical frame, unit. */
  readonly outward: Float64Array;
}

export function createPartDepth(): PartDepth {
  return { depth: 0, size: 0, bone: -1, most: 0, outward: new Float64Array(3) };
}

/** Distance by which bounds of depths are widened, meters: far above rounding. */
export const DEPTH_MARGIN = 1e-9;

const UP = Float64Array.of(0, 1, 0);

/** Returns how thick a point of a limb is toward a part. `outward`: direction out of the part, xyz. */
function thicknessToward(point: LimbPoint, outward: Float64Array, limb: Float64Array, l: number): number {
  const { radii, along, thickness, thickest } = point;
  if (radii === null) return 0;
  vec3.scale(relative, 0, outward, 0, -1);
  vec3.rotateBack(relative, 0, limb, l, relative, 0);
  return thickness * Math.min(thickest, radiusToward(radii, along, relative, 0));
}

const relative = new Float64Array(3);
const direction = new Float64Array(4);

/**
 * Finds the bone of a part that a point of a limb is deepest in.
 *
 * @param out Receives depth, size, bone and direction.
 * @param position Its position: xyz, canonical meters.
 * @param limb World delta of its bone, xyzw at `l`.
 * @param least Depth up to which the caller needs no result, meters; −Infinity for any. Where nothing is deeper, `out` has this depth, size 0 and bone −1.
 */
export function findPartDepth(
  out: PartDepth,
  part: readonly BoneRadii[],
  bones: Float64Array,
  b: number,
  point: LimbPoint,
  position: Float64Array,
  limb: Float64Array,
  l: number,
  least: number,
): void {
  out.depth = least;
  out.size = 0;
  out.bone = -1;
  out.most = Number.NEGATIVE_INFINITY;
  const most = point.radii === null ? 0 : point.thickness * Math.min(point.thickest, point.radii.largest);
  for (let k = 0; k < part.length; k++) {
    if (part[k].bone === GROUND) {
      const below = part[k].center[1] - position[1];
      out.most = Math.max(out.most, below + most);
      if (below + most + DEPTH_MARGIN < out.depth) continue;
      const depth = below + thicknessToward(point, UP, limb, l);
      if (!(depth > out.depth)) continue;
      out.depth = depth;
      out.size = part[k].largest;
      out.bone = GROUND;
      vec3.copy(out.outward, 0, UP, 0);
      continue;
    }
    const at = b + BONE_STRIDE * part[k].bone;
    vec3.subtract(relative, 0, position, 0, bones, at + POSITION_OFFSET);
    // A sphere around the bone, before the point is rotated into its axes.
    const around = part[k].reach - vec3.length(relative, 0) + most;
    if (around + DEPTH_MARGIN < out.depth) {
      out.most = Math.max(out.most, around);
      continue;
    }
    vec3.rotateBack(relative, 0, bones, at, relative, 0);
    const bound = mostDepth(part[k], relative, 0) + most;
    out.most = Math.max(out.most, bound);
    if (bound + DEPTH_MARGIN < out.depth) continue;
    const inside = depthInside(direction, 0, part[k], relative, 0);
    if (inside + most + DEPTH_MARGIN < out.depth) continue;
    vec3.rotate(direction, 0, bones, at, direction, 0);
    // The limb is as thick as it is in the direction of the part.
    const thickness = thicknessToward(point, direction, limb, l);
    const depth = inside + thickness;
    if (!(depth > out.depth)) continue;
    out.depth = depth;
    out.size = direction[3] + thickness;
    out.bone = part[k].bone;
    vec3.copy(out.outward, 0, direction, 0);
  }
}
