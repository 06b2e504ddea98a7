/** Where a process of the fuzzer is: in memory for its watchdog, in a file for the process that started it, which needs it when this one dies. */
import { openSync, readFileSync, writeSync } from 'node:fs';
import { FUZZ_FORMATS } from './seeds.ts';

/** Index of the file in work, processor time in ms when it started (0 before the first), the files with an output, then the files done per format. */
export type Progress = Float64Array;

/** Offset of the index of the file in work in {@link Progress}. */
export const INDEX = 0;
/** Offset of its start in {@link Progress}. */
export const STARTED = 1;
/** Offset of the number of files whose job wrote an output in {@link Progress}. */
export const WRITTEN = 2;
/** Offset of the counts in {@link Progress}, in the order of `FUZZ_FORMATS`. */
export const COUNTS = 3;

/**
 * Creates the progress of a process that has not begun.
 *
 * @param first Index of its first file.
 * @returns Numbers that threads share.
 */
export function createProgress(first: number): Progress {
  const progress = new Float64Array(new SharedArrayBuffer(8 * (COUNTS + FUZZ_FORMATS.length)));
  progress[INDEX] = first;
  return progress;
}

/**
 * Opens a file for the progress.
 *
 * @param path The file.
 * @returns A function that writes the progress into it.
 */
export function progressWriter(path: string): (progress: Progress) => void {
  const file = openSync(path, 'w');
  return ({ buffer }) => {
    writeSync(file, new Uint8Array(buffer), 0, buffer.byteLength, 0);
  };
}

/**
 * Reads the progress that a process has written.
 *
 * @param path The file.
 * @param first Index of the first file of the process.
 * @returns The progress; that of the start if nothing was written yet.
 */
export function readProgress(path: string, first: number): Progress {
  const progress = createProgress(first);
  try {
    new Uint8Array(progress.buffer).set(readFileSync(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return progress;
}

/**
 * Measures the processor time of this process.
 *
 * @returns Milliseconds.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
