import { defineCommand } from 'citty';
import { type ExtractMotionsOptions, extractFormat, extractMotions } from '../../files/extract-motions.ts';
import type { OpenFile } from '../../files/open.ts';
import type { ExtractReport } from '../../files/retarget-report.ts';
import { writeFiles } from '../../files/write-files.ts';
import { clipFilter } from '../clip-filter.ts';
import { EDIT_FLAGS, readEdits } from '../edit-flags.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { INPUT_FORMATS } from '../input-flags.ts';
import type { Io } from '../io.ts';
import { inputsOf, openInput } from '../open-input.ts';
import { OUTPUT_FLAGS } from '../output-flags.ts';
import { startProgress } from '../progress.ts';
import { POSE_CHOICES, readBodyOptions, readFrameRate } from '../read-options.ts';
import type { CommandData, CommandModule } from '../run.ts';
import { showExtract } from '../show-extract.ts';
import { UsageError } from '../usage-error.ts';
import { writeLines } from '../write-lines.ts';

async function extract(
  motions: readonly string[],
  options: ExtractMotionsOptions,
  { force, isJson }: { force: boolean; isJson: boolean },
  io: Io,
): Promise<ExitCode> {
  const progress = startProgress(io);
  let report: ExtractReport;
  try {
    const opened: OpenFile[] = [];
    for (const path of motions) {
      progress.step(`reading ${path}`);
      opened.push(await openInput(path, { wantsClip: clipFilter(options.clips ?? []) }));
    }
    const result = await extractMotions(opened, {
      ...options,
      onClip: (file, clip) => progress.step(`extracting ${clip} of ${file}`),
    });
    report = result.report;
    if (result.outputs.length > 0) {
      progress.step(`writing ${options.output}`);
      writeFiles(result.outputs, { force, inputs: inputsOf(opened) });
    }
  } finally {
    progress.end();
  }
  if (isJson) writeLines(io.stdout, [JSON.stringify(report)]);
  else await showExtract(report, io);
  return report.ok ? EXIT.done : EXIT.nothing;
}

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig extract',
    description:
      'Make a library of clips that belong to no body: motions by bone (EXT_skeleton_humanoid), for "anyrig retarget"',
  },
  args: {
    motion: { type: 'positional', description: `Files with motions, one or more: ${INPUT_FORMATS}` },
    ...OUTPUT_FLAGS,
    out: { ...OUTPUT_FLAGS.out, description: 'Output, .glb or .gltf. With {clip} in it a file a clip' },
    name: { type: 'string', valueHint: 'TEMPLATE', description: 'Names of the clips, with {clip} {file} {index}' },
    ...EDIT_FLAGS,
    map: { type: 'string', valueHint: 'FILE', description: 'Bone map of the motions, as "anyrig map" writes it' },
    skeleton: { type: 'string', valueHint: 'NAME|INDEX', description: 'Which skeleton, when there are several' },
    pose: {
      type: 'string',
      valueHint: 'POSE',
      description: `Reference pose of the motions: ${POSE_CHOICES}`,
    },
    force: { type: 'boolean', description: 'Replace files that exist' },
    json: { type: 'boolean', description: 'Print what was done as JSON' },
  },
  run: async ({ args, data }) => {
    const { io, values } = data as CommandData;
    const motions = args._;
    if (motions.length === 0) throw new UsageError('Which motions? anyrig extract walk.fbx run.bvh -o clips.glb');
    extractFormat(args.out);
    const options: ExtractMotionsOptions = {
      output: args.out,
      clips: values.get('clip') ?? [],
      ...(args.name === undefined ? {} : { name: args.name }),
      ...(args.fps === undefined ? {} : { fps: readFrameRate(args.fps) }),
      edits: readEdits(args),
      source: await readBodyOptions({ map: args.map, skeleton: args.skeleton, pose: args.pose }),
    };
    return extract(motions, options, { force: args.force === true, isJson: args.json === true }, io);
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig extract walk.fbx run.bvh idle.vrma -o clips.glb', 'a library of three motions, without bodies'],
  ['anyrig retarget clips.glb avatar.glb -o out.glb --clip walk', 'and one of them on a character'],
  ['anyrig extract pack.glb -o "clips/{clip}.glb" --loop --reduce 0.5', 'a file a clip, looped, with fewer keys'],
  ['anyrig extract clips.glb more.glb -o all.glb --name "{file}/{clip}"', 'two libraries in one'],
];

export const repeatable: CommandModule['repeatable'] = ['clip'];
