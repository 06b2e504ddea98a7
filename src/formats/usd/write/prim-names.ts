/** Names of prims and files made of the names that users gave. */

/**
 * A name that every reader of USD takes, of ASCII letters, digits and `_`: all else becomes `_`. `fallback` where nothing is left, as of names in
 * other scripts. Two names may come out the same: see {@link unusedName}.
 */
export function primName(name: string, fallback: string): string {
  const safe = name.replace(/[^A-Za-z0-9_]+/g, '_');
  if (!/[A-Za-z0-9]/.test(safe)) return fallback;
  return /^[0-9]/.test(safe) ? `_${safe}` : safe;
}

/** The name itself, or with the lowest number behind it that makes it new: `Skin`, `Skin_1`, … It is added to `taken`. */
export function unusedName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 1; taken.has(free); count++) free = `${name}_${count}`;
  taken.add(free);
  return free;
}
