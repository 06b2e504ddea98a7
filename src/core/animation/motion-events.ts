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

/** Limits of what is read of one animation, and of a name. */
const MAX_EVENTS = 100_000;
const MAX_NAME = 256;

/** Returns the events of a file in the order of time; those without a usable time or name are left out. */
export function usableEvents(times: ArrayLike<unknown>, names: ArrayLike<unknown>): MotionEvent[] {
  const events: MotionEvent[] = [];
  for (let k = 0; k < Math.min(times.length, MAX_EVENTS); k++) {
    const [time, name] = [times[k], names[k]];
    if (typeof time !== 'number' || !(time >= 0 && time < Number.POSITIVE_INFINITY)) continue;
    if (typeof name === 'string' && name.length <= MAX_NAME) events.push({ time, name });
  }
  return events.sort((a, b) => a.time - b.time);
}
