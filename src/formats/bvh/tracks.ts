import type { Track } from '../../core/animation/clip.ts';
import { DEGREE, fromAxisAngles } from '../../core/math/euler.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { axisOf, type BvhJoint, type BvhMotion, isPosition } from './bvh-tree.ts';
import { hasPosition, type RootedTree } from './roots.ts';

/**
 * Reads the rotations of a joint, one key per frame. The rotation is the product of the channels in file order, R = R₁ · R₂ · R₃: the last one is
 * applied first. Consecutive quaternions are in one hemisphere, so that linear interpolation takes the shorter path. `times`: seconds, one per
 * frame. Returns a LINEAR track, local space; null without rotation channels.
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
 * Reads the translations of a joint, one key per frame. A position replaces the OFFSET on its axis, or is added to it. Axes without a channel keep
 * the OFFSET. `times`: seconds, one per frame. Returns a LINEAR track, local space, unit of the file; null without position channels.
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

/**
 * Converts positions in the space of the file to the spaces of the parents, in place: those of all joints below the root that have all three position
 * channels. The tracks are those of `rotationTrack` and `translationTrack`, with one key per frame.
 */
export function toParentSpaces({ first, joints }: RootedTree, tracks: readonly Track[], frameCount: number): void {
  const turns = new Map<number, Track['values']>();
  const moves = new Map<number, Track['values']>();
  for (const { target, path, values } of tracks) (path === 'rotation' ? turns : moves).set(target, values);
  const rotations = new Float64Array(4 * joints.length);
  const positions = new Float64Array(3 * joints.length);
  const back = new Float64Array(4);
  for (let frame = 0; frame < frameCount; frame++) {
    for (const [node, joint] of joints.entries()) {
      const [p, q, parent] = [3 * node, 4 * node, joint.parent - first];
      const [turn, move] = [turns.get(node), moves.get(node)];
      if (turn) quat.copy(rotations, q, turn, 4 * frame);
      else quat.set(rotations, q, 0, 0, 0, 1);
      if (move) vec3.copy(positions, p, move, 3 * frame);
      else vec3.copy(positions, p, joint.offset, 0);
      if (node === 0) continue;
      if (move && hasPosition(joint)) {
        quat.conjugate(back, 0, rotations, 4 * parent);
        vec3.subtract(move, 3 * frame, positions, p, positions, 3 * parent);
        vec3.rotate(move, 3 * frame, back, 0, move, 3 * frame);
      } else {
        vec3.rotate(positions, p, rotations, 4 * parent, positions, p);
        vec3.add(positions, p, positions, p, positions, 3 * parent);
      }
      quat.multiply(rotations, q, rotations, 4 * parent, rotations, q);
    }
  }
}

/** Checks whether all keys of a translation track equal an offset. */
export function staysAt(track: Track, offset: Float64Array, tolerance: number): boolean {
  return track.values.every((value, i) => Math.abs(value - offset[i % 3]!) <= tolerance);
}
