import { unionTimes } from '../../../../core/animation/resample.ts';
import type { NewAnimation } from '../../../../core/asset/asset.ts';

/** FBX time units per second (KTime). */
const TICKS_PER_SECOND = 46186158000;

export interface TimeMode {
  /** Value of `TimeMode` (FbxTime::EMode). */
  readonly mode: number;
  readonly rate: number;
  readonly isExact: boolean;
  /** Whether no common rate fits, so that `CustomFrameRate` declares it. */
  readonly isCustom: boolean;
}

/** `TimeMode` of common frame rates in order of preference: programs show whole frame numbers if all keys are on frames. */
const MODES: readonly (readonly [rate: number, mode: number])[] = [
  [24, 11],
  [30, 6],
  [25, 10],
  [60, 3],
  [50, 4],
  [48, 5],
  [120, 1],
  [100, 2],
  [72, 16],
  [96, 15],
  [30000 / 1001, 9],
  [24000 / 1001, 13],
  [60000 / 1001, 17],
];
/** `TimeMode` of other rates, which `CustomFrameRate` declares. */
const CUSTOM = 14;
/** The rate of keys without one: dense enough for programs that resample clips at the rate of the file. */
const FALLBACK: TimeMode = { mode: 3, rate: 60, isExact: false, isCustom: false };
/** Greatest rate of keys that are equally far from each other, frames per second. */
const MAX_RATE = 1000;
/** Tolerance of a key's frame number, for float32 times. The rounding error of long clips is added. */
const FRAME_TOLERANCE = 1e-3;
const ROUNDING = 2 ** -22;

function isOnFrame(time: number, rate: number): boolean {
  const frame = time * rate;
  return Math.abs(frame - Math.round(frame)) <= FRAME_TOLERANCE + frame * ROUNDING;
}

/** Chooses the first common frame rate for which all keys are on frames, else that of equally distant keys. */
export function timeModeOf(animations: readonly NewAnimation[]): TimeMode {
  const times = unionTimes(
    animations.flatMap(({ clip: { keyTimes, tracks }, morphs = [] }) => [
      ...(keyTimes === undefined ? tracks.map((track) => track.times) : [keyTimes]),
      ...morphs.map((track) => track.times),
    ]),
  );
  const fits = (rate: number): boolean => times.every((time) => isOnFrame(time, rate));
  const common = MODES.find(([rate]) => fits(rate));
  if (common !== undefined) return { mode: common[1], rate: common[0], isExact: true, isCustom: false };
  const own = (times.length - 1) / (times[times.length - 1] - times[0]);
  return own > 0 && own <= MAX_RATE && fits(own)
    ? { mode: CUSTOM, rate: own, isExact: true, isCustom: true }
    : FALLBACK;
}

/** Converts seconds to FBX time. Float32 times on a frame become its exact time. */
export function ticksAt(seconds: number, { rate, isExact }: TimeMode): number {
  const isFrame = isExact && isOnFrame(seconds, rate);
  return Math.round((isFrame ? Math.round(seconds * rate) / rate : seconds) * TICKS_PER_SECOND);
}

/**
 * Converts key times, which increase. Keys between frames move with the frames around them, whose times may be rounded: 0.0333333 s of a BVH is a frame at 30 fps, and after
 * 300 of them an arm that turns fast is 0.02° further. The key just before a jump stays before it.
 */
export function ticksOf(seconds: readonly number[], timeMode: TimeMode): number[] {
  const { rate, isExact } = timeMode;
  const ticks = seconds.map((time) => ticksAt(time, timeMode));
  let last = -1;
  for (const [key, time] of seconds.entries()) {
    if (!isExact || !isOnFrame(time, rate)) continue;
    const scale = last < 0 ? 0 : (ticks[key] - ticks[last]) / (time - seconds[last]);
    if (scale > 0)
      for (let k = last + 1; k < key; k++) ticks[k] = Math.round(ticks[last] + scale * (seconds[k] - seconds[last]));
    last = key;
  }
  for (let key = ticks.length - 2; key >= 0; key--) ticks[key] = Math.min(ticks[key], ticks[key + 1] - 1);
  return ticks;
}
