/** How many keys the animations of a file may have. */
import { FormatError } from '../../../core/report/format-error.ts';

/** Keys that the joints of a file may have: hours of motion capture, up to a gigabyte. */
const MOST_KEYS = 64_000_000;

/** Keys that may still be made. */
export interface KeyBudget {
  left: number;
}

/** The budget of a file. */
export function makeKeyBudget(): KeyBudget {
  return { left: MOST_KEYS };
}

/** Takes keys off the budget. FormatError USD_LIMIT where it is used up. */
export function spend(budget: KeyBudget, keys: number, prim: string): void {
  budget.left -= keys;
  if (budget.left >= 0) return;
  const message = `The animations have more than ${MOST_KEYS} keys; split the file`;
  throw new FormatError('USD_LIMIT', message, { pointer: prim });
}
