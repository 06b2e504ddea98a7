import { join } from 'node:path';
import { defineCommand } from 'citty';
import type { Demo } from '../../demo/run-demo.ts';
import { writeFilesSync } from '../../files/node/write-files.ts';
import type { CommandData, CommandModule } from '../command.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { requirePositionals } from '../flags/positionals.ts';
import { type Io, stylesFor, writeLines } from '../io.ts';
import { startProgress } from '../progress.ts';
import { columns } from '../show/columns.ts';
import { programName, quoted } from '../show/command-line.ts';

/** The scale of hips translation: each motion has its own. */
function scalesOf({ clips }: Demo['results'][number]['report']): string {
  const scales = clips.flatMap(({ hipsScale }) => (hipsScale === undefined ? [] : [hipsScale]));
  const ends = [Math.min(...scales), Math.max(...scales)].map((scale) => scale.toFixed(2));
  return scales.length === 0 ? '' : `hips scale ${[...new Set(ends)].join(' to ')}`;
}

async function show({ motions, results }: Demo, folder: string, io: Io): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const names = motions.map(({ name }) => name).join(', ');
  const rows = results.map(({ character: { name, about }, report }) => {
    const clips = report.ok ? `${report.clips.length} clips` : 'failed';
    return [`  ${join(folder, 'results', name)}`, clips, scalesOf(report), about];
  });
  writeLines(io.stdout, [
    `${style('bold', `${motions.length} motions (${names}) on ${results.length} characters`)}, all procedural:`,
    ...columns(rows),
    `Motions in ${join(folder, 'motions')}, characters in ${join(folder, 'characters')}.`,
    `Stick figures from front and side: ${join(folder, 'sheet.svg')}`,
    `Try it: ${programName(io)} retarget ${quoted(join(folder, 'motions', motions[0].name))} ${quoted(join(folder, 'characters', results[1].character.name))} -o out.glb`,
  ]);
}

async function demo(folder: string, force: boolean, isJson: boolean, io: Io): Promise<ExitCode> {
  const progress = startProgress(io);
  let made: Demo;
  try {
    const { runDemo } = await import('../../demo/run-demo.ts');
    made = await runDemo(progress.step);
    progress.step(`writing ${folder}`);
    writeFilesSync(
      made.files.map(({ path, parts }) => ({ path: join(folder, path), parts })),
      { force },
    );
  } finally {
    progress.end();
  }
  const ok = made.results.every(({ report }) => report.ok);
  if (isJson) {
    const files = made.files.map(({ path }) => join(folder, path));
    const results = made.results.map(({ report }) => report);
    writeLines(io.stdout, [JSON.stringify({ ok, output: folder, files, results })]);
  } else await show(made, folder, io);
  return ok ? EXIT.done : EXIT.nothing;
}

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig demo',
    description:
      'Create procedural characters and motions, retarget each motion to each character, and draw the results',
  },
  args: {
    out: {
      type: 'string',
      alias: 'o',
      valueHint: 'DIR',
      default: 'anyrig-demo',
      description: 'Output folder; created if missing',
    },
    force: { type: 'boolean', description: 'Overwrite existing files' },
    json: { type: 'boolean', description: 'Print the reports as JSON' },
  },
  run: ({ args, data }) => {
    const { io } = data as CommandData;
    requirePositionals(args._, []);
    return demo(args.out, args.force === true, args.json === true, io);
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig demo -o /tmp/demo', 'takes a few seconds, downloads nothing'],
];

export const repeatable: CommandModule['repeatable'] = [];
