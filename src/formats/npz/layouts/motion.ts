/** What the arrays of every layout become: a skeleton, and tracks with a key per frame. */
import { type Clip, lastKeyTime, type Track } from '../../../core/animation/clip.ts';
import type { DeclaredHumanoid } from '../../../core/humanoid/humanoid.ts';
import * as quat from '../../../core/math/quat.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../../../core/skeleton/skeleton.ts';

/** An axis of a file, as its up direction. */
export type UpAxis = 'x' | 'y' | 'z' | '-x' | '-y' | '-z';

/** What the caller knows about a motion that its file does not say, or says wrongly. */
export interface NpzOptions {
  /** Frames per second. */
  readonly frameRate?: number;
  /** The axis of the file that points up. */
  readonly up?: UpAxis;
}

export interface Take {
  /** Name of the clip; '' for the only one. */
  readonly name: string;
  readonly frames: number;
  /** Rotations of a joint, xyzw per frame, local space. */
  readonly rotations: ReadonlyMap<number, Float32Array>;
  /** Position of the root, xyz per frame, meters; null keeps that of the rest pose. */
  readonly root: Float32Array | null;
}

/** A motion as read from arrays, in meters. */
export interface NpzMotion {
  readonly skeleton: Skeleton;
  /** Bones and reference pose of a skeleton that was made for the motion; null for others. */
  readonly declared: DeclaredHumanoid | null;
  readonly up: readonly [number, number, number];
  readonly clips: readonly Clip[];
  readonly issues: readonly Issue[];
}

/** The directions of the axes. */
export const AXES: Readonly<Record<UpAxis, readonly [number, number, number]>> = {
  x: [1, 0, 0],
  y: [0, 1, 0],
  z: [0, 0, 1],
  '-x': [-1, 0, 0],
  '-y': [0, -1, 0],
  '-z': [0, 0, -1],
};

/** Rotations that lead from an up axis to +Y. From −Y it is the half turn about X: cameras look along +Z, and what they see faces them. */
const TO_Y: Readonly<Record<UpAxis, readonly [number, number, number, number]>> = {
  x: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
  y: [0, 0, 0, 1],
  z: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
  '-x': [0, 0, -Math.SQRT1_2, Math.SQRT1_2],
  '-y': [1, 0, 0, 0],
  '-z': [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
};

export function rotationToY(up: UpAxis): readonly number[] {
  return TO_Y[up];
}

/** Makes consecutive quaternions lie in one hemisphere, so that interpolation takes the shorter path. */
export function makeContinuous(values: Float32Array): Float32Array {
  for (let at = 4; at < values.length; at += 4) {
    if (quat.dot(values, at, values, at - 4) >= 0) continue;
    for (let k = 0; k < 4; k++) values[at + k] = -values[at + k];
  }
  return values;
}

export function clipOf({ name, frames, rotations, root }: Take, frameRate: number): Clip {
  const times = Float64Array.from({ length: frames }, (_, frame) => frame / frameRate);
  const tracks: Track[] = [...rotations].map(([target, values]) => {
    return { target, path: 'rotation', interpolation: 'LINEAR', times, values };
  });
  if (root !== null) tracks.push({ target: 0, path: 'translation', interpolation: 'LINEAR', times, values: root });
  return { name, duration: lastKeyTime(tracks), tracks };
}

/** Builds a skeleton that rests with the axes of the world in all joints. */
export function skeletonOf(
  name: string,
  names: readonly string[],
  parents: ArrayLike<number>,
  offsets: ArrayLike<number>,
): Skeleton {
  const rest = new Float64Array(POSE_STRIDE * names.length);
  for (let joint = 0; joint < names.length; joint++) {
    const at = POSE_STRIDE * joint;
    for (let axis = 0; axis < 3; axis++) rest[at + axis] = offsets[3 * joint + axis];
    quat.identity(rest, at + PATH_OFFSET.rotation);
    rest.fill(1, at + PATH_OFFSET.scale, at + POSE_STRIDE);
  }
  return {
    name,
    names,
    parents: Int32Array.from(parents),
    rest,
    bind: null,
    joints: new Uint8Array(names.length).fill(1),
  };
}
