import { defineCommand } from 'citty';
import { writeFilesSync } from '../../files/node/write-files.ts';
import type { OpenFile } from '../../files/open.ts';
import { OptionError } from '../../files/option-error.ts';
import { compareFiles } from '../../preview/compare/compare-files.ts';
import type { CompareReport } from '../../preview/compare/compare-report.ts';
import { columnTitles, type FigureCell, figureRows, LEVEL_WORDS, limbRows } from '../../preview/compare/figure-rows.ts';
import type { CommandData, CommandModule } from '../command.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { ASSET_FLAGS } from '../flags/input-flags.ts';
import { SIDE_FLAGS } from '../flags/motion-flags.ts';
import { requirePositionals } from '../flags/positionals.ts';
import { type HumanoidFlags, readHumanoidOptions, readInputOptions } from '../flags/read-options.ts';
import { type Io, oneLine, stylesFor, writeLines } from '../io.ts';
import { type InputOptions, openInput } from '../open-input.ts';
import { startProgress } from '../progress.ts';
import { columns } from '../show/columns.ts';
import { issueLines } from '../show/issues.ts';

interface CompareJob {
  readonly source: string;
  readonly result: string;
  readonly other: string | undefined;
  readonly output: string | undefined;
  readonly clips: readonly string[];
  readonly input: InputOptions;
  readonly motion: HumanoidFlags;
  readonly target: HumanoidFlags;
  readonly force: boolean;
  readonly isVerbose: boolean;
  readonly isJson: boolean;
}

/** Figures that are worth a look have a `?`, wrong ones a `!`. */
function marked(cell: FigureCell | undefined): string {
  if (cell === undefined) return '';
  return cell.text + (cell.level === 'wrong' ? ' !' : cell.level === 'look' ? ' ?' : '  ');
}

async function show(report: CompareReport, output: string | undefined, isVerbose: boolean, io: Io): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const lines: string[] = [];
  for (const clip of report.clips) {
    lines.push(
      style('bold', oneLine(clip.name)) +
        `: ${clip.duration.toFixed(2)} s, hips scale ${Number(clip.hipsScale.toPrecision(4))}`,
    );
    const titles = columnTitles(clip);
    const verdict = clip.columns.result?.verdict;
    if (verdict !== undefined) {
      const color = verdict.level === 'good' ? 'green' : verdict.level === 'look' ? 'yellow' : 'red';
      lines.push(
        `  ${style(color, LEVEL_WORDS[verdict.level])}`,
        ...verdict.findings.map(({ message }) => `    ${message}`),
      );
    }
    const table = [
      ...figureRows(clip),
      { title: 'error of limbs, 95 % + changed on purpose at most', cells: [] },
      ...limbRows(clip),
    ];
    const rows = table.map(({ title, cells }) => [`  ${title}`, ...titles.map((_, k) => marked(cells[k]))]);
    lines.push(
      ...columns(
        [['', ...titles], ...rows],
        titles.map((_, k) => k + 1),
      ),
    );
  }
  if (report.clips.length === 0)
    lines.push(style('red', 'Nothing was compared: no clip of the result belongs to one of the source.'));
  if (report.clipsLeftOut > 0)
    lines.push(`${report.clipsLeftOut} more clips are not compared. Choose clips with --clip`);
  if (output !== undefined && report.ok) lines.push(style('bold', oneLine(output)));
  writeLines(io.stdout, [...lines, ...issueLines(report.issues, style, isVerbose)]);
}

async function compare(job: CompareJob, io: Io): Promise<ExitCode> {
  const { source, result, other, output, clips, input, force, isVerbose, isJson } = job;
  if (output !== undefined && !/\.html?$/i.test(output))
    throw new OptionError('output', `${output} has another extension; expected .html`);
  const progress = startProgress(io);
  let made: Awaited<ReturnType<typeof compareFiles>>;
  try {
    const open = (path: string): Promise<OpenFile> => {
      progress.step(`reading ${path}`);
      return openInput(path, input);
    };
    const [motion, character] = [await open(source), await open(result)];
    made = await compareFiles(motion, character, {
      clips,
      source: await readHumanoidOptions(job.motion, input),
      target: await readHumanoidOptions(job.target, input),
      ...(other === undefined ? {} : { with: await open(other) }),
      onClip: (clip) => progress.step(`measuring ${clip}`),
    });
    if (output !== undefined && made.html !== null) {
      progress.step(`writing ${output}`);
      const inputs = [source, result, ...(other === undefined ? [] : [other])];
      writeFilesSync([{ path: output, parts: [new TextEncoder().encode(made.html)] }], { force, inputs });
    }
  } finally {
    progress.end();
  }
  const { report, html } = made;
  const written = html === null ? null : (output ?? null);
  if (isJson) writeLines(io.stdout, [JSON.stringify({ ...report, output: written })]);
  else await show(report, output, isVerbose, io);
  return report.ok ? EXIT.done : EXIT.nothing;
}

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig compare',
    description:
      'Compare a motion with its retargeted result in figures and pictures: limbs, feet, ground, smoothness, speed, and whether it is good',
  },
  args: {
    source: { type: 'positional', description: 'The file with the motion' },
    result: { type: 'positional', description: 'The file with the retargeted clips and their character' },
    with: { type: 'string', valueHint: 'FILE', description: 'Another result, such as that of another program' },
    out: {
      type: 'string',
      alias: 'o',
      valueHint: 'FILE',
      description: 'Page with figures, contact sheets, foot trails and charts: .html',
    },
    clip: { type: 'string', valueHint: 'NAME|INDEX', description: 'Only this clip of the motion; repeatable' },
    ...SIDE_FLAGS,
    ...ASSET_FLAGS,
    force: { type: 'boolean', description: 'Overwrite an existing file' },
    verbose: { type: 'boolean', description: 'Also print infos' },
    json: { type: 'boolean', description: 'Print the report as JSON' },
  },
  run: ({ args, data }) => {
    const { io, values } = data as CommandData;
    const [source, result] = requirePositionals(args._, ['source', 'result']);
    return compare(
      {
        source,
        result,
        other: args.with,
        output: args.out,
        clips: values.get('clip') ?? [],
        input: readInputOptions(args['asset-root']),
        motion: { map: args['source-map'], skeleton: args['source-skeleton'], pose: args['source-pose'] },
        target: { map: args['target-map'], skeleton: args['target-skeleton'], pose: args['target-pose'] },
        force: args.force === true,
        isVerbose: args.verbose === true,
        isJson: args.json === true,
      },
      io,
    );
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig compare walk.fbx hero-walks.glb', 'the figures of the result beside those of the source'],
  ['anyrig compare walk.fbx hero-walks.glb -o walk.html', 'a page with figures, contact sheets and foot trails'],
  ['anyrig compare pack.glb mine.glb --with theirs.glb --clip Run -o run.html', 'two results of one clip'],
];

export const repeatable: CommandModule['repeatable'] = ['clip'];
