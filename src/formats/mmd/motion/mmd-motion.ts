/** A motion of MikuMikuDance as its file has it: keys of bones and morphs by name. Frames are 1/30 s; axes are left-handed, a model faces −Z. */
import type { Issue } from '../../../core/report/issue.ts';

export const MMD_FPS = 30;

export interface MmdBoneKeys {
  /** Name of the bone, cut after 15 bytes of Shift-JIS. */
  readonly name: string;
  /** Frame of every key, strictly ascending. */
  readonly frames: Float64Array;
  /** Offset of the bone from its rest position, in the axes of its parent: xyz per key, in units of 8 cm. */
  readonly offsets: Float32Array;
  /** Rotation relative to the rest pose, unit quaternion xyzw per key, in the axes of its parent. */
  readonly rotations: Float32Array;
  /**
   * How the values reach a key from the one before: Bézier curves from (0, 0) to (1, 1), with control points x1 y1 x2 y2 in 1/127, for x, y, z and the rotation, 16 bytes
   * per key.
   */
  readonly curves: Uint8Array;
}

export interface MmdMorphKeys {
  /** Name of the morph, cut after 15 bytes of Shift-JIS. */
  readonly name: string;
  /** Frame of every key, strictly ascending. */
  readonly frames: Float64Array;
  readonly weights: Float32Array;
}

export interface MmdIkKey {
  readonly frame: number;
  /** Whether each IK bone is on, by name. */
  readonly states: ReadonlyMap<string, boolean>;
}

export interface MmdMotion {
  readonly kind: 'vmd' | 'vpd';
  readonly modelName: string;
  readonly bones: readonly MmdBoneKeys[];
  readonly morphs: readonly MmdMorphKeys[];
  /** By ascending frame; IK is on before the first. */
  readonly ik: readonly MmdIkKey[];
  /** Number of keys of camera, lights and shadows, which are left out. */
  readonly otherKeys: number;
  readonly issues: readonly Issue[];
}

/** Control points of a straight line. */
export const LINEAR_CURVE = [20, 20, 107, 107] as const;

export function lastFrame({ bones, morphs }: MmdMotion): number {
  let last = 0;
  for (const { frames } of [...bones, ...morphs]) last = Math.max(last, frames[frames.length - 1]);
  return last;
}
