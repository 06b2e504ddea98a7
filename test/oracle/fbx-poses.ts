/** What scripts/fbx-oracle/freeze.ts writes: the poses that another program gives the nodes of an FBX file. */

/** Position xyz and rotation xyzw, in the program's own world: of Blender meters and Z up, of assimp the file's. */
export type PlaceRow = readonly number[];

export interface PoseTable {
  readonly file: string;
  readonly date: string;
  readonly program: string;
  readonly version: string;
  readonly command: string;
  /** Why the program does not read the file; then nothing else is there. */
  readonly refused?: string;
  /** Nodes of `rest` and `bind`, a row each. */
  readonly names?: readonly string[];
  /** The poses that the file's node properties give. */
  readonly rest?: readonly PlaceRow[];
  /** The bind pose; null where the program gives none. */
  readonly bind?: readonly PlaceRow[] | 'as rest' | null;
  /** Poses at some seconds of the first animation, in the file's own clock; null without animation. */
  readonly motion?: {
    readonly names: readonly string[];
    readonly times: readonly number[];
    readonly poses: readonly (readonly PlaceRow[])[];
  } | null;
}
