import { defineCommand } from 'citty';
import { loadDecoders } from '../../files/geometry.ts';
import { svgToPng } from '../../files/node/svg-to-png.ts';
import { writeFilesSync } from '../../files/node/write-files.ts';
import type { OpenFile } from '../../files/open.ts';
import { OptionError } from '../../files/option-error.ts';
import {
  MOST_CLIPS,
  MOST_COLUMNS,
  type Preview,
  type PreviewOptions,
  type PreviewReport,
  previewFiles,
} from '../../preview/preview-files.ts';
import type { SheetView } from '../../preview/sheet.ts';
import type { CommandData, CommandModule } from '../command.ts';
import { UsageError } from '../errors/cli-errors.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { clipFilter } from '../flags/clip-filter.ts';
import { ASSET_FLAGS, INPUT_FILE, MODEL_FLAG } from '../flags/input-flags.ts';
import { OPEN_FLAGS, readInput } from '../flags/motion-flags.ts';
import { type Io, oneLine, stylesFor, writeLines } from '../io.ts';
import { type InputOptions, openInput } from '../open-input.ts';
import { startProgress } from '../progress.ts';
import { columns } from '../show/columns.ts';
import { issueLines } from '../show/issues.ts';

interface PreviewJob {
  readonly paths: readonly string[];
  readonly input: InputOptions;
  readonly output: string;
  readonly options: PreviewOptions;
  readonly force: boolean;
  readonly isVerbose: boolean;
  readonly isJson: boolean;
}

type ImageFormat = 'svg' | 'png';

interface Image {
  readonly bytes: Uint8Array;
  readonly hasText: boolean;
}

/** Returns the image format that the extension of a path selects. Throws OptionError (`output`) for other extensions. */
export function imageFormat(path: string): ImageFormat {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1].toLowerCase();
  if (extension === 'svg' || extension === 'png') return extension;
  const what = extension === undefined ? `${path} has no extension` : `the extension is .${extension}`;
  throw new OptionError('output', `${what}; expected .svg or .png`);
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

/** Selects the clips to read. The second of two files is read whole: its clips are matched to those of the first by name. */
export function clipsToDraw(
  file: number,
  count: number,
  clips: readonly (string | number)[],
): (name: string, index: number) => boolean {
  if (file > 0) return () => true;
  if (clips.length > 0) return clipFilter(clips);
  return count > 1 ? () => true : (_, index) => index < MOST_CLIPS;
}

async function show(
  { rows, clipsLeftOut, issues }: PreviewReport,
  output: string,
  image: Image,
  isVerbose: boolean,
  io: Io,
): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const lines = [`${style('bold', oneLine(output))}: ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`];
  const cells = rows.map(({ file, clip, columns: drawn }) => {
    const what = clip === null ? 'poses' : clip.name.trim() === '' ? `clip ${clip.index}` : clip.name;
    const about = clip === null ? drawn.join(', ') : `${clip.duration.toFixed(2)} s`;
    return ['', oneLine(file), oneLine(what), about];
  });
  if (isVerbose) lines.push(...columns(cells));
  const plain = rows.filter(({ reason }) => reason !== undefined);
  const reasons = plain.map(
    ({ file, reason }) => `${file} is drawn as plain joints because it is not humanoid: ${reason}`,
  );
  lines.push(...[...new Set(reasons)].map(oneLine));
  if (clipsLeftOut > 0) lines.push(`${clipsLeftOut} more clips are not drawn. Choose clips with --clip`);
  if (!image.hasText) {
    lines.push(
      'The picture has no text because the system has no fonts. Install a font package (fonts-dejavu), or write .svg',
    );
  }
  lines.push(...issueLines(issues, style, isVerbose));
  writeLines(io.stdout, lines);
}

async function preview(job: PreviewJob, io: Io): Promise<ExitCode> {
  const { paths, input, output, options, force, isVerbose, isJson } = job;
  const format = imageFormat(output);
  const progress = startProgress(io);
  let made: Preview;
  let image: Image | null = null;
  try {
    const opened: OpenFile[] = [];
    for (const [k, path] of paths.entries()) {
      progress.step(`reading ${path}`);
      const file = await openInput(path, input, { wantsClip: clipsToDraw(k, paths.length, options.clips ?? []) });
      if (options.surface === true) await loadDecoders(file);
      opened.push(file);
    }
    made = previewFiles(opened, { ...options, onRow: (file, what) => progress.step(`drawing ${what} of ${file}`) });
    if (made.svg !== null) {
      progress.step(`writing ${output}`);
      image = await imageOf(made.svg, format);
      writeFilesSync([{ path: output, parts: [image.bytes] }], { force, inputs: [...paths] });
    }
  } finally {
    progress.end();
  }
  const { report } = made;
  if (isJson) writeLines(io.stdout, [JSON.stringify({ ...report, output: image === null ? null : output })]);
  else if (image !== null) await show(report, output, image, isVerbose, io);
  else {
    const style = await stylesFor(io.stderr, io);
    writeLines(io.stderr, ['Nothing was drawn.', ...issueLines(report.issues, style, isVerbose)]);
  }
  return report.ok ? EXIT.done : EXIT.nothing;
}

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig preview',
    description: 'Draw a contact sheet: poses and clips of one file as stick figures, or two files side by side',
  },
  args: {
    file: INPUT_FILE,
    file2: {
      type: 'positional',
      required: false,
      description: 'A second file; its clips are drawn below the clips of the first with the same name',
    },
    out: {
      type: 'string',
      alias: 'o',
      required: true,
      valueHint: 'FILE',
      description: 'Output: .svg or .png',
    },
    clip: {
      type: 'string',
      valueHint: 'NAME|INDEX',
      description: `Only this clip; repeatable. Default: the poses and up to ${MOST_CLIPS} clips`,
    },
    frames: { type: 'string', valueHint: 'N', description: `Moments per clip, 1 to ${MOST_COLUMNS}; default 8` },
    view: { type: 'string', valueHint: 'VIEW', description: 'front, side or both (default)' },
    pose: {
      type: 'string',
      valueHint: 'POSE',
      description:
        'Draw this pose in large instead of clips: reference (the T-pose that motion is measured from, with hands), bind, node or all',
    },
    names: { type: 'boolean', description: 'Label the large pose with bone names; adds the pose if --pose is missing' },
    nodes: { type: 'boolean', description: 'Label the large pose with node names, as bone maps use them' },
    surface: {
      type: 'boolean',
      description:
        'Draw the skin that contacts keep on the ground, with the feet in color; soles beside a large reference pose',
    },
    ...OPEN_FLAGS,
    ...MODEL_FLAG,
    ...ASSET_FLAGS,
    force: { type: 'boolean', description: 'Overwrite an existing file' },
    verbose: { type: 'boolean', description: 'Also list the rows' },
    json: { type: 'boolean', description: 'Print the report as JSON' },
  },
  run: async ({ args, data }) => {
    const { io, values } = data as CommandData;
    const paths = args._;
    if (paths.length > 2)
      throw new UsageError(`${paths[2]} is one file too many. A sheet shows one file or compares two`);
    const input = await readInput(args, values);
    const options: PreviewOptions = {
      clips: values.get('clip') ?? [],
      ...(args.frames === undefined ? {} : { frames: readFrames(args.frames) }),
      ...(args.view === undefined ? {} : { view: readView(args.view) }),
      ...(args.pose === undefined ? {} : { pose: readDrawnPose(args.pose) }),
      surface: args.surface === true,
      ...(args.nodes === true ? { names: 'nodes' } : args.names === true ? { names: 'bones' } : {}),
    };
    const [isVerbose, isJson] = [args.verbose === true, args.json === true];
    return preview({ paths, input, output: args.out, options, force: args.force === true, isVerbose, isJson }, io);
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig preview avatar.vrm -o avatar.svg --names', 'the reference pose, with bone names'],
  ['anyrig preview avatar.glb -o pose.svg --pose reference --nodes', 'the reference pose, with node names'],
  ['anyrig preview walk.glb out.vrm -o compare.png --clip walk', 'a motion and its result at the same times'],
  ['anyrig preview avatar.vrm -o soles.svg --pose reference --surface', 'the reference pose with skin and soles'],
  ['anyrig preview pack.glb -o run.svg --clip Run --frames 16 --view side', 'one clip in more detail'],
];

export const repeatable: CommandModule['repeatable'] = ['clip'];
