/** The input of the USD writers: clips on nodes, and their space. */
import type { Clip } from '../../../core/animation/clip.ts';
import type { MotionEvents } from '../../../core/animation/motion-events.ts';
import type { MorphTrack } from '../../../core/asset/asset.ts';

/** A clip and the nodes that it animates. */
export interface UsdAnimation {
  /** Name of the clip. */
  readonly name: string;
  /** The tracks. */
  readonly clip: Clip;
  /** Source node of each track target, as in `Geometry.sourceNodes`. */
  readonly sourceNodes: ArrayLike<number>;
  /** Morph target weights of the clip. */
  readonly morphs?: readonly MorphTrack[];
  /** What happens in it, recorded as custom data. */
  readonly events?: MotionEvents;
}

/** Axes and unit of a written file. USD supports +Y and +Z up; for other directions, the root prim is rotated. */
export interface UsdSpace {
  /** The `upAxis` of the stage. */
  readonly upAxis: 'Y' | 'Z';
  /** Meters per unit of length. */
  readonly metersPerUnit: number;
  /** Rotation of the root prim, quaternion xyzw; the identity if `upAxis` is the up direction of the data. */
  readonly rotation: ArrayLike<number>;
}
