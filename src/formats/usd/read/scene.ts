/** The scene of a USD stage: prims and joints as one forest of nodes, to which skeletons, clips and geometry refer by index. */
import type { Issue } from '../../../core/report/issue.ts';
import type { Skeleton } from '../../../core/skeleton/skeleton.ts';
import type { BoundPrim } from '../skel/bound-prim.ts';
import type { AnimatedSkeleton } from '../skel/skeleton-sample.ts';
import type { Stage } from '../stage/stage.ts';

/** A skeleton of the scene. A Skeleton prim with several animations yields one for each. */
export interface SceneSkeleton {
  /** Path, definition and animation. */
  readonly animated: AnimatedSkeleton;
  /** Node of the Skeleton prim. */
  readonly node: number;
  /** Node of each joint, in skeleton order. Root joints are children of {@link node}. */
  readonly jointNodes: Int32Array;
  /** The prims that it deforms. */
  readonly bound: readonly BoundPrim[];
}

/**
 * The nodes and skeletons of a stage, in the axes and the unit of the file. `sourceNodes` of skeletons, clips and geometry are indices of its nodes.
 */
export interface UsdScene {
  /** The composed stage. */
  readonly stage: Stage;
  /** Imageable prims and joints; parents first. `joints` marks the joints in the joint orders of bound prims; `bind` is null. */
  readonly nodes: Skeleton;
  /** Prim path of each node; for a joint, the path of its Skeleton prim. */
  readonly prims: readonly string[];
  /** Joint index of each node in its skeleton; −1 for prims. */
  readonly joints: Int32Array;
  /** The skeletons, bound ones first. */
  readonly skeletons: readonly SceneSkeleton[];
  /** Issues of the stage and of reading the scene. */
  readonly issues: readonly Issue[];
}
