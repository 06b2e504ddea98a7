/** The rotation channels of one joint, written frame after frame. */
import { type AxisAnglesPlan, planAxisAngles, toAxisAngles } from '../../core/math/axis-angles.ts';
import { DEGREE, fromAxisAngles } from '../../core/math/euler.ts';
import * as quat from '../../core/math/quat.ts';
import { axisOf, type BvhChannel, isPosition } from './tree.ts';

/** Where the rotation of a joint goes in a frame. The angles run on from frame to frame. */
export interface RotationChannels {
  readonly plan: AxisAnglesPlan;
  readonly axes: readonly number[];
  /** Place in the row of a frame of every angle. */
  readonly columns: readonly number[];
  /** Radians, those of the last frame written. */
  readonly angles: Float64Array;
}

/** The rotation channels among the channels of a joint whose first is at `column`. */
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

/** Writes a rotation (unit quaternion at i) as degrees into the row of a frame that starts at `row`. */
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

/** Radians between a rotation and the one that was written for it. */
export function rotationMiss({ axes, angles }: RotationChannels, q: ArrayLike<number>, i: number): number {
  fromAxisAngles(reached, 0, axes, angles);
  return quat.angleBetween(reached, 0, q, i);
}
