/** Tracks from the columns of a MOTION section. */
import type { Track } from '../../core/animation/clip.ts';
import { DEGREE, fromAxisAngles } from '../../core/math/euler.ts';
import * as quat from '../../core/math/quat.ts';
import { axisOf, type BvhJoint, type BvhMotion, isPosition } from './tree.ts';

/**
 * The rotations of a joint, local, one key a frame; null without rotation channels. The rotation is the product of the
 * channels in the order of the file, R = R₁ · R₂ · R₃: the last one turns the bone first. Neighbors lie in one
 * hemisphere, so that a plain interpolation between them takes the short way.
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
 * The translations of a joint, local, one key a frame; null without position channels. A position takes the place of the
 * OFFSET on its axis, or is added to it where `moves` says so; axes without a channel keep the OFFSET.
 */
export function translationTrack(
  joint: BvhJoint,
  target: number,
  motion: BvhMotion,
  times: Float64Array,
  moves: boolean,
): Track | null {
  if (!joint.channels.some(isPosition)) return null;
  const stride = motion.values.length / motion.frameCount;
  const values = new Float64Array(motion.frameCount * 3);
  for (let o = 0; o < values.length; o += 3) values.set(joint.offset, o);
  for (const [k, channel] of joint.channels.entries()) {
    if (!isPosition(channel)) continue;
    const axis = axisOf(channel);
    const base = moves ? joint.offset[axis]! : 0;
    for (let frame = 0; frame < motion.frameCount; frame++) {
      values[frame * 3 + axis] = base + motion.values[frame * stride + joint.column + k]!;
    }
  }
  return { target, path: 'translation', interpolation: 'LINEAR', times, values };
}

/** Whether all keys of a translation track are this offset, up to a tolerance on every axis. */
export function staysAt(track: Track, offset: Float64Array, tolerance: number): boolean {
  return track.values.every((value, i) => Math.abs(value - offset[i % 3]!) <= tolerance);
}
