import { FRAME } from './player.ts';
import type { Studio } from './studio.ts';

interface Trim {
  /** Seconds of the whole motion. */
  readonly length: number;
  /** Seconds of the motion at which the kept part starts. */
  readonly from: number;
  /** Seconds of the motion at which it ends. */
  readonly to: number;
}

/** Returns the trim of the motion on stage; null without a motion that takes time. */
export function trimOf(studio: Studio): Trim | null {
  const { motion, options } = studio.history.state.value;
  if (motion === null) return null;
  const file = studio.files.value.find(({ input }) => input.id === motion.file);
  const length = file?.summary?.clips[motion.clip]?.duration ?? 0;
  if (!(length > 0)) return null;
  const [from, to] = options.trim ?? [0, length];
  return { length, from, to };
}

/** Milliseconds are enough, and are what people read and type. */
function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/**
 * Limits an interval to the motion.
 *
 * @param length Seconds of the motion.
 * @param from Wanted start in seconds.
 * @param to Wanted end in seconds.
 * @returns The interval; null for all of the motion; undefined where less than a frame would be left.
 */
export function limitTrim(length: number, from: number, to: number): readonly [number, number] | null | undefined {
  const [start, end] = [Math.max(0, from), Math.min(length, to)];
  if (!(end - start >= FRAME - 1e-9)) return undefined;
  return start <= 0 && end >= length - 5e-4 ? null : [round(start), round(end)];
}

/**
 * Changes the part of the motion that is kept. Nothing happens where less than a frame would be left. `changes`: new start or end, in seconds of
 * the motion.
 */
export function setTrim(studio: Studio, changes: Partial<Pick<Trim, 'from' | 'to'>>): void {
  const now = trimOf(studio);
  if (now === null) return;
  const { length, from, to } = { ...now, ...changes };
  const trim = limitTrim(length, from, to);
  if (trim !== undefined) studio.setOptions({ trim }, 'trim');
}

export function motionTime(studio: Studio, seconds: number): number {
  const { options } = studio.history.state.value;
  return (options.trim?.[0] ?? 0) + seconds * options.speed;
}
