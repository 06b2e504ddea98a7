import { type AxisAnglesPlan, planAxisAngles, toAxisAngles } from '../../core/math/axis-angles.ts';
import { DEGREE, fromAxisAngles } from '../../core/math/euler.ts';
import * as quat from '../../core/math/quat.ts';
import { axisOf, type BvhChannel, isPosition } from './bvh-tree.ts';

/** The rotation channels of a joint. Angles continue from frame to frame without jumps. */
export interface RotationChannels {
  readonly plan: AxisAnglesPlan;
  /** Axis of every angle: 0 x, 1 y, 2 z. */
  readonly axes: readonly number[];
  readonly columns: readonly number[];
  /** Angles of the last written frame, radians. */
  readonly angles: Float64Array;
}

export function rotationChannels(channels: readonly BvhChannel[], column: number): RotationChannels {
  const axes: number[] = [];
  const columns: number[] = [];
  for (const [k, channel] of channels.entries()) {
    if (isPosition(channel)) continue;
    axes.push(axisOf(channel));
    columns.push(column + k);
  }
  return { plan: planAxisAngles(axes), axes, columns, angles: new Float64Array(axes.length) };
}

/** Writes a rotation as degrees into a frame. `q`: unit quaternions, xyzw, local space. */
export function writeRotation(
  values: Float64Array,
  row: number,
  { plan, columns, angles }: RotationChannels,
  q: ArrayLike<number>,
  i: number,
): void {
  toAxisAngles(angles, 0, plan, q, i);
  for (let k = 0; k < columns.length; k++) values[row + columns[k]!] = angles[k]! / DEGREE;
}

const reached = new Float64Array(4);

/** Measures the angle between a rotation and the one that was written for it. `q`: unit quaternions, xyzw, local space. */
export function rotationError({ axes, angles }: RotationChannels, q: ArrayLike<number>, i: number): number {
  fromAxisAngles(reached, 0, axes, angles);
  return quat.angleBetween(reached, 0, q, i);
}
