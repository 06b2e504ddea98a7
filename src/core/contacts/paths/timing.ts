export interface Timing {
  /** Seconds between frames. */
  readonly step: number;
  /** Whether the last frame is the first one again. */
  readonly loops: boolean;
}

/** The same with jumps: poses that no movement connects, such as a T-pose before the first frame of a motion. */
export interface CutTiming extends Timing {
  /** 1 for every frame that does not continue the one before, else 0. */
  readonly cuts: Uint8Array;
}
