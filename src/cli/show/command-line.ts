/** Command lines that the user can copy. */
import { delimiter, join, relative } from 'node:path';
import type { Io } from '../io.ts';

/**
 * Returns the words that start this program again from the current folder: `anyrig` where it is installed globally, else `npx anyrig`, and
 * from its sources `npx tsx src/cli/main.ts`.
 */
export function programName({ env, script }: Pick<Io, 'env' | 'script'>): string {
  if (script.endsWith('.ts')) return `npx tsx ${quoted(relative('', script))}`;
  // npm, pnpm and yarn add folders to the PATH that the shell of the user does not have.
  const isUserPath = env['npm_config_user_agent'] === undefined;
  const folders = isUserPath ? (env['PATH'] ?? '').split(delimiter) : [];
  return folders.some((folder) => folder !== '' && join(folder, 'anyrig') === script) ? 'anyrig' : 'npx anyrig';
}

export function quoted(path: string): string {
  return /^[\w./\\:@%+,=-]+$/.test(path) ? path : `"${path.replace(/(["$`])/g, '\\$1')}"`;
}

/** Writes the command line of the user again with other files, ready to be copied. */
export function correctedCommand(
  io: Pick<Io, 'env' | 'script'>,
  [command, ...rest]: readonly string[],
  files: readonly string[],
  better: readonly string[],
): string {
  const options = [...rest];
  for (const file of files) {
    const at = options.indexOf(file);
    if (at >= 0) options.splice(at, 1);
  }
  return [programName(io), ...[command, ...better, ...options].map(quoted)].join(' ');
}
