/** How the frames of a clip follow each other in time. */
export interface Timing {
  /** Seconds between frames. */
  readonly step: number;
  /** Whether the last frame is the first one again. */
  readonly loops: boolean;
}
