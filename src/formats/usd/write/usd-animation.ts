/** What the writers of USD take: clips on nodes, and the space that these are in. */
import type { Clip } from '../../../core/animation/clip.ts';
import type { MorphTrack } from '../../../core/asset/asset.ts';

/** A clip and the nodes that it animates. */
export interface UsdAnimation {
  readonly name: string;
  readonly clip: Clip;
  /** Number of the node, as in `sourceNodes` of the geometry, for every target of the clip. */
  readonly sourceNodes: ArrayLike<number>;
  /** Morph weights that play along. */
  readonly morphs?: readonly MorphTrack[];
}

/** Axes and unit of what is written. USD knows +Y and +Z up: anything else is turned by the root prim. */
export interface UsdSpace {
  readonly upAxis: 'Y' | 'Z';
  /** Meters of one unit of length. */
  readonly metersPerUnit: number;
  /** Turn of the root prim, xyzw; the identity where the up of the file is one that USD knows. */
  readonly rotation: ArrayLike<number>;
}
