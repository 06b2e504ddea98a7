import { defineCommand } from 'citty';
import { type ExtractMotionsOptions, extractFormat, extractMotions } from '../../files/extract-motions.ts';
import { EDIT_FLAGS, readEdits } from '../edit-flags.ts';
import { ASSET_FLAGS, INPUT_FORMATS } from '../input-flags.ts';
import { OUTPUT_FLAGS } from '../output-flags.ts';
import { POSE_CHOICES, readBodyOptions, readFrameRate, readInputOptions } from '../read-options.ts';
import type { CommandData, CommandModule } from '../run.ts';
import { JOB_FLAGS, openMotions, runFileJob } from '../run-file-job.ts';
import { showExtract } from '../show-extract.ts';
import { UsageError } from '../usage-error.ts';

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
    ...ASSET_FLAGS,
    ...JOB_FLAGS,
  },
  run: async ({ args, data }) => {
    const { io, values } = data as CommandData;
    const motions = args._;
    if (motions.length === 0) throw new UsageError('Which motions? anyrig extract walk.fbx run.bvh -o clips.glb');
    extractFormat(args.out);
    const input = readInputOptions(args['asset-root']);
    const options: ExtractMotionsOptions = {
      output: args.out,
      clips: values.get('clip') ?? [],
      ...(args.name === undefined ? {} : { name: args.name }),
      ...(args.fps === undefined ? {} : { fps: readFrameRate(args.fps) }),
      edits: readEdits(args),
      source: await readBodyOptions({ map: args.map, skeleton: args.skeleton, pose: args.pose }, input),
    };
    return runFileJob(
      {
        output: options.output,
        flags: args,
        open: (step) => openMotions(motions, options.clips ?? [], input, step),
        run: (files, step) =>
          extractMotions(files, { ...options, onClip: (file, clip) => step(`extracting ${clip} of ${file}`) }),
        show: showExtract,
      },
      io,
    );
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig extract walk.fbx run.bvh idle.vrma -o clips.glb', 'a library of three motions, without bodies'],
  ['anyrig retarget clips.glb avatar.glb -o out.glb --clip walk', 'and one of them on a character'],
  ['anyrig extract pack.glb -o "clips/{clip}.glb" --loop --reduce 0.5', 'a file a clip, looped, with fewer keys'],
  ['anyrig extract clips.glb more.glb -o all.glb --name "{file}/{clip}"', 'two libraries in one'],
];

export const repeatable: CommandModule['repeatable'] = ['clip'];
