/** Suggestions for misspelled names. */

/** Longest name that is compared, characters, and most names that are compared. */
const LONGEST = 80;
const MOST = 5000;

/** Computes the Levenshtein distance of two texts, clamped to `limit` + 1. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
    if (Math.min(...row) > limit) return limit + 1;
  }
  return row[b.length];
}

/** Finds the names with the spelling closest to a name: up to a third of its letters differ, or one contains the other. */
export function closestNames(name: string, names: readonly string[]): string[] {
  const wanted = name.slice(0, LONGEST).toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const scored: { name: string; far: number }[] = [];
  for (const choice of new Set(names.slice(0, MOST))) {
    const lower = choice.toLowerCase();
    if (lower === '' || lower.length > LONGEST || wanted === '') continue;
    const contains = lower.length > 2 && wanted.length > 2 && (lower.includes(wanted) || wanted.includes(lower));
    const far = contains ? Math.abs(lower.length - wanted.length) / 100 : distance(wanted, lower, limit);
    if (far <= limit) scored.push({ name: choice, far });
  }
  scored.sort((a, b) => a.far - b.far);
  return scored.slice(0, 3).map((entry) => entry.name);
}
