import type { Issue } from '../../../core/report/issue.ts';
import type { Layer } from '../layer/layer.ts';

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
