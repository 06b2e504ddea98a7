import { float32Below } from '../math/float32.ts';
import type { Floats } from '../math/floats.ts';

/** Longest interval between the two keys of a jump, seconds: twice the float32 step before 34 minutes, since slow speeds stretch it; frames of 1000 fps are longer. */
const LONGEST_JUMP = 2.5e-4;

/** Returns whether keys at two times, seconds, are so close that their interval is a jump. */
export function isJump(from: number, to: number): boolean {
  return Math.abs(to - from) <= LONGEST_JUMP;
}

/** Returns the times of both keys of each jump. */
export function jumpTimes(times: Floats): Floats {
  return times.filter((time, key) => isJump(times[key - 1], time) || isJump(time, times[key + 1]));
}

/**
 * Moves ascending key times apart that are one float32: the first of two keys, which is the left limit of a jump, to the float32 below. Changes
 * `times` (seconds). Returns the keys that float32 can tell apart: of more than two at one time the first and the last, and only the last one where there is no room for two.
 */
export function separateTimes(times: Float64Array): number[] {
  const kept: number[] = [];
  for (let key = 0; key < times.length; key++) {
    const time = Math.fround(times[key]);
    while (kept.length > 0 && Math.fround(times[kept[kept.length - 1]]) >= time) {
      const before = float32Below(time);
      if (before >= 0 && !(kept.length > 1 && Math.fround(times[kept[kept.length - 2]]) >= before)) {
        times[kept[kept.length - 1]] = before;
        break;
      }
      kept.pop();
    }
    kept.push(key);
  }
  return kept;
}
