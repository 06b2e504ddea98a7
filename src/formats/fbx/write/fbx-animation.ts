import type { Clip } from '../../../core/animation/clip.ts';
import type { MorphTrack } from '../../../core/asset/asset.ts';

/** A clip to write and the nodes of the file that it animates. */
export interface FbxAnimation {
  /** Name of the animation stack. */
  readonly name: string;
  /** Tracks on nodes. */
  readonly clip: Clip;
  /** Node of the file for each target of the clip: index in the section `Objects`. */
  readonly sourceNodes: ArrayLike<number>;
  /** Weights of blend shapes; their `sourceNode` is a node of this file. */
  readonly morphs?: readonly MorphTrack[];
}
