/** The nodes of a stage: its prims and the joints of its skeletons as one forest, which all that is read of a USD file counts along. */
import type { Issue } from '../../../core/report/issue.ts';
import type { Skeleton } from '../../../core/skeleton/skeleton.ts';
import type { BoundPrim } from '../skel/bound-prim.ts';
import type { AnimatedSkeleton } from '../skel/skeleton-sample.ts';
import type { Stage } from '../stage/stage.ts';

/** A skeleton that stands in the scene. A Skeleton prim that several animations move stands there several times. */
export interface SceneSkeleton {
  readonly animated: AnimatedSkeleton;
  /** Node of the Skeleton prim. */
  readonly node: number;
  /** Node of every joint, in the order of the skeleton. Joints without a parent hang below {@link node}. */
  readonly jointNodes: Int32Array;
  /** What it deforms. */
  readonly bound: readonly BoundPrim[];
}

/** A stage as nodes; `sourceNodes` of skeletons, clips and geometry are indices of its nodes. Space: the file's own axes and unit. */
export interface UsdScene {
  readonly stage: Stage;
  /** Prims that have or may have a place, and joints; parents first. `joints` marks the joints that are in the joint order of a bound prim, `bind` is null. */
  readonly nodes: Skeleton;
  /** Path of the prim that a node stands for; of a joint that of its Skeleton prim. */
  readonly prims: readonly string[];
  /** Which joint of its skeleton a node is; −1 for prims. */
  readonly joints: Int32Array;
  readonly skeletons: readonly SceneSkeleton[];
  readonly issues: readonly Issue[];
}
