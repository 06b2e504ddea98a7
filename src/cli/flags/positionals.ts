import { UsageError } from '../errors/cli-errors.ts';

/** Checks that there is exactly one positional argument per name. Throws UsageError when there are more or fewer. */
export function requirePositionals(found: readonly string[], names: readonly string[]): readonly string[] {
  if (found.length < names.length) throw new UsageError(`The argument ${names[found.length]} is missing; see --help`);
  if (found.length > names.length) {
    const expected = names.length === 0 ? 'Expected only options' : 'Expected one file; run the command once per file';
    throw new UsageError(`${found[names.length]} is one argument too many. ${expected}.`);
  }
  return found;
}
