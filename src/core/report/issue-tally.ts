/** Counting of equal findings: a file with a thousand equal faults makes one issue, not a thousand. */

/** How often each kind of finding occurred, by its description; in the order of the first occurrence. */
export type IssueTally = Map<string, number>;

/** Counts occurrences of a finding. */
export function tallyIssue(tally: IssueTally, kind: string, count = 1): void {
  if (count > 0) tally.set(kind, (tally.get(kind) ?? 0) + count);
}

/** Formats a tally for a message: `3 × cameras, 1 × lights`. */
export function formatTally(tally: Iterable<readonly [kind: string, count: number]>): string {
  return [...tally]
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} × ${kind}`)
    .join(', ');
}
