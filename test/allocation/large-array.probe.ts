/** Keeps the last result, so that the compiler cannot remove the allocation. */
export const kept = { last: new Float64Array(0) };

/** Allocates eight kilobytes outside of the heap. */
export function call(round: number): void {
  kept.last = new Float64Array(1024);
  kept.last[0] = round;
}
