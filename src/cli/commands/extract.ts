import { defineCommand } from 'citty';
import {
  type ExtractMotionsOptions,
  type ExtractMotionsResult,
  extractFormat,
  extractMotions,
} from '../../files/jobs/extract-motions.ts';
import type { CommandData, CommandModule } from '../command.ts';
import { UsageError } from '../errors/cli-errors.ts';
import { ASSET_FLAGS, MODEL_FLAG, MOTION_FILES } from '../flags/input-flags.ts';
import { SEVERAL } from '../flags/labels.ts';
import { BONE_FLAGS, EDIT_FLAGS, OPEN_FLAGS, readEditOptions, readInput, SIDE_FLAGS } from '../flags/motion-flags.ts';
import { OUTPUT_FLAGS } from '../flags/output-flags.ts';
import { readHumanoidOptions } from '../flags/read-options.ts';
import { findMotions, JOB_FLAGS, motionsOf, type RunningJob, runJob } from '../run-job.ts';
import { showExtract } from '../show/job-reports.ts';

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig extract',
    description:
      'Write a library of clips per humanoid bone, independent of any skeleton (EXT_skeleton_humanoid), for "anyrig retarget"',
  },
  args: {
    motion: { type: 'positional', valueHint: SEVERAL, description: MOTION_FILES },
    ...OUTPUT_FLAGS,
    out: { ...OUTPUT_FLAGS.out, description: 'Output, .glb or .gltf. Include {clip} to write one file per clip' },
    ...EDIT_FLAGS,
    ...BONE_FLAGS,
    map: SIDE_FLAGS['source-map'],
    pose: SIDE_FLAGS['source-pose'],
    ...OPEN_FLAGS,
    ...MODEL_FLAG,
    ...ASSET_FLAGS,
    ...JOB_FLAGS,
  },
  run: async ({ args, data }) => {
    const { io, values } = data as CommandData;
    const motions = args._;
    if (motions.length === 0)
      throw new UsageError('No motion file is named. Example: anyrig extract walk.fbx run.bvh -o clips.glb');
    extractFormat(args.out);
    const input = await readInput(args, values);
    const options: ExtractMotionsOptions = {
      output: args.out,
      clips: values.get('clip') ?? [],
      ...(args.name === undefined ? {} : { name: args.name }),
      ...readEditOptions(args, values),
      source: await readHumanoidOptions(args, input),
    };
    const paths = await findMotions(motions, options.output, null, io);
    const run = async (job: RunningJob): Promise<ExtractMotionsResult> => {
      const [inputs, how] = motionsOf(paths, options.clips ?? [], input, job);
      return extractMotions(inputs, { ...options, onProgress: job.onProgress }, how);
    };
    return runJob(args, io, run, showExtract);
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig extract walk.fbx run.bvh idle.vrma -o clips.glb', 'a library of three motions'],
  ['anyrig retarget clips.glb avatar.glb -o out.glb --clip walk', 'put one of them on a character'],
  ['anyrig extract pack.glb -o "clips/{clip}.glb" --loop --reduce 0.5', 'one file per clip, looped, with fewer keys'],
  ['anyrig extract clips.glb more.glb -o all.glb --name "{file}/{clip}"', 'merge two libraries'],
];

export const repeatable: CommandModule['repeatable'] = ['clip'];
