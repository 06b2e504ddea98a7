/** The command line: finds and runs the command, and converts errors to exit codes. */
import { runCommand } from 'citty';
import type { CommandData, CommandModule } from './command.ts';
import * as convert from './commands/convert.ts';
import * as define from './commands/define.ts';
import * as demo from './commands/demo.ts';
import * as extract from './commands/extract.ts';
import * as inspect from './commands/inspect.ts';
import * as map from './commands/map.ts';
import * as preview from './commands/preview.ts';
import * as retarget from './commands/retarget.ts';
import * as validate from './commands/validate.ts';
import { UsageError } from './errors/cli-errors.ts';
import { didYouMean } from './errors/did-you-mean.ts';
import { EXIT, type ExitCode } from './errors/exit-codes.ts';
import { failureJson, failureOf, printFailure } from './errors/failure.ts';
import { checkFlags } from './flags/check-flags.ts';
import { type Io, stylesFor } from './io.ts';

/**
 * The commands by name. They share nearly all their code and load at once: one file loads faster than several. Code that only one command
 * needs is imported on demand (the demo, readers of rare formats, help).
 */
const COMMANDS: Readonly<Record<string, CommandModule>> = {
  retarget,
  convert,
  extract,
  inspect,
  map,
  preview,
  define,
  validate,
  demo,
};

function isHelp(arg: string): boolean {
  return arg === '--help' || arg === '-h';
}

/** The arguments before `--`, which ends the flags. */
function beforeEnd(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end < 0 ? args : args.slice(0, end);
}

function findCommand(name: string): CommandModule {
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name];
  const names = Object.keys(COMMANDS);
  const what = name.startsWith('-') ? 'option' : 'command';
  const known = name.startsWith('-') ? ['--help', '--version'] : names;
  throw new UsageError(`Unknown ${what} ${name}${didYouMean(name, known)}; the commands are ${names.join(', ')}`);
}

async function dispatch(argv: readonly string[], io: Io): Promise<ExitCode> {
  const [name, ...rawArgs] = argv;
  if (name === undefined || isHelp(name)) {
    const { showMainUsage } = await import('./show/usage.ts');
    await showMainUsage(COMMANDS, name === undefined ? io.stderr : io.stdout, io);
    return name === undefined ? EXIT.usage : EXIT.done;
  }
  if (name === '--version' || name === '-v') {
    const { readVersion } = await import('./version.ts');
    io.stdout.write(`${readVersion()}\n`);
    return EXIT.done;
  }
  const module = findCommand(name);
  if (beforeEnd(rawArgs).some(isHelp)) {
    const { showCommandUsage } = await import('./show/usage.ts');
    await showCommandUsage(module, io);
    return EXIT.done;
  }
  const values = checkFlags(rawArgs, await definitionsOf(module), module.repeatable);
  const data: CommandData = { io, values };
  const { result } = await runCommand(module.command, { rawArgs, data });
  return result as ExitCode;
}

async function definitionsOf({ command }: CommandModule): Promise<NonNullable<Parameters<typeof checkFlags>[1]>> {
  return typeof command.args === 'function' ? command.args() : (command.args ?? {});
}

/**
 * Runs a command line. Never throws.
 * @param argv arguments without `node` and the script
 * @param io the terminal
 * @returns the exit code
 */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    const failure = failureOf(error);
    if (beforeEnd(argv).includes('--json')) io.stdout.write(`${JSON.stringify(failureJson(failure))}\n`);
    const style = await stylesFor(io.stderr, io);
    io.stderr.write(`${style('red', printFailure(failure))}\n`);
    if (failure.isBug && io.env['ANYRIG_DEBUG'] && error instanceof Error) io.stderr.write(`${error.stack}\n`);
    return failure.exit;
  }
}
