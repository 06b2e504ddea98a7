/** Limits of nesting and memory for binary USD files: above all files found in practice, far below the memory of a small machine. */
import { FormatError } from '../../../core/report/format-error.ts';

/** Levels of nested values. Only hostile files have more. */
export const MAX_VALUE_DEPTH = 64;
/** Levels of nested prims. Only hostile files have more. */
export const MAX_PATH_DEPTH = 4096;

/**
 * Memory that a file may need: a constant part, since scenes of many equal prims take only four bytes for each prim, and a part per byte of the file,
 * since LZ4 may expand one byte to 255.
 */
const BASE_BYTES = 512 * 2 ** 20;
const BYTES_PER_BYTE = 64;
const MAX_BYTES = 2 ** 32;

export interface MemoryBudget {
  /** Bytes. */
  left: number;
}

export function createMemoryBudget(fileSize: number): MemoryBudget {
  return { left: Math.min(MAX_BYTES, BASE_BYTES + BYTES_PER_BYTE * fileSize) };
}

/** Subtracts bytes from the budget before they are allocated. */
export function reserveMemory(budget: MemoryBudget, bytes: number): void {
  budget.left -= bytes;
  if (budget.left >= 0) return;
  throw new FormatError(
    'USD_LIMIT',
    'The file needs far more memory than its size allows for, so reading was stopped; if the file is valid, split it or save it as .usda',
  );
}
