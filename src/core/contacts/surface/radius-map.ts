/** How far the skin of a character is from the axes of its bones, by position along the bone and by direction. */
import type { Floats } from '../../math/floats.ts';
import * as vec3 from '../../math/vec3.ts';

/** Directions around the axis of a bone. */
export const COLUMNS = 16;
/** Directions of each rounded end, from its tip to the axis, and positions along the axis between the ends. */
export const END_ROWS = 3;
export const MIDDLE_ROWS = 6;
/** Rows of radii: one end, the axis, the other end. */
export const ROWS: number = 2 * END_ROWS + MIDDLE_ROWS;

/**
 * The skin around one bone in the reference pose: distances from a part of its axis. The axis starts at `center`; the part of it from `from` to `to` has
 * rounded ends. Canonical frame, meters. In a pose all of it moves with the world delta of the bone.
 */
export interface BoneRadii {
  /** The bone. */
  readonly bone: number;
  /** Offset of the axis from the joint, perpendicular to it: xyz. */
  readonly center: Float64Array;
  /** Three perpendicular unit vectors: the axis, and the directions at 0° and 90° around it; 9 floats. */
  readonly axes: Float64Array;
  /** Start of the rounded part of the axis, from `center`. */
  readonly from: number;
  /** End of it. */
  readonly to: number;
  /** 12 rows × 16 columns of distances. */
  readonly radii: Float64Array;
  /** The largest of them. */
  readonly largest: number;
  /** Radius of a sphere around the joint that contains all of the surface, meters. */
  readonly reach: number;
}

/** `bone` of what is no bone: the ground. */
export const GROUND = -2;

/** Returns the ground as a part that arms are kept out of: all that is below the floor. Depths in it are relative to the height of the character. */
export function groundSolid({ floor, height }: { readonly floor: number; readonly height: number }): BoneRadii {
  const none = new Float64Array(0);
  return {
    bone: GROUND,
    center: Float64Array.of(0, floor, 0),
    axes: none,
    from: 0,
    to: 0,
    radii: none,
    largest: height,
    reach: Number.POSITIVE_INFINITY,
  };
}

export function completeRadii(radii: Omit<BoneRadii, 'largest' | 'reach'>): BoneRadii {
  let largest = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < radii.radii.length; k++) largest = Math.max(largest, radii.radii[k]);
  const axis = Math.max(Math.abs(radii.from), Math.abs(radii.to));
  return { ...radii, largest, reach: axis + vec3.length(radii.center, 0) + largest };
}

/** Radii of all bones that have a surface; null for the others. One entry per humanoid bone. */
export type RadiusMap = readonly (BoneRadii | null)[];

/** Returns the row of a direction or position. `along`: position along the axis, meters from its center. `beside`: distance from the axis, meters. */
function rowAt({ from, to }: BoneRadii, along: number, beside: number): number {
  if (along < from) return END_ROWS * (1 - Math.atan2(from - along, beside) / (Math.PI / 2));
  if (along > to) return ROWS - 1 - END_ROWS * (1 - Math.atan2(along - to, beside) / (Math.PI / 2));
  return END_ROWS + (to > from ? ((along - from) / (to - from)) * (MIDDLE_ROWS - 1) : (MIDDLE_ROWS - 1) / 2);
}

function interpolate(radii: Float64Array, row: number, column: number): number {
  const r = Math.min(ROWS - 2, Math.max(0, Math.floor(row)));
  const c = Math.floor(column);
  const [t, u] = [row - r, column - c];
  const a = COLUMNS * r + (((c % COLUMNS) + COLUMNS) % COLUMNS);
  const b = COLUMNS * r + ((((c + 1) % COLUMNS) + COLUMNS) % COLUMNS);
  const near = radii[a] + (radii[b] - radii[a]) * u;
  const far = radii[a + COLUMNS] + (radii[b + COLUMNS] - radii[a + COLUMNS]) * u;
  return near + (far - near) * t;
}

/**
 * Returns the largest depth inside the surface of a bone that a point can have at its distance from the axis.
 *
 * @param point Xyz at `p`, relative to the joint, in the axes of the reference pose, canonical meters.
 * @returns Meters; {@link depthInside} is at most that, up to rounding.
 */
export function mostDepth({ axes, center, from, to, largest }: BoneRadii, point: ArrayLike<number>, p: number): number {
  const x = point[p] - center[0];
  const y = point[p + 1] - center[1];
  const z = point[p + 2] - center[2];
  const along = Math.min(to, Math.max(from, x * axes[0] + y * axes[1] + z * axes[2]));
  const [dx, dy, dz] = [x - along * axes[0], y - along * axes[1], z - along * axes[2]];
  return largest - Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/**
 * Finds the surface of a bone in the direction of a point. `out` receives 4 floats at `o`: the unit direction from the axis to the point, in the
 * axes of the reference pose, and the distance from the axis to the surface there, meters. `point`: xyz at `p`, relative to the joint, in the axes
 * of the reference pose, canonical meters. Returns distance from the axis to the surface minus distance from the axis to the point, meters:
 * positive inside.
 */
export function depthInside(out: Floats, o: number, radii: BoneRadii, point: ArrayLike<number>, p: number): number {
  const { axes, center, from, to } = radii;
  const x = point[p] - center[0];
  const y = point[p + 1] - center[1];
  const z = point[p + 2] - center[2];
  const along = x * axes[0] + y * axes[1] + z * axes[2];
  const first = x * axes[3] + y * axes[4] + z * axes[5];
  const second = x * axes[6] + y * axes[7] + z * axes[8];
  const row = rowAt(radii, along, Math.sqrt(first * first + second * second));
  const column = (Math.atan2(second, first) / (2 * Math.PI)) * COLUMNS;
  const nearest = Math.min(to, Math.max(from, along));
  const [dx, dy, dz] = [x - nearest * axes[0], y - nearest * axes[1], z - nearest * axes[2]];
  const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
  out[o] = dx / distance;
  out[o + 1] = dy / distance;
  out[o + 2] = dz / distance;
  if (!(distance > 0)) vec3.copy(out, o, axes, 3);
  out[o + 3] = interpolate(radii.radii, row, column);
  return out[o + 3] - distance;
}

/**
 * Returns the distance of the skin from a position on the axis, in a direction. `along`: position on the axis, meters from its center. `direction`:
 * xyz at `d`, in the axes of the reference pose; only its part perpendicular to the axis counts.
 */
export function radiusToward(radii: BoneRadii, along: number, direction: ArrayLike<number>, d: number): number {
  const first = vec3.dot(direction, d, radii.axes, 3);
  const second = vec3.dot(direction, d, radii.axes, 6);
  const at = Math.min(radii.to, Math.max(radii.from, along));
  return interpolate(radii.radii, rowAt(radii, at, 1), (Math.atan2(second, first) / (2 * Math.PI)) * COLUMNS);
}
