/** Checks flags strictly. The parser of citty accepts unknown flags, and takes the last of a repeated one. */
import { parseArgs } from 'node:util';
import type { ArgsDef } from 'citty';
import { UsageError } from '../errors/cli-errors.ts';
import { didYouMean } from '../errors/did-you-mean.ts';

export type FlagValues = ReadonlyMap<string, readonly string[]>;

function aliasesOf(alias: string | string[] | undefined): string[] {
  return alias === undefined ? [] : typeof alias === 'string' ? [alias] : alias;
}

/** Maps every spelling of a flag (aliases, `no-`) to its name. */
function spellings(defs: ArgsDef): Map<string, string> {
  const names = new Map<string, string>();
  for (const [name, def] of Object.entries(defs)) {
    if (def.type === 'positional') continue;
    names.set(name, name);
    if (def.type === 'boolean') names.set(`no-${name}`, name);
    for (const alias of 'alias' in def ? aliasesOf(def.alias) : []) names.set(alias, name);
  }
  return names;
}

/** Splits arguments into flags with their values and other arguments. */
function tokenize(rawArgs: readonly string[], defs: ArgsDef, names: ReadonlyMap<string, string>) {
  const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {};
  for (const [spelling, name] of names) {
    if (spelling.length > 1) options[spelling] = { type: defs[name].type === 'boolean' ? 'boolean' : 'string' };
  }
  for (const [short, name] of names) if (short.length === 1) options[name] = { ...options[name], short };
  return parseArgs({ args: [...rawArgs], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

/** Corrects a flag with the wrong number of dashes: `-out` would be `-o ut`, and `--o` is no flag. Null for other arguments. */
function dashesOf(arg: string, names: ReadonlyMap<string, string>): string | null {
  const [, dashes, name] = /^(--?)([a-z][\w-]*)/i.exec(arg) ?? [];
  if (name === undefined || !names.has(name)) return null;
  const expected = name.length === 1 ? '-' : '--';
  return dashes === expected ? null : `Unknown option ${dashes}${name}; did you mean ${expected}${name}?`;
}

/** Lists the arguments that are not flags and not values of flags. */
export function findPositionals(rawArgs: readonly string[], defs: ArgsDef): string[] {
  return tokenize(rawArgs, defs, spellings(defs)).flatMap((token) =>
    token.kind === 'positional' ? [token.value] : [],
  );
}

/**
 * Checks flags against their definitions. Throws UsageError for a flag that is unknown (with a suggestion), repeated, without its value, or with a
 * value that it does not take.
 */
export function checkFlags(rawArgs: readonly string[], defs: ArgsDef, repeatable: readonly string[]): FlagValues {
  const names = spellings(defs);
  const tokens = tokenize(rawArgs, defs, names);
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { rawName, value, inlineValue } = token;
    const dashes = dashesOf(rawArgs[token.index], names);
    if (dashes !== null) throw new UsageError(dashes);
    const name = names.get(token.name);
    if (name === undefined) {
      const known = [...names.keys()].filter((spelling) => spelling.length > 1).map((spelling) => `--${spelling}`);
      throw new UsageError(`Unknown option ${rawName}${didYouMean(rawName, known)}`);
    }
    const isBoolean = defs[name].type === 'boolean';
    if (isBoolean && value !== undefined) throw new UsageError(`${rawName} takes no value`);
    if (!isBoolean && (value === undefined || (!inlineValue && /^--?[a-z]/i.test(value)))) {
      const hint = value === undefined ? '' : `; write ${rawName}=${value} if ${value} is the value`;
      throw new UsageError(`${rawName} needs a value${hint}`);
    }
    const before = values.get(name) ?? [];
    if (before.length > 0 && !repeatable.includes(name)) throw new UsageError(`${rawName} occurs twice; expected once`);
    values.set(name, [...before, value ?? '']);
  }
  return values;
}
