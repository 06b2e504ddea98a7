import { existsSync } from 'node:fs';
import { type ArgsDef, runCommand } from 'citty';
import type { CommandData, CommandModule } from './command.ts';
import { UsageError } from './errors/cli-errors.ts';
import { didYouMean } from './errors/did-you-mean.ts';
import { EXIT, type ExitCode } from './errors/exit-codes.ts';
import { failureJson, failureOf, printFailure } from './errors/failure.ts';
import { checkFlags, type FlagValues, findPositionals } from './flags/check-flags.ts';
import { isRequired, labelOf } from './flags/labels.ts';
import { type Io, type Output, stylesFor, writeLines } from './io.ts';
import { correctedCommand } from './show/command-line.ts';

interface CheckedArguments {
  readonly command: string;
  readonly rawArgs: readonly string[];
  readonly positionals: readonly string[];
  readonly values: FlagValues;
  readonly io: Pick<Io, 'env' | 'script'>;
}

/** Suggests that the last file is the output, where `-o` is all that is missing and this file does not exist. */
function suggestOutput({ command, rawArgs, positionals, io }: CheckedArguments, needed: number): string {
  const last = positionals[positionals.length - 1];
  if (positionals.length <= needed || !/\.\w+$/.test(last) || existsSync(last)) return '';
  const files = [...positionals.slice(0, -1), '-o', last];
  return ` Did you mean:\n  ${correctedCommand(io, [command, ...rawArgs], positionals, files)}`;
}

/** Checks that all required arguments and flags are there. Throws UsageError that names what is missing and asks for the usage to be shown. */
function checkArguments(typed: CheckedArguments, defs: ArgsDef): void {
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

/** The commands by name, each imported when it is typed: a process starts faster without the others. */
const COMMANDS: Readonly<Record<string, () => Promise<CommandModule>>> = {
  retarget: () => import('./commands/retarget.ts'),
  batch: () => import('./commands/batch.ts'),
  worker: () => import('./commands/worker.ts'),
  convert: () => import('./commands/convert.ts'),
  extract: () => import('./commands/extract.ts'),
  inspect: () => import('./commands/inspect.ts'),
  map: () => import('./commands/map.ts'),
  preview: () => import('./commands/preview.ts'),
  compare: () => import('./commands/compare.ts'),
  define: () => import('./commands/define.ts'),
  validate: () => import('./commands/validate.ts'),
  studio: () => import('./commands/studio.ts'),
  mcp: () => import('./commands/mcp.ts'),
  demo: () => import('./commands/demo.ts'),
};

function isHelp(arg: string): boolean {
  return arg === '--help' || arg === '-h';
}

/** The flags among arguments, without their values: `--clip`, `-o`. */
function flagsIn(args: readonly string[]): Set<string> {
  return new Set(args.flatMap((arg) => /^--?[a-z][\w-]*/i.exec(arg) ?? []));
}

/** The arguments before `--`, which ends the flags. */
function beforeEnd(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end < 0 ? args : args.slice(0, end);
}

function adviseFiles(argv: readonly string[], io: Io): string | null {
  const files = argv.filter((arg) => /\.\w+$/.test(arg) && !arg.startsWith('-'));
  if (files[0] !== argv[0]) return null;
  const outputs = argv.includes('-o') || argv.includes('--out') ? files.slice(0, -1) : files;
  const command = outputs.length > 1 ? 'retarget' : argv.length > 1 ? 'convert' : 'inspect';
  return `${argv[0]} is a file; expected a command before it. Did you mean:\n  ${correctedCommand(io, [command, ...argv], [], [])}`;
}

async function findCommand(name: string, argv: readonly string[], io: Io): Promise<CommandModule> {
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name]();
  const advice = adviseFiles(argv, io);
  if (advice !== null) throw new UsageError(advice);
  const names = Object.keys(COMMANDS);
  const what = name.startsWith('-') ? 'option' : 'command';
  const known = name.startsWith('-') ? ['--help', '--version'] : names;
  throw new UsageError(`Unknown ${what} ${name}${didYouMean(name, known)}; the commands are ${names.join(', ')}`);
}

async function showMainHelp(output: Output, io: Io): Promise<void> {
  const { showMainUsage } = await import('./show/usage.ts');
  const modules = Object.entries(COMMANDS).map(async ([name, load]) => [name, await load()] as const);
  await showMainUsage(Object.fromEntries(await Promise.all(modules)), output, io);
}

/** Prints the help of the program, or of the command that the arguments name. */
async function showHelp([name]: readonly string[], io: Io): Promise<ExitCode> {
  if (name === undefined || name.startsWith('-')) await showMainHelp(io.stdout, io);
  else {
    const { showCommandUsage } = await import('./show/usage.ts');
    await showCommandUsage(await findCommand(name, [name], io), io);
  }
  return EXIT.done;
}

async function dispatch(argv: readonly string[], io: Io): Promise<ExitCode> {
  const [name, ...rawArgs] = argv;
  if (name === undefined) {
    await showMainHelp(io.stderr, io);
    return EXIT.usage;
  }
  if (name === 'help' || isHelp(name))
    return showHelp(
      rawArgs.filter((arg) => !isHelp(arg)),
      io,
    );
  if (name === 'version' || name === '--version' || name === '-v') {
    const { packageVersion } = await import('../files/package-version.ts');
    io.stdout.write(`${packageVersion()}\n`);
    return EXIT.done;
  }
  const module = await findCommand(name, argv, io);
  if (beforeEnd(rawArgs).some(isHelp)) return showHelp([name], io);
  const defs = await definitionsOf(module);
  const values = checkFlags(rawArgs, defs, module.repeatable);
  checkArguments({ command: name, rawArgs, positionals: findPositionals(rawArgs, defs), values, io }, defs);
  const data: CommandData = { io, values };
  const { result } = await runCommand(module.command, { rawArgs: [...rawArgs], data });
  return result as ExitCode;
}

async function definitionsOf({ command }: CommandModule): Promise<NonNullable<Parameters<typeof checkFlags>[1]>> {
  return typeof command.args === 'function' ? command.args() : (command.args ?? {});
}

/** Runs a command line. Never throws. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    const failure = failureOf(error, flagsIn(beforeEnd(argv)));
    if (beforeEnd(argv).includes('--json')) writeLines(io.stdout, [JSON.stringify(failureJson(failure))]);
    const style = await stylesFor(io.stderr, io);
    writeLines(io.stderr, [style('red', printFailure(failure))]);
    if (error instanceof UsageError && error.showsUsage && Object.hasOwn(COMMANDS, argv[0])) {
      const { showShortUsage } = await import('./show/usage.ts');
      await showShortUsage(await COMMANDS[argv[0]](), io);
    }
    if (failure.isBug && io.env['ANYRIG_DEBUG'] && error instanceof Error) io.stderr.write(`${error.stack}\n`);
    return failure.exit;
  }
}
