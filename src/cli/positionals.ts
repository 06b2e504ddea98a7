import { UsageError } from './usage-error.ts';

/** Arguments that are no flags, exactly one per name. UsageError when there are more or fewer. */
export function positionals(found: readonly string[], names: readonly string[]): readonly string[] {
  if (found.length < names.length) throw new UsageError(`Which ${names[found.length]}? See --help`);
  if (found.length > names.length) throw new UsageError(`${found[names.length]} is one argument too many; see --help`);
  return found;
}
