import { defineCommand } from 'citty';
import type { DefineOptions, DefineResult } from '../../files/define-humanoid.ts';
import { CHARACTER_FORMATS, listFormats } from '../../files/detect.ts';
import type { OpenFile } from '../../files/open.ts';
import { outputFormat } from '../../files/output-format.ts';
import { ASSET_FLAGS } from '../input-flags.ts';
import { positionals } from '../positionals.ts';
import { POSE_CHOICES, readBodyOptions, readInputOptions } from '../read-options.ts';
import type { CommandData, CommandModule } from '../run.ts';
import { JOB_FLAGS, runJobOnFile } from '../run-file-job.ts';
import { showDefine } from '../show-define.ts';

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig define',
    description: 'Write which node is which bone into a character (EXT_skeleton_humanoid)',
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
    axes: { type: 'boolean', description: "Give the bones the extension's axes; nothing looks different" },
    't-pose': { type: 'boolean', description: 'Re-bake the character into the T-pose of the extension' },
    strict: { type: 'boolean', description: 'With --t-pose: straighten spine and neck too' },
    map: { type: 'string', valueHint: 'FILE', description: 'Bone map of the file, as "anyrig map" writes it' },
    skeleton: { type: 'string', valueHint: 'NAME|INDEX', description: 'Which skeleton, when several are humanoid' },
    pose: {
      type: 'string',
      valueHint: 'POSE',
      description: `Reference pose: ${POSE_CHOICES}`,
    },
    ...ASSET_FLAGS,
    ...JOB_FLAGS,
  },
  run: async ({ args, data }) => {
    const { io } = data as CommandData;
    const [path] = positionals(args._, ['file']);
    outputFormat(args.out);
    const input = readInputOptions(args['asset-root']);
    const options: DefineOptions = {
      output: args.out,
      axes: args.axes === true,
      tPose: args['t-pose'] === true,
      strict: args.strict === true,
      body: await readBodyOptions({ map: args.map, skeleton: args.skeleton, pose: args.pose }, input),
    };
    const run = async (file: OpenFile): Promise<DefineResult> => {
      const { defineHumanoid } = await import('../../files/define-humanoid.ts');
      return defineHumanoid(file, options);
    };
    return runJobOnFile(path, input, { output: args.out, flags: args, run, show: showDefine }, io);
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig define hero.glb -o defined.glb', 'name the bones, change nothing else'],
  ['anyrig define hero.glb -o conforming.glb --axes --t-pose', 'obey every rule of the extension'],
  ['anyrig define avatar.vrm -o avatar-ext.vrm', 'a VRM that has both definitions'],
];

export const repeatable: CommandModule['repeatable'] = [];
