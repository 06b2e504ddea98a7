/** Joint positions of a file as plain data, in its own axes and unit. */

export interface PointTake {
  /** Name in the file; '' without. */
  readonly name: string;
  /** Frames × points × 3; NaN where a point is missing. */
  readonly positions: Float64Array;
  /** Frames × points, 0…1; null where the file has none. */
  readonly confidences: Float64Array | null;
}

export interface PointFile {
  /** Names of the points; null where the file has none. */
  readonly names: readonly string[] | null;
  readonly count: number;
  /** Parent of each point; null where the file does not say. */
  readonly parents: Int32Array | null;
  /** Whether points at exactly the origin are those that the program lost. */
  readonly zerosAreLost: boolean;
  /** The people, with the same number of frames. */
  readonly takes: readonly PointTake[];
  /** Frames per second; null where the file does not say. */
  readonly frameRate: number | null;
  /** Meters per unit; null where the file does not say. */
  readonly metersPerUnit: number | null;
}

/** Most numbers of a file: 70 minutes of a person with 33 points at 60 frames per second are 25 million. */
export const MAX_NUMBERS = 50_000_000;
