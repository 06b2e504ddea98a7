/** What a binary USD file may ask for at most: above every file met, far below the memory of a small machine. */
import { FormatError } from '../../../core/report/format-error.ts';

/** Values inside of values, and prims inside of prims: more is an attack. */
export const MAX_VALUE_DEPTH = 64;
export const MAX_PATH_DEPTH = 4096;

/**
 * Bytes that any file may ask for, whatever its size: scenes of very many like prims take four bytes for each. And per byte of the file: LZ4 makes 255
 * out of one.
 */
const BASE_BYTES = 512 * 2 ** 20;
const BYTES_PER_BYTE = 64;
/** Bytes that no file may ask for. */
const MAX_BYTES = 2 ** 32;

/** What is left of the memory that a file may fill. */
export interface MemoryBudget {
  left: number;
}

/** The memory that a file of a size may fill. */
export function createMemoryBudget(fileSize: number): MemoryBudget {
  return { left: Math.min(MAX_BYTES, BASE_BYTES + BYTES_PER_BYTE * fileSize) };
}

/** Takes bytes off the budget before they are allocated. USD_LIMIT where there are no more. */
export function reserveMemory(budget: MemoryBudget, bytes: number): void {
  budget.left -= bytes;
  if (budget.left >= 0) return;
  throw new FormatError(
    'USD_LIMIT',
    'The file expands to far more than files of its size do; if it is a real one, split it, or save it as .usda',
  );
}
