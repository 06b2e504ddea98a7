import { defineCommand } from 'citty';
import type { OpenFile } from '../../files/open.ts';
import { OptionError } from '../../files/option-error.ts';
import { svgToPng } from '../../files/svg-to-png.ts';
import { writeFiles } from '../../files/write-files.ts';
import {
  MOST_CLIPS,
  MOST_COLUMNS,
  type Preview,
  type PreviewOptions,
  type PreviewReport,
  previewFiles,
} from '../../preview/preview-files.ts';
import type { SheetView } from '../../preview/sheet.ts';
import { clipFilter } from '../clip-filter.ts';
import { columns } from '../columns.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { ASSET_FLAGS, INPUT_FILE } from '../input-flags.ts';
import { type Io, oneLine, stylesFor } from '../io.ts';
import { type InputOptions, openInput } from '../open-input.ts';
import { startProgress } from '../progress.ts';
import { readInputOptions } from '../read-options.ts';
import type { CommandData, CommandModule } from '../run.ts';
import { issueLines } from '../show-issues.ts';
import { UsageError } from '../usage-error.ts';
import { writeLines } from '../write-lines.ts';

/** Rows that are listed for people; the JSON has all. */
const ROWS = 12;

interface PreviewJob {
  readonly paths: readonly string[];
  readonly input: InputOptions;
  readonly output: string;
  readonly options: PreviewOptions;
  readonly force: boolean;
  readonly isJson: boolean;
}

type ImageFormat = 'svg' | 'png';

/** A sheet as a file. */
interface Image {
  readonly bytes: Uint8Array;
  readonly hasText: boolean;
}

function imageFormat(path: string): ImageFormat {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1].toLowerCase();
  if (extension === 'svg' || extension === 'png') return extension;
  const what = extension === undefined ? `${path} has no extension` : `.${extension} is not drawn`;
  throw new OptionError('output', `${what}; the sheet can be .svg or .png`);
}

async function imageOf(svg: string, format: ImageFormat): Promise<Image> {
  if (format === 'svg') return { bytes: new TextEncoder().encode(svg), hasText: true };
  const { png, hasText } = await svgToPng(svg);
  return { bytes: png, hasText };
}

function readFrames(text: string): number {
  const frames = Number(text);
  if (/^\d+$/.test(text) && frames >= 1 && frames <= MOST_COLUMNS) return frames;
  throw new UsageError(`--frames is ${JSON.stringify(text)}; expected a whole number from 1 to ${MOST_COLUMNS}`);
}

function readView(text: string): SheetView {
  if (text === 'front' || text === 'side' || text === 'both') return text;
  throw new UsageError(`--view is ${JSON.stringify(text)}; expected front, side or both`);
}

const POSES = ['reference', 'bind', 'node', 'all'] as const;

function readDrawnPose(text: string): (typeof POSES)[number] {
  const found = POSES.find((pose) => pose === text);
  if (found !== undefined) return found;
  throw new UsageError(`--pose is ${JSON.stringify(text)}; expected reference, bind, node or all`);
}

type WantsClip = (name: string, index: number) => boolean;

/** Which clips of a file are to be read. In a second file those with the names of the first are looked for: it is read whole. */
function wanted(file: number, count: number, clips: readonly (string | number)[]): WantsClip {
  if (file > 0) return () => true;
  if (clips.length > 0) return clipFilter(clips);
  return count > 1 ? () => true : (_, index) => index < MOST_CLIPS;
}

async function show(
  { rows, clipsLeftOut, issues }: PreviewReport,
  output: string,
  image: Image,
  io: Io,
): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const lines = [`${style('bold', oneLine(output))}: ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`];
  const cells = rows.slice(0, ROWS).map(({ file, clip, columns: drawn }) => {
    const what = clip === null ? 'poses' : clip.name.trim() === '' ? `clip ${clip.index}` : clip.name;
    const about = clip === null ? drawn.join(', ') : `${clip.duration.toFixed(2)} s`;
    return ['', oneLine(file), oneLine(what), about];
  });
  lines.push(...columns(cells));
  if (rows.length > ROWS) lines.push(`  and ${rows.length - ROWS} more`);
  const plain = rows.filter(({ reason }) => reason !== undefined);
  const reasons = plain.map(({ file, reason }) => `${file} is drawn as plain joints, it is not humanoid: ${reason}`);
  lines.push(...[...new Set(reasons)].map(oneLine));
  if (clipsLeftOut > 0) lines.push(`${clipsLeftOut} more clips were left out; choose some with --clip`);
  if (!image.hasText) {
    lines.push('The system has no fonts: the picture has no text. Install some, as fonts-dejavu, or write .svg');
  }
  lines.push(...issueLines(issues, style));
  writeLines(io.stdout, lines);
}

async function preview({ paths, input, output, options, force, isJson }: PreviewJob, io: Io): Promise<ExitCode> {
  const format = imageFormat(output);
  const progress = startProgress(io);
  let made: Preview;
  let image: Image | null = null;
  try {
    const opened: OpenFile[] = [];
    for (const [k, path] of paths.entries()) {
      progress.step(`reading ${path}`);
      opened.push(await openInput(path, input, { wantsClip: wanted(k, paths.length, options.clips ?? []) }));
    }
    made = previewFiles(opened, { ...options, onRow: (file, what) => progress.step(`drawing ${what} of ${file}`) });
    if (made.svg !== null) {
      progress.step(`writing ${output}`);
      image = await imageOf(made.svg, format);
      writeFiles([{ path: output, parts: [image.bytes] }], { force, inputs: [...paths] });
    }
  } finally {
    progress.end();
  }
  const { report } = made;
  if (isJson) writeLines(io.stdout, [JSON.stringify({ ...report, output: image === null ? null : output })]);
  else if (image !== null) await show(report, output, image, io);
  else writeLines(io.stderr, ['Nothing was drawn', ...issueLines(report.issues, await stylesFor(io.stderr, io))]);
  return report.ok ? EXIT.done : EXIT.nothing;
}

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig preview',
    description: 'Draw a contact sheet: poses and clips of a file as stick figures, or two files to compare',
  },
  args: {
    file: INPUT_FILE,
    file2: {
      type: 'positional',
      required: false,
      description: 'A second one: its clips are drawn below those of the first, by name',
    },
    out: {
      type: 'string',
      alias: 'o',
      required: true,
      valueHint: 'FILE',
      description: 'The sheet; .svg or .png decides the format',
    },
    clip: {
      type: 'string',
      valueHint: 'NAME|INDEX',
      description: `Only this clip; may be given several times. Without: the poses and up to ${MOST_CLIPS} clips`,
    },
    frames: { type: 'string', valueHint: 'N', description: `Moments of a clip, 1 to ${MOST_COLUMNS}; 8 if not given` },
    view: { type: 'string', valueHint: 'VIEW', description: 'front, side or both; both if not given' },
    pose: {
      type: 'string',
      valueHint: 'POSE',
      description:
        'Draw this pose, large, instead of clips: reference (what motion is measured from, with the hands), bind, node, or all',
    },
    names: { type: 'boolean', description: 'Write the names of the bones at the large pose; without --pose, add it' },
    nodes: { type: 'boolean', description: 'The same with the names of the nodes, as bone maps have them' },
    ...ASSET_FLAGS,
    force: { type: 'boolean', description: 'Replace a file that exists' },
    json: { type: 'boolean', description: 'Print what was drawn as JSON' },
  },
  run: ({ args, data }) => {
    const { io, values } = data as CommandData;
    const paths = args._;
    if (paths.length > 2) throw new UsageError(`${paths[2]} is one file too many: a sheet shows one, or compares two`);
    const input = readInputOptions(args['asset-root']);
    const options: PreviewOptions = {
      clips: values.get('clip') ?? [],
      ...(args.frames === undefined ? {} : { frames: readFrames(args.frames) }),
      ...(args.view === undefined ? {} : { view: readView(args.view) }),
      ...(args.pose === undefined ? {} : { pose: readDrawnPose(args.pose) }),
      ...(args.nodes === true ? { names: 'nodes' } : args.names === true ? { names: 'bones' } : {}),
    };
    return preview(
      { paths, input, output: args.out, options, force: args.force === true, isJson: args.json === true },
      io,
    );
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig preview avatar.vrm -o avatar.svg --names', 'how it stands, and which joint is which bone'],
  ['anyrig preview avatar.glb -o pose.svg --pose reference --nodes', 'its T-pose, and which node is where'],
  ['anyrig preview walk.glb out.vrm -o compare.png --clip walk', 'a motion and what became of it, at the same times'],
  ['anyrig preview pack.glb -o run.svg --clip Run --frames 16 --view side', 'one clip, closer'],
];

export const repeatable: CommandModule['repeatable'] = ['clip'];
