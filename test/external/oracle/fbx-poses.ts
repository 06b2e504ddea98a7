/** The files that scripts/fbx-oracle/freeze.ts writes: poses of FBX nodes in another program. */

/** Position xyz and rotation xyzw, in the world of the program: meters and Z up for Blender, that of the file for assimp. */
export type TransformRow = readonly number[];

export interface PoseTable {
  readonly file: string;
  readonly date: string;
  readonly program: string;
  readonly version: string;
  readonly command: string;
  /** Why the program cannot read the file; then all other fields are missing. */
  readonly refused?: string;
  /** Nodes of `rest` and `bind`, one per row. */
  readonly names?: readonly string[];
  /** Poses from the node properties of the file. */
  readonly rest?: readonly TransformRow[];
  /** The bind pose; null if the program has none. */
  readonly bind?: readonly TransformRow[] | 'as rest' | null;
  /** Poses at some seconds of the first animation, in the file's own clock; null without animation. */
  readonly motion?: {
    readonly names: readonly string[];
    readonly times: readonly number[];
    readonly poses: readonly (readonly TransformRow[])[];
  } | null;
}
