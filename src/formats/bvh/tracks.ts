/** Tracks from the columns of a MOTION section. */
import type { Track } from '../../core/animation/clip.ts';
import { DEGREE, fromAxisAngles } from '../../core/math/euler.ts';
import * as quat from '../../core/math/quat.ts';
import { axisOf, type BvhJoint, type BvhMotion, isPosition } from './bvh-tree.ts';

/**
 * Reads the rotations of a joint, one key per frame. The rotation is the product of the channels in file order, R = R₁ · R₂ · R₃: the last
 * one is applied first. Consecutive quaternions are in one hemisphere, so that linear interpolation takes the shorter path.
 *
 * @param times Seconds, one per frame.
 * @returns a LINEAR track, local space; null without rotation channels.
 */
export function rotationTrack(joint: BvhJoint, target: number, motion: BvhMotion, times: Float64Array): Track | null {
  const axes: number[] = [];
  const columns: number[] = [];
  for (const [k, channel] of joint.channels.entries()) {
    if (isPosition(channel)) continue;
    axes.push(axisOf(channel));
    columns.push(joint.column + k);
  }
  if (axes.length === 0) return null;
  const stride = motion.values.length / motion.frameCount;
  const values = new Float64Array(motion.frameCount * 4);
  const angles = new Float64Array(axes.length);
  for (let frame = 0; frame < motion.frameCount; frame++) {
    const o = frame * 4;
    for (let k = 0; k < columns.length; k++) angles[k] = motion.values[frame * stride + columns[k]!]!;
    fromAxisAngles(values, o, axes, angles, 0, DEGREE);
    const flipped = frame === 0 ? values[3]! < 0 : quat.dot(values, o, values, o - 4) < 0;
    if (flipped) quat.set(values, o, -values[o]!, -values[o + 1]!, -values[o + 2]!, -values[o + 3]!);
  }
  return { target, path: 'rotation', interpolation: 'LINEAR', times, values };
}

/**
 * Reads the translations of a joint, one key per frame. A position replaces the OFFSET on its axis, or is added to it. Axes without a channel
 * keep the OFFSET.
 *
 * @param times Seconds, one per frame.
 * @returns a LINEAR track, local space, unit of the file; null without position channels.
 */
export function translationTrack(
  joint: BvhJoint,
  target: number,
  motion: BvhMotion,
  times: Float64Array,
  isAdded: boolean,
): Track | null {
  if (!joint.channels.some(isPosition)) return null;
  const stride = motion.values.length / motion.frameCount;
  const values = new Float64Array(motion.frameCount * 3);
  for (let o = 0; o < values.length; o += 3) values.set(joint.offset, o);
  for (const [k, channel] of joint.channels.entries()) {
    if (!isPosition(channel)) continue;
    const axis = axisOf(channel);
    const base = isAdded ? joint.offset[axis]! : 0;
    for (let frame = 0; frame < motion.frameCount; frame++) {
      values[frame * 3 + axis] = base + motion.values[frame * stride + joint.column + k]!;
    }
  }
  return { target, path: 'translation', interpolation: 'LINEAR', times, values };
}

/** Checks whether all keys of a translation track equal an offset. */
export function staysAt(track: Track, offset: Float64Array, tolerance: number): boolean {
  return track.values.every((value, i) => Math.abs(value - offset[i % 3]!) <= tolerance);
}
