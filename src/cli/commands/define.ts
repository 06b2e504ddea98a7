import { defineCommand } from 'citty';
import { CHARACTER_FORMATS, listFormats } from '../../files/detect.ts';
import type { DefineOptions, DefineResult } from '../../files/jobs/define-humanoid.ts';
import { outputFormat } from '../../files/outputs/output-format.ts';
import type { CommandData, CommandModule } from '../command.ts';
import { ASSET_FLAGS } from '../flags/input-flags.ts';
import { BONE_FLAGS } from '../flags/motion-flags.ts';
import { requirePositionals } from '../flags/positionals.ts';
import { readHumanoidOptions, readInputOptions } from '../flags/read-options.ts';
import { blame, openInput } from '../open-input.ts';
import { JOB_FLAGS, type RunningJob, runJob } from '../run-job.ts';
import { showDefine } from '../show/job-reports.ts';

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig define',
    description: 'Write the bone map into a character (EXT_skeleton_humanoid)',
  },
  args: {
    file: { type: 'positional', description: `A ${listFormats(CHARACTER_FORMATS, 'or')} character` },
    out: {
      type: 'string',
      alias: 'o',
      required: true,
      valueHint: 'FILE',
      description: 'Output: .glb or .gltf; .vrm for a VRM',
    },
    axes: {
      type: 'boolean',
      description: 'Give the bones the canonical axes of the extension; the character looks the same',
    },
    't-pose': {
      type: 'boolean',
      description: 'Bake the T-pose of the extension into the character as its rest and bind pose',
    },
    strict: { type: 'boolean', description: 'With --t-pose: also straighten spine and neck' },
    ...BONE_FLAGS,
    skeleton: { ...BONE_FLAGS.skeleton, description: 'Skeleton to use, if several are humanoid' },
    ...ASSET_FLAGS,
    ...JOB_FLAGS,
  },
  run: async ({ args, data }) => {
    const { io } = data as CommandData;
    const [path] = requirePositionals(args._, ['file']);
    outputFormat(args.out);
    const input = readInputOptions(args['asset-root']);
    const options: DefineOptions = {
      output: args.out,
      axes: args.axes === true,
      tPose: args['t-pose'] === true,
      strict: args.strict === true,
      humanoid: await readHumanoidOptions(args, input),
    };
    const run = async ({ step, opened }: RunningJob): Promise<DefineResult> => {
      step(`reading ${path}`);
      const file = opened(await openInput(path, input));
      step(`writing ${args.out}`);
      const { defineHumanoid } = await import('../../files/jobs/define-humanoid.ts');
      return blame(path, () => defineHumanoid(file, options));
    };
    return runJob(args, io, run, showDefine);
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig define hero.glb -o defined.glb', 'declare the bones and change nothing else'],
  ['anyrig define hero.glb -o conforming.glb --axes --t-pose', 'follow every rule of the extension'],
  ['anyrig define avatar.vrm -o avatar-ext.vrm', 'a VRM with both definitions'],
];

export const repeatable: CommandModule['repeatable'] = [];
