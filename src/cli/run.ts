/** The command line: finds the command, loads only that, and turns errors into exit codes. */
import { type CommandDef, runCommand } from 'citty';
import { checkFlags, type FlagValues } from './check-flags.ts';
import * as convert from './commands/convert.ts';
import * as define from './commands/define.ts';
import * as demo from './commands/demo.ts';
import * as extract from './commands/extract.ts';
import * as inspect from './commands/inspect.ts';
import * as map from './commands/map.ts';
import * as preview from './commands/preview.ts';
import * as retarget from './commands/retarget.ts';
import * as validate from './commands/validate.ts';
import { didYouMean } from './did-you-mean.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { failureJson, failureOf, printFailure } from './failure.ts';
import { type Io, stylesFor } from './io.ts';
import { UsageError } from './usage-error.ts';

/** What a command gets besides its arguments. */
export interface CommandData {
  readonly io: Io;
  /** Every value of every flag that has values. */
  readonly values: FlagValues;
}

/** What the file of a command exports. `run` of its definition returns an exit code. */
export interface CommandModule {
  // biome-ignore lint/suspicious/noExplicitAny: every command has arguments of its own
  readonly command: CommandDef<any>;
  /** Command lines with what they do, for its help. */
  readonly examples: readonly (readonly [line: string, about: string])[];
  /** Flags that may be given several times. */
  readonly repeatable: readonly string[];
}

/**
 * The commands by name. Those that share nearly all their code are loaded at once: one file is read faster than several.
 * What only one needs is imported when it is wanted (the demo, readers of rare formats, help).
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

/** Arguments before `--`, which ends the flags. */
function beforeEnd(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end < 0 ? args : args.slice(0, end);
}

function findCommand(name: string): CommandModule {
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name];
  const names = Object.keys(COMMANDS);
  const what = name.startsWith('-') ? 'option' : 'command';
  const known = name.startsWith('-') ? ['--help', '--version'] : names;
  throw new UsageError(`There is no ${what} ${name}${didYouMean(name, known)}; the commands are ${names.join(', ')}`);
}

async function dispatch(argv: readonly string[], io: Io): Promise<ExitCode> {
  const [name, ...rawArgs] = argv;
  if (name === undefined || isHelp(name)) {
    const { showMainUsage } = await import('./show-usage.ts');
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
    const { showCommandUsage } = await import('./show-usage.ts');
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

/** Runs a command line (without `node` and the script) and gives its exit code. Never throws. */
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
