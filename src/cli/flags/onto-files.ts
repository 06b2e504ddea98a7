import { parseArgs } from 'node:util';

/** Splits the files of a command line at `--onto`, which shells expand to several arguments: everything after it up to the next flag is a character. */
export function splitOnto(
  rawArgs: readonly string[],
  positionals: readonly string[],
): { motions: string[]; characters: string[] } {
  const { tokens } = parseArgs({
    args: [...rawArgs],
    options: { onto: { type: 'string', multiple: true } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const characters: string[] = [];
  const after: string[] = [];
  let isOnto = false;
  for (const token of tokens) {
    if (token.kind === 'option') {
      isOnto = token.name === 'onto';
      if (isOnto && typeof token.value === 'string') characters.push(token.value);
    } else if (token.kind === 'positional' && isOnto) {
      characters.push(token.value);
      after.push(token.value);
    }
  }
  const motions = [...positionals];
  for (const path of after) motions.splice(motions.lastIndexOf(path), 1);
  return { motions, characters };
}
