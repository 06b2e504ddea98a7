/** Checks that nothing that a command needs is missing. The messages of citty name neither the meaning nor an example. */
import { existsSync } from 'node:fs';
import type { ArgsDef } from 'citty';
import { UsageError } from '../errors/cli-errors.ts';
import type { Io } from '../io.ts';
import { correctedCommand } from '../show/command-line.ts';
import type { FlagValues } from './check-flags.ts';
import { isRequired, labelOf } from './labels.ts';

/** A command line after its flags were checked. */
export interface CheckedArguments {
  /** Name of the command. */
  readonly command: string;
  /** The arguments after the command. */
  readonly rawArgs: readonly string[];
  /** Its arguments that are not flags. */
  readonly positionals: readonly string[];
  /** All values of every flag. */
  readonly values: FlagValues;
  /** Environment and script of the process. */
  readonly io: Pick<Io, 'env' | 'script'>;
}

/** Suggests that the last file is the output, where `-o` is all that is missing and this file does not exist. */
function suggestOutput({ command, rawArgs, positionals, io }: CheckedArguments, needed: number): string {
  const last = positionals[positionals.length - 1];
  if (positionals.length <= needed || !/\.\w+$/.test(last) || existsSync(last)) return '';
  const files = [...positionals.slice(0, -1), '-o', last];
  return ` Did you mean:\n  ${correctedCommand(io, [command, ...rawArgs], positionals, files)}`;
}

/**
 * Checks that all required arguments and flags are there.
 *
 * @throws UsageError that names what is missing and asks for the usage to be shown
 */
export function checkArguments(typed: CheckedArguments, defs: ArgsDef): void {
  const all = Object.entries(defs).filter(([, def]) => isRequired(def));
  const positionals = all.filter(([, def]) => def.type === 'positional');
  const flags = all.filter(([name, def]) => def.type !== 'positional' && !typed.values.has(name));
  const missing = [...positionals.slice(typed.positionals.length), ...flags].map(([name, def]) => labelOf(name, def));
  if (missing.length === 0) return;
  const last = missing[missing.length - 1];
  const listed = missing.length === 1 ? `${last} is` : `${missing.slice(0, -1).join(', ')} and ${last} are`;
  const isOnlyOutput = missing.length === 1 && flags[0]?.[0] === 'out';
  const advice = isOnlyOutput ? suggestOutput(typed, positionals.length) : '';
  throw new UsageError(`${listed} missing.${advice}`, { showsUsage: true });
}
