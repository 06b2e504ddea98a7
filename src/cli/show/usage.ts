/** Help texts: usage rendered by citty, then examples. */
import { stripVTControlCharacters } from 'node:util';
import { type CommandDef, defineCommand, renderUsage } from 'citty';
import type { CommandModule } from '../command.ts';
import type { Io, Output } from '../io.ts';
import { stylesFor } from '../io.ts';
import { readVersion } from '../version.ts';

/** Writes text with the colors of citty only to a terminal: citty decides by environment variables alone. */
function write(output: Output, { env }: Io, text: string): void {
  output.write(output.isTerminal && !env['NO_COLOR'] ? text : stripVTControlCharacters(text));
}

/**
 * Prints the help of a command.
 * @param module definition and examples
 * @param io the terminal
 */
export async function showCommandUsage({ command, examples }: CommandModule, io: Io): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const lines = examples.flatMap(([line, about]) => [`  ${style('dim', `# ${about}`)}`, `  ${line}`]);
  write(io.stdout, io, `${await renderUsage(command)}\n\n${style('bold', 'EXAMPLES')}\n\n${lines.join('\n')}\n`);
}

/**
 * Prints the help of the program.
 * @param commands all commands by name
 * @param output stdout, or stderr when it answers wrong usage
 * @param io the terminal
 */
export async function showMainUsage(
  commands: Readonly<Record<string, CommandModule>>,
  output: Output,
  io: Io,
): Promise<void> {
  // biome-ignore lint/suspicious/noExplicitAny: every command has arguments of its own
  const subCommands: Record<string, CommandDef<any>> = {};
  for (const [name, { command }] of Object.entries(commands)) subCommands[name] = command;
  const main = defineCommand({
    meta: { name: 'anyrig', version: readVersion(), description: 'Any humanoid motion on any humanoid character' },
    subCommands,
  });
  write(output, io, `${await renderUsage(main)}\n`);
}
