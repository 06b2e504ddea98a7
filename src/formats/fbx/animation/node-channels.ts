import { PATH_WIDTH, type TrackPath } from '../../../core/animation/clip.ts';
import { DEGREE } from '../../../core/math/euler.ts';
import type { Floats } from '../../../core/math/floats.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { compensateScale, type FbxTransform, localPose, localRotation } from '../nodes/node-transform.ts';
import { evaluateChannel, type FbxChannel } from './animation-layers.ts';
import { type FbxCurve, straightRise } from './fbx-curve.ts';

export interface AnimatedNode {
  /** Pivots, pre-rotation, rotation order and rest values. */
  readonly transform: FbxTransform;
  /** The animated `Lcl Translation`, `Lcl Rotation` and `Lcl Scaling`; null without animation. */
  readonly translation: FbxChannel | null;
  readonly rotation: FbxChannel | null;
  readonly scale: FbxChannel | null;
  /** The parent's scaling, which a node of inherit type Rrs excludes; null for nodes that inherit it. */
  readonly parent: { readonly scale: FbxTransform['scale']; readonly channel: FbxChannel | null } | null;
}

function isZero(vector: ArrayLike<number>): boolean {
  return vector[0] === 0 && vector[1] === 0 && vector[2] === 0;
}

function isEven(scale: ArrayLike<number>): boolean {
  return scale[0] === scale[1] && scale[0] === scale[2];
}

/**
 * Lists the animated channels that a path of a node depends on. With pivots, the translation depends on rotation and scale. A non-uniform parent
 * scale mixes rotation and scale. `path`: translation, rotation or scale of the local pose.
 */
export function channelsOf(node: AnimatedNode, path: TrackPath): FbxChannel[] {
  const { transform, translation, rotation, scale, parent } = node;
  const scaleHasLever = !isZero(transform.scalingPivot);
  const hasLever = scaleHasLever || !isZero(transform.rotationPivot) || !isZero(transform.scalingOffset);
  const parentScale = parent?.channel ?? null;
  const isMixed = parent !== null && (parentScale !== null || !isEven(parent.scale));
  const channels =
    path === 'translation'
      ? [translation, hasLever ? rotation : null, scaleHasLever ? scale : null]
      : path === 'rotation'
        ? [rotation, isMixed ? scale : null, parentScale]
        : [scale, isMixed ? rotation : null, parentScale];
  return channels.filter((channel) => channel !== null);
}

const translation = new Float64Array(3);
const rotation = new Float64Array(3);
const scale = new Float64Array(3);
const parentScale = new Float64Array(3);
const pose = new Float64Array(POSE_STRIDE);

/**
 * Creates a function that evaluates one path of the local pose. It evaluates only the channels that the path depends on. Returns a function that
 * writes the value at a time, seconds, to `out` at index o: xyz, or xyzw for a rotation.
 */
export function pathFunction(node: AnimatedNode, path: TrackPath): (time: number, out: Floats, o: number) => void {
  const { transform, parent } = node;
  const used = new Set(channelsOf(node, path));
  const start = PATH_OFFSET[path];
  const width = PATH_WIDTH[path];
  const valueAt = (channel: FbxChannel | null, rest: ArrayLike<number>, time: number, out: Float64Array): void => {
    if (channel !== null && used.has(channel)) evaluateChannel(channel, time, out, 0);
    else for (let c = 0; c < 3; c++) out[c] = rest[c];
  };
  if (path === 'rotation' && parent === null) {
    return (time, out, o) => {
      valueAt(node.rotation, transform.rotation, time, rotation);
      localRotation(out, o, transform, rotation);
    };
  }
  return (time, out, o) => {
    valueAt(node.translation, transform.translation, time, translation);
    valueAt(node.rotation, transform.rotation, time, rotation);
    valueAt(node.scale, transform.scale, time, scale);
    localPose(pose, 0, transform, translation, rotation, scale);
    if (parent !== null) {
      valueAt(parent.channel, parent.scale, time, parentScale);
      compensateScale(pose, 0, parentScale, 0);
    }
    for (let c = 0; c < width; c++) out[o + c] = pose[start + c];
  };
}

/** Greatest turn about one axis, radians, for which the bound of {@link pathErrorBound} holds within the safety of its user: arcs on the sphere of rotations are then nearly straight. */
const GREATEST_TURN = 1;

/**
 * Creates a function that returns how far a path is from linear interpolation between two neighboring key times, at most, where its curves alone
 * tell it: the path has one channel in one layer, whose curves are straight lines between the keys. Euler angles that grow evenly turn a node at a
 * rate that changes by at most the sum of the products of each two of them, and a motion whose second derivative is at most a is within a / 8 of
 * the straight one. `path`: translation, rotation or scale of the local pose. Returns a function of two times, seconds; it returns Infinity where
 * the curves do not tell.
 */
export function pathErrorBound(node: AnimatedNode, path: TrackPath): (from: number, to: number) => number {
  const [channel, other] = channelsOf(node, path);
  if (other !== undefined || channel !== node[path] || channel.layers.length !== 1) return () => Infinity;
  const isPlain = path === 'rotation' ? node.parent === null || isEven(node.parent.scale) : node.parent === null;
  const [{ blending, curves }] = channel.layers;
  if (!isPlain || !(blending.isBase || blending.mode === 'override')) return () => Infinity;
  const [curveX, curveY, curveZ] = curves;
  const rise = (curve: FbxCurve | null, from: number, to: number): number =>
    curve === null ? 0 : Math.abs(straightRise(curve, from, to));
  return (from, to) => {
    const x = rise(curveX, from, to);
    const y = rise(curveY, from, to);
    const z = rise(curveZ, from, to);
    if (path !== 'rotation') return Math.max(x, y, z) < Infinity ? 0 : Infinity;
    if (!(Math.max(x, y, z) * DEGREE <= GREATEST_TURN)) return Infinity;
    return ((x * y + y * z + z * x) * DEGREE * DEGREE) / 8;
  };
}
