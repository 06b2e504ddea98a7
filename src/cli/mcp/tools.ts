/** The tools of `anyrig mcp`: thin shells over the jobs of the commands with the same names. */
import { STANDARD_RIG_NAMES } from '../../core/humanoid/rigs/rig-names.ts';
import type { Issue } from '../../core/report/issue.ts';
import { loadDecoders } from '../../files/geometry.ts';
import { serializeBoneMap } from '../../files/humanoid/bone-map-file.ts';
import type { HumanoidOptions } from '../../files/humanoid/describe-file-humanoid.ts';
import { inspectFile } from '../../files/jobs/inspect-file.ts';
import { mapFile } from '../../files/jobs/map-file.ts';
import { retargetMotions } from '../../files/jobs/retarget-motions.ts';
import { readInputSync, resourceReader } from '../../files/node/read-input.ts';
import { svgToPng } from '../../files/node/svg-to-png.ts';
import { validateFile } from '../../files/node/validate-file.ts';
import { writeFilesSync } from '../../files/node/write-files.ts';
import type { OpenFile } from '../../files/open.ts';
import { OptionError } from '../../files/option-error.ts';
import {
  jobOptionsOf,
  MOTION_OPTIONS,
  type MotionOptionName,
  type MotionOptions,
  type OptionRow,
} from '../../files/options/motion-options.ts';
import type { OutputFile } from '../../files/outputs/output-file.ts';
import { outputFormat } from '../../files/outputs/output-format.ts';
import { createStandardRig } from '../../files/standard-rig.ts';
import { compareFiles } from '../../preview/compare/compare-files.ts';
import { LEVEL_WORDS } from '../../preview/compare/figure-rows.ts';
import { MOST_CLIPS, MOST_COLUMNS, previewFiles } from '../../preview/preview-files.ts';
import { clipsToDraw, imageFormat } from '../commands/preview.ts';
import { clipFilter } from '../flags/clip-filter.ts';
import { INPUT_FORMATS } from '../flags/input-flags.ts';
import { POSE_CHOICES, readHumanoidOptions, withModel } from '../flags/read-options.ts';
import { blame, type InputOptions, inputsOf, openCharacter, openInput, playedOn } from '../open-input.ts';
import { progressText } from '../progress.ts';
import { humanoidLines } from '../show/humanoid.ts';
import { outputPath, type ServedFolder } from './confine-path.ts';
import { checkArguments, type ToolArgument, type ToolArguments, type ToolValues } from './tool-arguments.ts';

export interface ToolContext {
  readonly folders: readonly ServedFolder[];
  readonly signal: AbortSignal;
  readonly step: (text: string) => void;
}

export interface ToolAnswer {
  /** A few lines for people. */
  readonly lines: readonly string[];
  readonly report: object;
  readonly png?: Uint8Array;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** Whether it never writes. */
  readonly isReadOnly: boolean;
  readonly args: ToolArguments;
  readonly call: (given: Readonly<Record<string, unknown>>, context: ToolContext) => Promise<ToolAnswer>;
}

function defineTool<const Args extends ToolArguments>(
  tool: Omit<Tool, 'args' | 'call'> & { readonly args: Args },
  run: (values: ToolValues<Args>, context: ToolContext) => Promise<ToolAnswer>,
): Tool {
  return { ...tool, call: async (given, context) => run(checkArguments(tool.args, given, context.folders), context) };
}

const FILE = { type: { kind: 'input' }, text: INPUT_FORMATS, isRequired: true } as const;
const MODEL = { model: { type: { kind: 'input' }, text: 'PMX or PMD that a VMD or VPD plays on' } } as const;
const FORCE = { force: { type: { kind: 'flag' }, text: 'Overwrite existing files', default: false } } as const;
const CLIPS = { clips: { type: { kind: 'names' }, text: 'Only these clips, by name or index' } } as const;

const SIDES = {
  sourceMap: { type: { kind: 'input' }, text: 'Bone map of the motions: JSON as the tool map writes it' },
  targetMap: { type: { kind: 'input' }, text: 'Bone map of the character' },
  sourceSkeleton: { type: { kind: 'name' }, text: 'Skeleton of the motions, if there are several' },
  targetSkeleton: { type: { kind: 'name' }, text: 'Skeleton of the character, if there are several' },
  sourcePose: { type: { kind: 'pose' }, text: `Reference pose of the motions: ${POSE_CHOICES}` },
  targetPose: { type: { kind: 'pose' }, text: 'Reference pose of the character; same values' },
} as const satisfies ToolArguments;

async function sidesOf(
  values: ToolValues<typeof SIDES>,
  input: InputOptions,
): Promise<{ readonly source: HumanoidOptions; readonly target: HumanoidOptions }> {
  const { sourceMap, sourceSkeleton, sourcePose, targetMap, targetSkeleton, targetPose } = values;
  return {
    source: await readHumanoidOptions({ map: sourceMap, skeleton: sourceSkeleton, pose: sourcePose }, input),
    target: await readHumanoidOptions({ map: targetMap, skeleton: targetSkeleton, pose: targetPose }, input),
  };
}

/** Most issues that the text of an answer has; the report has all. */
const MOST_ISSUES = 10;

function issueTexts(issues: readonly Issue<string>[]): string[] {
  const shown = issues.filter(({ severity }) => severity !== 'info');
  const lines = shown.slice(0, MOST_ISSUES).map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
  return shown.length > MOST_ISSUES ? [...lines, `and ${shown.length - MOST_ISSUES} more issues`] : lines;
}

const inspect = defineTool(
  {
    name: 'inspect',
    description:
      'Reports what a 3D file contains: skeletons, which joint is which humanoid bone and why, reference pose, facing, unit, ground, clips, issues',
    isReadOnly: true,
    args: {
      file: FILE,
      nodes: {
        type: { kind: 'flag' },
        text: 'List all nodes with their indices, as bone maps refer to them',
        default: false,
      },
      ...MODEL,
    },
  },
  async ({ file, nodes = false, model }, { step }) => {
    step(`reading ${file}`);
    const opened = await openInput(file, await withModel({}, model));
    await loadDecoders(opened);
    const report = inspectFile(opened, { nodes });
    const { humanoids, skeletons, clips, issues, format } = report;
    const lines = [
      `${report.file}: ${format}, ${skeletons.length} skeletons, ${humanoids.length} humanoid; ${clips.length} clips`,
      ...humanoids.flatMap((humanoid) => humanoidLines(humanoid)),
      ...clips
        .slice(0, MOST_CLIPS)
        .map(({ index, name, duration }) => `clip ${index}: ${name}, ${duration.toFixed(2)} s`),
      ...issueTexts(issues),
    ];
    return { lines, report };
  },
);

const map = defineTool(
  {
    name: 'map',
    description:
      'Finds which joint of a file is which humanoid bone. The map can be written as JSON, edited, and used by retarget and compare as sourceMap or targetMap',
    isReadOnly: false,
    args: {
      file: FILE,
      skeleton: { type: { kind: 'name' }, text: 'Skeleton to use, if several are humanoid' },
      output: { type: { kind: 'output' }, text: 'Also write the map to this .json file' },
      ...FORCE,
    },
  },
  async ({ file, skeleton, output, force = false }, { step }) => {
    if (output !== undefined && !/\.json$/i.test(output))
      throw new OptionError('output', `${output} has another extension; expected .json`);
    step(`reading ${file}`);
    const { map: found, bones, reason, issues } = mapFile(await openInput(file, {}), skeleton);
    const written = found === null ? null : (output ?? null);
    if (found !== null && written !== null) {
      const parts = [new TextEncoder().encode(serializeBoneMap(found))];
      writeFilesSync([{ path: written, parts }], { force, inputs: [file] });
    }
    const nodes = Object.values(found?.bones ?? {});
    const missing = nodes.filter((node) => node === null).length;
    const lines = [
      `${file}: ${nodes.length - missing} bones${missing === 0 ? '' : `; ${missing} required bones are null: write the name or index of a node for each`}`,
      ...(written === null ? [] : [`written to ${written}`]),
      ...(reason === null ? [] : [`not humanoid: ${reason}`]),
      ...issueTexts(issues),
    ];
    return { lines, report: { ok: reason === null, reason, ...found, about: bones, issues, output: written } };
  },
);

/** Returns the options of the table among the arguments of a call. */
function motionValues(values: Readonly<Record<string, unknown>>): Partial<MotionOptions> {
  const names = Object.keys(MOTION_OPTIONS) as MotionOptionName[];
  const found = names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]);
  const options = Object.fromEntries(found) as Partial<MotionOptions>;
  for (const name of Object.keys(options) as MotionOptionName[]) {
    const row: OptionRow = MOTION_OPTIONS[name];
    if (options.contacts === 'off' && row.needsContacts === true && options[name] !== row.default)
      throw new OptionError(name, `${name} has no effect with contacts off; leave out one of them`);
  }
  return options;
}

const MOTION_ARGUMENTS: Readonly<Record<MotionOptionName, Omit<OptionRow, 'in'> & ToolArgument>> = MOTION_OPTIONS;

const retarget = defineTool(
  {
    name: 'retarget',
    description:
      'Puts motions on a character and writes the result. The extension of the output selects the format: .glb, .gltf, .vrm, .vrma, .fbx, .bvh, .usdz …',
    isReadOnly: false,
    args: {
      motions: { type: { kind: 'inputs', most: 200 }, text: 'Files with motions', isRequired: true },
      character: { type: { kind: 'input' }, text: 'File with the character; none with "to"' },
      to: {
        type: { kind: 'choice', values: STANDARD_RIG_NAMES },
        text: 'A standard rig in place of a character file',
      },
      output: {
        type: { kind: 'output' },
        text: 'Output file; with {file} or {clip} in the name, one file per motion or clip',
        isRequired: true,
      },
      ...CLIPS,
      name: { type: { kind: 'name' }, text: 'Name of the clip in the output, if it is only one' },
      replace: { type: { kind: 'flag' }, text: "Replace the character's own clips", default: false },
      mesh: {
        type: { kind: 'flag' },
        text: 'Keep meshes and everything else of the character',
        default: true,
        off: "Write only the character's skeleton and the clips",
      },
      vrma: { type: { kind: 'flag' }, text: 'Also write each clip as .vrma beside the output', default: false },
      ...MOTION_ARGUMENTS,
      ...SIDES,
      ...MODEL,
      ...FORCE,
    },
  },
  async (values, { folders, signal, step }) => {
    const { motions, character, to, output, clips = [], name, replace = false, vrma = false, force = false } = values;
    if ((character === undefined) === (to === undefined))
      throw new OptionError(
        'character',
        `There is ${to === undefined ? 'neither character nor to' : 'character and to'}; name one of them`,
      );
    outputFormat(output);
    const options = jobOptionsOf(motionValues(values));
    const input = await withModel({}, values.model);
    const inputs: string[] = [];
    const opened = (file: OpenFile): OpenFile => {
      inputs.push(...inputsOf([file]));
      return file;
    };
    const write = (files: readonly OutputFile[], unread: readonly string[] = []): void => {
      const confined = files.map((file) => ({ ...file, path: outputPath(folders, 'output', file.path) }));
      writeFilesSync(confined, { force, inputs, unread });
    };
    const sides = await sidesOf(values, input);
    let target: OpenFile;
    if (character === undefined) target = createStandardRig(to as NonNullable<typeof to>);
    else {
      step(`reading ${character}`);
      target = opened(await openCharacter(character, input));
    }
    const played = playedOn(target, input);
    const files = motions.map((path) => ({
      name: path,
      open: async () => opened(await openInput(path, played, { wantsClip: clipFilter(clips) })),
    }));
    const job = {
      output,
      clips,
      ...(name === undefined ? {} : { name }),
      replace,
      mesh: character !== undefined && values.mesh !== false,
      vrma,
      ...options,
      ...sides,
      signal,
      onProgress: (progress: Parameters<typeof progressText>[0]) => step(progressText(progress)),
    };
    const run = {
      write: (made: readonly OutputFile[], next: number) => write(made, motions.slice(next)),
      leavesOut: motions.length > 1,
    };
    const { report, outputs } = await blame(character ?? `rig ${to}`, () => retargetMotions(files, target, job, run));
    if (outputs.length > 0) write(outputs);
    const lines = [
      report.output === null ? 'Nothing was written.' : `written: ${report.files.join(', ')}`,
      ...report.clips.slice(0, MOST_CLIPS).map((clip) => `clip ${clip.name}: ${clip.duration.toFixed(2)} s`),
      ...issueTexts(report.issues),
    ];
    return { lines, report };
  },
);

const compare = defineTool(
  {
    name: 'compare',
    description:
      'Compares a motion with its retargeted result in figures and gives a verdict: limbs, feet, ground, smoothness, speed. With output, also writes a page with pictures',
    isReadOnly: false,
    args: {
      source: { ...FILE, text: 'File with the motion' },
      result: { ...FILE, text: 'File with the retargeted clips and their character' },
      with: { type: { kind: 'input' }, text: 'Another result, such as that of another program' },
      output: { type: { kind: 'output' }, text: 'Also write a page with figures, contact sheets and charts: .html' },
      ...CLIPS,
      ...SIDES,
      ...FORCE,
    },
  },
  async (values, { signal, step }) => {
    const { source, result, with: other, output, clips = [], force = false } = values;
    if (output !== undefined && !/\.html?$/i.test(output))
      throw new OptionError('output', `${output} has another extension; expected .html`);
    const open = (path: string): Promise<OpenFile> => {
      step(`reading ${path}`);
      return openInput(path, {});
    };
    const { report, html } = await compareFiles(await open(source), await open(result), {
      clips,
      ...(await sidesOf(values, {})),
      ...(other === undefined ? {} : { with: await open(other) }),
      onClip: (clip) => step(`measuring ${clip}`),
    });
    signal.throwIfAborted();
    const written = html === null ? null : (output ?? null);
    if (written !== null && html !== null) {
      const inputs = [source, result, ...(other === undefined ? [] : [other])];
      writeFilesSync([{ path: written, parts: [new TextEncoder().encode(html)] }], { force, inputs });
    }
    const lines = report.clips.flatMap(({ name, columns }) => {
      const verdict = columns.result?.verdict;
      if (verdict === undefined) return [`${name}: no figures`];
      return [`${name}: ${LEVEL_WORDS[verdict.level]}`, ...verdict.findings.map(({ message }) => `  ${message}`)];
    });
    if (report.clips.length === 0)
      lines.push('Nothing was compared: no clip of the result belongs to one of the source.');
    if (written !== null) lines.push(`written to ${written}`);
    return { lines: [...lines, ...issueTexts(report.issues)], report: { ...report, output: written } };
  },
);

const preview = defineTool(
  {
    name: 'preview',
    description:
      'Draws a contact sheet and returns it as a PNG: poses and clips of one file as stick figures, or two files side by side. Look at it to judge a result',
    isReadOnly: false,
    args: {
      files: { type: { kind: 'inputs', most: 2 }, text: 'One file, or two to compare', isRequired: true },
      clips: {
        type: { kind: 'names' },
        text: `Only these clips, by name or index; by default the poses and up to ${MOST_CLIPS} clips`,
      },
      frames: { type: { kind: 'count', most: MOST_COLUMNS }, text: 'Moments per clip; 8 by default' },
      view: {
        type: { kind: 'choice', values: ['front', 'side', 'both'] },
        text: 'View of the figures; both by default',
      },
      pose: {
        type: { kind: 'choice', values: ['reference', 'bind', 'node', 'all'] },
        text: 'Draw this pose in large instead of clips: reference is the T-pose that motion is measured from',
      },
      names: { type: { kind: 'choice', values: ['bones', 'nodes'] }, text: 'Label the large pose with these names' },
      surface: { type: { kind: 'flag' }, text: 'Draw the skin that contacts keep on the ground', default: false },
      output: { type: { kind: 'output' }, text: 'Also write the picture to this .png or .svg file' },
      ...MODEL,
      ...FORCE,
    },
  },
  async (values, { signal, step }) => {
    const { files, clips = [], frames, view, pose, names, surface = false, output, model, force = false } = values;
    const format = output === undefined ? null : imageFormat(output);
    const input = await withModel({}, model);
    const opened: OpenFile[] = [];
    for (const [k, path] of files.entries()) {
      step(`reading ${path}`);
      const file = await openInput(path, input, { wantsClip: clipsToDraw(k, files.length, clips) });
      if (surface) await loadDecoders(file);
      opened.push(file);
    }
    const { svg, report } = previewFiles(opened, {
      clips,
      ...(frames === undefined ? {} : { frames }),
      ...(view === undefined ? {} : { view }),
      ...(pose === undefined ? {} : { pose }),
      ...(names === undefined ? {} : { names }),
      surface,
      onRow: (file, what) => step(`drawing ${what} of ${file}`),
    });
    if (svg === null)
      return { lines: ['Nothing was drawn.', ...issueTexts(report.issues)], report: { ...report, output: null } };
    const { png, width, height, hasText } = await svgToPng(svg);
    signal.throwIfAborted();
    if (output !== undefined) {
      const bytes = format === 'svg' ? new TextEncoder().encode(svg) : png;
      writeFilesSync([{ path: output, parts: [bytes] }], { force, inputs: files });
    }
    const lines = [
      `${report.rows.length} rows, ${width} × ${height} pixels${output === undefined ? '' : `, written to ${output}`}`,
      ...(hasText ? [] : ['The picture has no text because the system has no fonts.']),
      ...issueTexts(report.issues),
    ];
    return { lines, report: { ...report, output: output ?? null }, png };
  },
);

const validate = defineTool(
  {
    name: 'validate',
    description:
      'Checks a glTF file (GLB, glTF, VRM, VRMA) against glTF 2.0 and EXT_skeleton_humanoid, or an FBX by what engines refuse or change',
    isReadOnly: true,
    args: {
      file: { ...FILE, text: 'GLB, glTF, VRM, VRMA or FBX' },
      strict: { type: { kind: 'flag' }, text: 'Require the 15 bones that VRM requires', default: false },
      requireExtension: {
        type: { kind: 'flag' },
        text: 'Fail where the file does not use EXT_skeleton_humanoid',
        default: false,
      },
    },
  },
  async ({ file, strict = false, requireExtension = false }, { signal, step }) => {
    step(`validating ${file}`);
    const readResource = resourceReader(file);
    const report = await blame(file, () =>
      validateFile(readInputSync(file), { name: file, readResource, strict, requireExtension, signal }),
    );
    const what = `${report.isValid ? 'valid' : 'not valid'}, ${report.hasExtension ? 'with' : 'without'} EXT_skeleton_humanoid`;
    return { lines: [`${file}: ${what}`, ...issueTexts(report.issues)], report };
  },
);

export const TOOLS: readonly Tool[] = [inspect, map, retarget, compare, preview, validate];
