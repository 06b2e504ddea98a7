import { defineCommand } from 'citty';
import { CHARACTER_FORMATS, listFormats, MOTION_FORMATS } from '../../files/detect.ts';
import { outputFormat } from '../../files/output-format.ts';
import { type RetargetMotionsOptions, retargetMotions } from '../../files/retarget-motions.ts';
import { EDIT_FLAGS, readEdits } from '../edit-flags.ts';
import { ASSET_FLAGS, INPUT_FORMATS } from '../input-flags.ts';
import { blame, openCharacter } from '../open-input.ts';
import { OUTPUT_FLAGS } from '../output-flags.ts';
import { POSE_CHOICES, readBodyOptions, readFrameRate, readHipsScale, readInputOptions } from '../read-options.ts';
import type { CommandData, CommandModule } from '../run.ts';
import { JOB_FLAGS, openMotions, runFileJob } from '../run-file-job.ts';
import { showRetarget } from '../show-retarget.ts';
import { UsageError } from '../usage-error.ts';

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig retarget',
    description: 'Put motions on a character. Of the files, the last is the character, all before it are motions',
  },
  args: {
    motion: { type: 'positional', description: `Files with motions, one or more: ${INPUT_FORMATS}` },
    character: {
      type: 'positional',
      description: `File with the character: ${listFormats(CHARACTER_FORMATS, 'or')}; for motions alone also ${listFormats(MOTION_FORMATS, 'or')}`,
    },
    ...OUTPUT_FLAGS,
    name: {
      type: 'string',
      valueHint: 'TEMPLATE',
      description: 'Names of the clips, with {clip} {file} {character} {index}',
    },
    ...EDIT_FLAGS,
    replace: { type: 'boolean', description: 'Put the clips in the place of those that the character has' },
    mesh: {
      type: 'boolean',
      default: true,
      description: 'Keep the whole character',
      negativeDescription: "Write only the character's skeleton and the clips",
    },
    face: {
      type: 'boolean',
      default: true,
      description: 'Carry over expressions, morph weights and the gaze by what they mean',
      negativeDescription: 'Carry over only morph weights of nodes and targets that have the same names',
    },
    'hips-scale': {
      type: 'string',
      valueHint: 'SCALE',
      description: 'How far the hips travel: auto (by the heights of the hips), none (meter for meter), or a factor',
    },
    distribute: {
      type: 'boolean',
      description: 'Spread turns of the trunk and of fingers over joints that lie between the bones, as in long spines',
    },
    twist: {
      type: 'boolean',
      default: true,
      description: 'Turn twist joints of arms and legs by their place on the limb',
      negativeDescription: 'Leave twist joints of arms and legs as they rest',
    },
    'source-map': {
      type: 'string',
      valueHint: 'FILE',
      description: 'Bone map of the motions, as "anyrig map" writes it',
    },
    'target-map': { type: 'string', valueHint: 'FILE', description: 'Bone map of the character' },
    'source-skeleton': { type: 'string', valueHint: 'NAME|INDEX', description: 'Which skeleton of the motions' },
    'target-skeleton': { type: 'string', valueHint: 'NAME|INDEX', description: 'Which skeleton of the character' },
    'source-pose': {
      type: 'string',
      valueHint: 'POSE',
      description: `Reference pose of the motions: ${POSE_CHOICES}`,
    },
    'target-pose': {
      type: 'string',
      valueHint: 'POSE',
      description: 'Reference pose of the character; the same choices',
    },
    ...ASSET_FLAGS,
    ...JOB_FLAGS,
  },
  run: async ({ args, data }) => {
    const { io, values } = data as CommandData;
    const files = args._;
    if (files.length < 2)
      throw new UsageError('A motion and a character are needed: anyrig retarget walk.glb avatar.vrm -o out.vrm');
    outputFormat(args.out);
    const input = readInputOptions(args['asset-root']);
    const motions = files.slice(0, -1);
    const character = files[motions.length];
    const fps = args.fps === undefined ? {} : { fps: readFrameRate(args.fps) };
    const hipsScale = readHipsScale(args['hips-scale'] ?? 'auto');
    const options: RetargetMotionsOptions = {
      ...fps,
      output: args.out,
      clips: values.get('clip') ?? [],
      ...(args.name === undefined ? {} : { name: args.name }),
      replace: args.replace === true,
      mesh: args.mesh,
      face: args.face,
      channels: { hipsScale, distribute: args.distribute === true, twist: args.twist },
      edits: readEdits(args),
      source: await readBodyOptions(
        { map: args['source-map'], skeleton: args['source-skeleton'], pose: args['source-pose'] },
        input,
      ),
      target: await readBodyOptions(
        { map: args['target-map'], skeleton: args['target-skeleton'], pose: args['target-pose'] },
        input,
      ),
    };
    return runFileJob(
      {
        output: options.output,
        flags: args,
        open: async (step) => {
          const opened = await openMotions(motions, options.clips ?? [], input, step);
          step(`reading ${character}`);
          return [...opened, await openCharacter(character, input)];
        },
        run: (opened, step) => {
          const onClip = (file: string, clip: string): void => step(`retargeting ${clip} of ${file}`);
          const target = opened[motions.length];
          return blame(character, () => retargetMotions(opened.slice(0, -1), target, { ...options, onClip }));
        },
        show: showRetarget,
      },
      io,
    );
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig retarget walk.glb avatar.vrm -o out.vrm', 'the main job: the whole avatar, with the walk added'],
  ['anyrig retarget idle.vrma walk.bvh run.glb avatar.glb -o out.glb --replace', 'three motions, in place of its own'],
  ['anyrig retarget pack.glb avatar.glb -o out.glb --clip Walk --clip 3 --name "{file}/{clip}"', 'some clips, renamed'],
  ['anyrig retarget walk.bvh avatar.glb -o walk.glb --no-mesh --fps 30', 'only skeleton and motion, 30 keys a second'],
  ['anyrig retarget walk.fbx character.usdz -o out.usdz', 'a USD character keeps all that it has'],
  [
    'anyrig retarget walk.fbx avatar.vrm -o walk.vrma --mirror --reduce 0.5',
    'mirrored, with fewer keys, for VRM players',
  ],
];

export const repeatable: CommandModule['repeatable'] = ['clip'];
