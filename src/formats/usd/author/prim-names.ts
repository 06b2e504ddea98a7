/** Creates valid and unique names of prims and files. */
import { uniqueName } from '../../../core/text/unique-name.ts';

/**
 * Converts a name to a prim name of ASCII letters, digits and `_`, which every USD reader accepts; runs of other characters become `_`. The result
 * may not be unique: see {@link unusedName}.
 */
export function primName(name: string, fallback: string): string {
  const safe = name.replace(/[^A-Za-z0-9_]+/g, '_');
  if (!/[A-Za-z0-9]/.test(safe)) return fallback;
  return /^[0-9]/.test(safe) ? `_${safe}` : safe;
}

/** Makes a name unique by appending a free number: `Skin`, `Skin_1`, … */
export function unusedName(name: string, taken: Set<string>): string {
  const unique = uniqueName(name, (one) => taken.has(one), '_', 1);
  taken.add(unique);
  return unique;
}
