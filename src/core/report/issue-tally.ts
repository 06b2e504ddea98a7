/** Counting of equal findings: a file with a thousand equal faults makes one issue, not a thousand. */

/** How often each kind of finding occurred, by its description; in the order of the first occurrence. */
export type IssueTally = Map<string, number>;

/**
 * Counts occurrences of a finding.
 *
 * @param tally changed in place.
 * @param kind description of the finding, worded as the message needs it after a count.
 * @param count number of occurrences; nothing is added for 0 or less.
 */
export function tallyIssue(tally: IssueTally, kind: string, count = 1): void {
  if (count > 0) tally.set(kind, (tally.get(kind) ?? 0) + count);
}

/**
 * Formats a tally for a message: `3 × cameras, 1 × lights`.
 *
 * @param tally kinds and their counts; kinds with a count of 0 or less are left out.
 * @returns the list, or '' when nothing was counted.
 */
export function formatTally(tally: Iterable<readonly [kind: string, count: number]>): string {
  return [...tally]
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} × ${kind}`)
    .join(', ');
}
