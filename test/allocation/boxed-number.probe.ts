/** Keeps the last result, so that the compiler cannot remove the allocation. */
export const kept = { last: [] as unknown[] };

/** Allocates an array of one number. */
export function call(round: number): void {
  kept.last = [round + 0.5];
}
