import { join } from 'node:path';
import { defineCommand } from 'citty';
import type { Demo } from '../../demo/run-demo.ts';
import { writeFiles } from '../../files/write-files.ts';
import { columns } from '../columns.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type Io, stylesFor } from '../io.ts';
import { positionals } from '../positionals.ts';
import { startProgress } from '../progress.ts';
import type { CommandData, CommandModule } from '../run.ts';
import { writeLines } from '../write-lines.ts';

async function show({ motions, results }: Demo, folder: string, io: Io): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const names = motions.map(({ name }) => name).join(', ');
  const rows = results.map(({ character: { name, about }, report }) => {
    const clips = report.ok ? `${report.clips.length} clips` : 'not done';
    return [`  ${join(folder, 'results', name)}`, clips, `hips scale ${report.hipsScale?.toFixed(2) ?? '-'}`, about];
  });
  writeLines(io.stdout, [
    `${style('bold', `${motions.length} motions (${names}) on ${results.length} characters`)}, all made by code:`,
    ...columns(rows),
    `Stick figures of all, from front and side: ${join(folder, 'sheet.svg')}`,
    `Do it yourself: anyrig retarget ${join(folder, 'motions', motions[0].name)} ${join(folder, 'characters', results[1].character.name)} -o out.glb`,
  ]);
}

async function demo(folder: string, force: boolean, isJson: boolean, io: Io): Promise<ExitCode> {
  const progress = startProgress(io);
  let made: Demo;
  try {
    const { runDemo } = await import('../../demo/run-demo.ts');
    made = await runDemo(progress.step);
    progress.step(`writing ${folder}`);
    writeFiles(
      made.files.map(({ path, parts }) => ({ path: join(folder, path), parts })),
      { force },
    );
  } finally {
    progress.end();
  }
  const ok = made.results.every(({ report }) => report.ok);
  if (isJson)
    writeLines(io.stdout, [JSON.stringify({ ok, output: folder, results: made.results.map((r) => r.report) })]);
  else await show(made, folder, io);
  return ok ? EXIT.done : EXIT.nothing;
}

export const command: CommandModule['command'] = defineCommand({
  meta: { name: 'anyrig demo', description: 'Make characters and motions by code, retarget all across, and draw them' },
  args: {
    out: {
      type: 'string',
      alias: 'o',
      valueHint: 'DIR',
      default: 'anyrig-demo',
      description: 'Folder for the files; it is made',
    },
    force: { type: 'boolean', description: 'Replace files that exist' },
    json: { type: 'boolean', description: 'Print what was done as JSON' },
  },
  run: ({ args, data }) => {
    const { io } = data as CommandData;
    positionals(args._, []);
    return demo(args.out, args.force === true, args.json === true, io);
  },
});

export const examples: CommandModule['examples'] = [['anyrig demo -o /tmp/demo', 'no downloads, a few seconds']];

export const repeatable: CommandModule['repeatable'] = [];
