/** Which channels the local translation, rotation and scale of an animated node depend on, and their values over time. */
import type { TrackPath } from '../../core/animation/clip.ts';
import type { Floats } from '../../core/math/floats.ts';
import { POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import { evaluateChannel, type FbxChannel } from './layers.ts';
import { compensateScale, type FbxTransform, localPose } from './node-transform.ts';

/** A node of which something is animated. */
export interface AnimatedNode {
  readonly transform: FbxTransform;
  readonly translation: FbxChannel | null;
  readonly rotation: FbxChannel | null;
  readonly scale: FbxChannel | null;
  /** The scaling of the parent, which a node of inherit type Rrs leaves out; null where it is none of its business. */
  readonly parent: { readonly scale: FbxTransform['scale']; readonly channel: FbxChannel | null } | null;
}

function isZero(vector: ArrayLike<number>): boolean {
  return vector[0] === 0 && vector[1] === 0 && vector[2] === 0;
}

function isEven(scale: ArrayLike<number>): boolean {
  return scale[0] === scale[1] && scale[0] === scale[2];
}

/**
 * The animated channels that a path of a node depends on; empty where it stands still. Pivots make the translation depend
 * on rotation and scale; a scaling of the parent that differs by axis mixes rotation and scale.
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

/** Where a path lies in a pose, and how many floats it has. */
export const PATH_PLACE: Readonly<Record<TrackPath, readonly [number, number]>> = {
  translation: [0, 3],
  rotation: [3, 4],
  scale: [7, 3],
};

const translation = new Float64Array(3);
const rotation = new Float64Array(3);
const scale = new Float64Array(3);
const parentScale = new Float64Array(3);
const pose = new Float64Array(POSE_STRIDE);

/**
 * A function of time, seconds, that writes one path of the local pose: translation, rotation (xyzw) or scale. Channels that
 * the path does not depend on are not evaluated.
 */
export function pathFunction(node: AnimatedNode, path: TrackPath): (time: number, out: Floats, o: number) => void {
  const { transform, parent } = node;
  const used = new Set(channelsOf(node, path));
  const [start, width] = PATH_PLACE[path];
  const valueAt = (channel: FbxChannel | null, rest: ArrayLike<number>, time: number, out: Float64Array): void => {
    if (channel !== null && used.has(channel)) evaluateChannel(channel, time, out, 0);
    else for (let c = 0; c < 3; c++) out[c] = rest[c];
  };
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
