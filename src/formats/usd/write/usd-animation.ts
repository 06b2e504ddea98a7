/** What the USD writers take and return: clips on nodes, their space, and a layer. */
import type { Clip } from '../../../core/animation/clip.ts';
import type { MotionEvents } from '../../../core/animation/motion-events.ts';
import type { MorphTrack } from '../../../core/asset/asset.ts';
import type { Issue } from '../../../core/report/issue.ts';
import type { Layer } from '../layer/layer.ts';

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

/** A written root layer. */
export interface WrittenLayer {
  readonly layer: Layer;
  /** What was dropped or repaired. */
  readonly issues: readonly Issue[];
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
