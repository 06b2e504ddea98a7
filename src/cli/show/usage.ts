/** Help texts: usage, arguments, options and examples, in lines of at most 80 columns. */
import type { ArgDef, ArgsDef, CommandMeta } from 'citty';
import type { OptionGroup } from '../../files/options/motion-options.ts';
import { packageVersion } from '../../files/package-version.ts';
import type { CommandModule } from '../command.ts';
import { type GroupedFlag, isRequired, labelOf, usageLine } from '../flags/labels.ts';
import { type Io, type Output, type StyleText, stylesFor, writeLines } from '../io.ts';

/** Columns of a terminal that has not been widened. */
const WIDTH = 80;
const COLUMN = 30;

/** Breaks text into lines between words. A word that is longer than a line gets its own. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Writes labels and descriptions in two columns. A label that is too long has its own line. */
function twoColumns(
  rows: readonly (readonly [label: string, text: string])[],
  column: number,
  style: StyleText,
): string[] {
  return rows.flatMap(([label, text]) => {
    const lines = wrap(text, WIDTH - column).map((line) => `${' '.repeat(column)}${line}`);
    if (label.length + 2 > column) return [style('cyan', label), ...lines];
    return [`${style('cyan', label)}${lines[0].slice(label.length)}`, ...lines.slice(1)];
  });
}

/** Titles of the sections of flags; those without a group come first. */
const TITLES: Readonly<Record<OptionGroup | 'none', string>> = {
  none: 'OPTIONS',
  output: 'OUTPUT',
  edits: 'EDITS OF THE CLIP',
  character: 'ON THE CHARACTER',
  contacts: 'CONTACTS',
  bones: 'BONES AND REFERENCE POSES',
  input: 'INPUT',
};

function section(title: string, lines: readonly string[], style: StyleText): string[] {
  return lines.length === 0 ? [] : ['', style('bold', title), '', ...lines];
}

/** Label and description of a flag; of its negation where the flag is set by default. */
function flagRow(name: string, def: Exclude<ArgDef, { type: 'positional' }>): [string, string] {
  const hasAlias = 'alias' in def && def.alias !== undefined;
  const value = def.type === 'boolean' ? '' : ` <${def.valueHint ?? name.toUpperCase()}>`;
  const label = `  ${hasAlias ? `-${[def.alias].flat()[0]}, ` : '    '}--${name}${value}`;
  const negative = 'negativeDescription' in def ? def.negativeDescription : undefined;
  if (def.default === true && negative !== undefined) return [`      --no-${name}`, negative];
  const note = isRequired(def) ? ' (required)' : def.default === undefined ? '' : ` (default: ${def.default})`;
  return [label, `${def.description ?? ''}${note}`];
}

function exampleLines(examples: CommandModule['examples'], style: StyleText): string[] {
  return examples.flatMap(([line, about]) => [`  ${style('dim', `# ${about}`)}`, `  ${line}`]);
}

async function partsOf({ command }: CommandModule): Promise<{ name: string; about: string; defs: ArgsDef }> {
  const { name = '', description = '' } = (await command.meta) as CommandMeta;
  return { name, about: description, defs: ((await command.args) ?? {}) as ArgsDef };
}

export async function showCommandUsage(module: CommandModule, io: Io): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const { name, about, defs } = await partsOf(module);
  const all = Object.entries(defs);
  const positionals = all.flatMap(([arg, def]): [string, string][] => {
    return def.type === 'positional' ? [[`  ${labelOf(arg, def)}`, def.description ?? '']] : [];
  });
  const flags = new Map<string, [string, string][]>(Object.keys(TITLES).map((group) => [group, []]));
  for (const [flag, def] of all)
    if (def.type !== 'positional') flags.get((def as GroupedFlag).group ?? 'none')?.push(flagRow(flag, def));
  const column = Math.max(...positionals.map(([label]) => label.length + 2));
  writeLines(io.stdout, [
    ...wrap(`${about}.`, WIDTH),
    '',
    `${style('bold', 'USAGE')} ${style('cyan', usageLine(name, defs))}`,
    ...section('ARGUMENTS', twoColumns(positionals, column, style), style),
    ...Object.entries(TITLES).flatMap(([group, title]) =>
      section(title, twoColumns(flags.get(group) ?? [], COLUMN, style), style),
    ),
    ...section('EXAMPLES', exampleLines(module.examples, style), style),
  ]);
}

/** Prints the usage of a command with one example, below an error. */
export async function showShortUsage(module: CommandModule, io: Io): Promise<void> {
  const style = await stylesFor(io.stderr, io);
  const { name, defs } = await partsOf(module);
  writeLines(io.stderr, [
    '',
    `${style('bold', 'USAGE')} ${style('cyan', usageLine(name, defs))}`,
    '',
    ...exampleLines(module.examples.slice(0, 1), style),
    '',
    `${name} --help lists all options.`,
  ]);
}

export async function showMainUsage(
  commands: Readonly<Record<string, CommandModule>>,
  output: Output,
  io: Io,
): Promise<void> {
  const style = await stylesFor(output, io);
  const rows: [string, string][] = [];
  for (const [name, module] of Object.entries(commands)) rows.push([`  ${name}`, (await partsOf(module)).about]);
  writeLines(output, [
    `Any humanoid motion on any humanoid character (anyrig ${packageVersion()}).`,
    '',
    `${style('bold', 'USAGE')} ${style('cyan', 'anyrig <COMMAND> [OPTIONS] …')}`,
    ...section('COMMANDS', twoColumns(rows, 12, style), style),
    ...section('EXAMPLES', exampleLines(commands['retarget'].examples.slice(0, 2), style), style),
    '',
    'anyrig help <COMMAND> explains a command.',
  ]);
}
