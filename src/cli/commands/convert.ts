import { defineCommand } from 'citty';
import { type ConvertOptions, convertFile } from '../../files/convert-file.ts';
import type { OpenFile } from '../../files/open.ts';
import { outputFormat } from '../../files/output-format.ts';
import { EDIT_FLAGS, readEdits } from '../edit-flags.ts';
import { ASSET_FLAGS, INPUT_FILE } from '../input-flags.ts';
import { OUTPUT_FLAGS } from '../output-flags.ts';
import { positionals } from '../positionals.ts';
import { POSE_CHOICES, readBodyOptions, readFrameRate, readInputOptions } from '../read-options.ts';
import type { CommandData, CommandModule } from '../run.ts';
import { JOB_FLAGS, runJobOnFile } from '../run-file-job.ts';
import { showConvert } from '../show-convert.ts';

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig convert',
    description: 'Write a file in another format, or its clips edited; glTF stays whole as glTF, USD as USD',
  },
  args: {
    file: INPUT_FILE,
    ...OUTPUT_FLAGS,
    name: { type: 'string', valueHint: 'TEMPLATE', description: 'Names of the clips, with {clip} {file} {index}' },
    ...EDIT_FLAGS,
    mesh: {
      type: 'boolean',
      default: true,
      description: 'Keep everything that the file has',
      negativeDescription: 'Write only the skeleton and the clips',
    },
    face: {
      type: 'boolean',
      default: true,
      description: 'Put expressions, named morph weights and the gaze into a .vrma',
      negativeDescription: 'Leave the face out of a .vrma',
    },
    map: { type: 'string', valueHint: 'FILE', description: 'Bone map of the file, as "anyrig map" writes it' },
    skeleton: { type: 'string', valueHint: 'NAME|INDEX', description: 'Which skeleton, when there are several' },
    pose: {
      type: 'string',
      valueHint: 'POSE',
      description: `Reference pose: ${POSE_CHOICES}`,
    },
    ...ASSET_FLAGS,
    ...JOB_FLAGS,
  },
  run: async ({ args, data }) => {
    const { io, values } = data as CommandData;
    const [path] = positionals(args._, ['file']);
    outputFormat(args.out);
    const input = readInputOptions(args['asset-root']);
    const options: ConvertOptions = {
      output: args.out,
      clips: values.get('clip') ?? [],
      ...(args.name === undefined ? {} : { name: args.name }),
      ...(args.fps === undefined ? {} : { fps: readFrameRate(args.fps) }),
      edits: readEdits(args),
      mesh: args.mesh,
      face: args.face,
      body: await readBodyOptions({ map: args.map, skeleton: args.skeleton, pose: args.pose }, input),
    };
    const run = (file: OpenFile): ReturnType<typeof convertFile> => convertFile(file, options);
    return runJobOnFile(path, input, { output: args.out, flags: args, run, show: showConvert }, io);
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig convert walk.fbx -o walk.vrma', 'a Mixamo motion as a VRM Animation'],
  [
    'anyrig convert dance.bvh -o dance.glb --trim 2:8 --loop',
    'six seconds of mocap as a loop, in meters and facing +Z',
  ],
  ['anyrig convert pack.glb -o "clips/{clip}.bvh" --fps 30', 'every clip of a file as a BVH of its own'],
  ['anyrig convert avatar.glb -o avatar.usdz', 'a character as USD, with all its clips'],
  ['anyrig convert shots/10/shot.usda -o hero.glb --asset-root .', 'a scene that names ../../chars/hero.usda'],
  ['anyrig convert avatar.gltf -o avatar.glb', 'another container, nothing else changed'],
];

export const repeatable: CommandModule['repeatable'] = ['clip'];
