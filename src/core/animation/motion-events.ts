/** What happens in a clip beside the movement, such as steps. */

/** Something that happens at a time of a clip. */
export interface MotionEvent {
  /** Seconds. */
  readonly time: number;
  /** What happens: `leftFootDown`, `leftFootUp`, `rightFootDown` or `rightFootUp`, or a name that a file has. */
  readonly name: string;
}

/** What was found in a clip. */
export interface MotionEvents {
  /** Events in the order of time. */
  readonly events: readonly MotionEvent[];
  /** Mean speed of the hips over the ground, meters per second. */
  readonly speed: number;
  /** Height of the ground above the origin of the file, meters. */
  readonly ground: number;
}
