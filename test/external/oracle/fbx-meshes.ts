/** The files that scripts/fbx-oracle/freeze-meshes.ts writes: vertices of FBX meshes in Blender's world (meters, Z up). */

export interface MeshTable {
  readonly file: string;
  readonly date: string;
  readonly program: string;
  readonly version: string;
  readonly command: string;
  /** Seconds on the file's own clock; empty for files without motion, which have one pose. */
  readonly times: readonly number[];
  readonly meshes: readonly MeshRows[];
}

export interface MeshRows {
  /** The node. */
  readonly name: string;
  /** Control points of the mesh. */
  readonly vertices: number;
  /** Control points of the rows of `poses` and `shapes`. */
  readonly points: readonly number[];
  /** Control point, normal xyz in the space of the mesh, and u, v (upwards) if it has uvs. */
  readonly corners: readonly (readonly number[])[];
  /** World positions by pose. */
  readonly poses: readonly (readonly (readonly number[])[])[];
  /** Weights of the blend shapes by pose, in the order of the file. */
  readonly weights: readonly (readonly number[])[];
  /** World positions with one blend shape at 1 and the others at 0, in the last pose. */
  readonly shapes: readonly { readonly name: string; readonly places: readonly (readonly number[])[] }[];
}
