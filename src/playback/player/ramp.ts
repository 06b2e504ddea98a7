/** Linear changes of a number over time: fades of weights, warps of speeds. */

/** What runs per frame takes its times from an object: numbers that are passed to functions may be boxed. */
export interface Clock {
  /** Seconds since the start. */
  time: number;
  /** Seconds of the current update. */
  step: number;
}

/** A linear change between two times of a player. */
export interface Ramp {
  /** Whether the ramp is in effect. */
  isActive: boolean;
  /** Time of the player where it starts, seconds. */
  startTime: number;
  /** Time of the player where it ends, seconds. */
  endTime: number;
  /** Value up to the start. */
  startValue: number;
  /** Value from the end on. */
  endValue: number;
  /** Value of the last update. */
  value: number;
}

export function createRamp(): Ramp {
  return { isActive: false, startTime: 0, endTime: 0, startValue: 1, endValue: 1, value: 1 };
}

/** Starts a ramp at the time `now` of the player; both times in seconds. */
export function startRamp(ramp: Ramp, now: number, duration: number, from: number, to: number): void {
  ramp.isActive = true;
  ramp.startTime = now;
  ramp.endTime = now + duration;
  ramp.startValue = from;
  ramp.endValue = to;
}

/** Updates the value of a ramp at the time of the clock: between its ends, else that of the nearer end. */
export function updateRamp(ramp: Ramp, clock: Clock): void {
  const { startTime, endTime, startValue, endValue } = ramp;
  const { time } = clock;
  if (time >= endTime) ramp.value = endValue;
  else if (!(time > startTime)) ramp.value = startValue;
  else ramp.value = startValue + ((endValue - startValue) * (time - startTime)) / (endTime - startTime);
}
