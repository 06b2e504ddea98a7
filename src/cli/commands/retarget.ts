/** `anyrig retarget`. */
import { defineCommand } from 'citty';
import { CHARACTER_FORMATS, listFormats, MOTION_FORMATS } from '../../files/detect.ts';
import { type RetargetMotionsOptions, retargetMotions } from '../../files/jobs/retarget-motions.ts';
import { outputFormat } from '../../files/outputs/output-format.ts';
import type { CommandData, CommandModule } from '../command.ts';
import { UsageError } from '../errors/cli-errors.ts';
import { EDIT_FLAGS, readEdits } from '../flags/edit-flags.ts';
import { ASSET_FLAGS, INPUT_FORMATS } from '../flags/input-flags.ts';
import { OUTPUT_FLAGS } from '../flags/output-flags.ts';
import {
  POSE_CHOICES,
  readContacts,
  readFrameRate,
  readHipsScale,
  readHumanoidOptions,
  readInputOptions,
} from '../flags/read-options.ts';
import { blame, openCharacter } from '../open-input.ts';
import { JOB_FLAGS, openMotions, runFileJob } from '../run-file-job.ts';
import { showRetarget } from '../show/job-reports.ts';

/** Definition of the command. */
export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig retarget',
    description: 'Put motions on a character. The last file is the character; the others are motions',
  },
  args: {
    motion: { type: 'positional', description: `One or more files with motions: ${INPUT_FORMATS}` },
    character: {
      type: 'positional',
      description: `File with the character: ${listFormats(CHARACTER_FORMATS, 'or')}; to write only the motion, also ${listFormats(MOTION_FORMATS, 'or')}`,
    },
    ...OUTPUT_FLAGS,
    name: {
      type: 'string',
      valueHint: 'TEMPLATE',
      description: 'Names of the clips; {clip} {file} {character} {index} are replaced',
    },
    ...EDIT_FLAGS,
    replace: { type: 'boolean', description: "Replace the character's own clips" },
    mesh: {
      type: 'boolean',
      default: true,
      description: 'Keep meshes and everything else of the character',
      negativeDescription: "Write only the character's skeleton and the clips",
    },
    face: {
      type: 'boolean',
      default: true,
      description: 'Retarget expressions, morph weights and look-at by meaning',
      negativeDescription: 'Transfer only morph weights of nodes and targets with equal names',
    },
    'hips-scale': {
      type: 'string',
      valueHint: 'SCALE',
      description: 'Scale of hips translation: auto (ratio of the hips heights), none (1), or a factor',
    },
    contacts: {
      type: 'string',
      valueHint: 'MODE',
      description:
        'Contacts with the ground: auto (as the motion has them), lock (planted feet do not move), ground (only nothing below the floor), off (rotations exactly those of the motion)',
    },
    distribute: {
      type: 'boolean',
      description: 'Distribute rotations of trunk and fingers over the joints between the bones, as in long spines',
    },
    twist: {
      type: 'boolean',
      default: true,
      description: 'Rotate twist joints of arms and legs by their position along the limb',
      negativeDescription: 'Keep twist joints of arms and legs in their rest pose',
    },
    'source-map': {
      type: 'string',
      valueHint: 'FILE',
      description: 'Bone map of the motions, from "anyrig map"',
    },
    'target-map': { type: 'string', valueHint: 'FILE', description: 'Bone map of the character' },
    'source-skeleton': {
      type: 'string',
      valueHint: 'NAME|INDEX',
      description: 'Skeleton of the motions, if there are several',
    },
    'target-skeleton': {
      type: 'string',
      valueHint: 'NAME|INDEX',
      description: 'Skeleton of the character, if there are several',
    },
    'source-pose': {
      type: 'string',
      valueHint: 'POSE',
      description: `Reference pose of the motions: ${POSE_CHOICES}`,
    },
    'target-pose': {
      type: 'string',
      valueHint: 'POSE',
      description: 'Reference pose of the character; same values',
    },
    ...ASSET_FLAGS,
    ...JOB_FLAGS,
  },
  run: async ({ args, data }) => {
    const { io, values } = data as CommandData;
    const files = args._;
    if (files.length < 2)
      throw new UsageError(
        'Expected at least one motion and a character. Example: anyrig retarget walk.glb avatar.vrm -o out.vrm',
      );
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
      contacts: readContacts(args.contacts ?? 'auto'),
      channels: { hipsScale, distribute: args.distribute === true, twist: args.twist },
      edits: readEdits(args),
      source: await readHumanoidOptions(
        { map: args['source-map'], skeleton: args['source-skeleton'], pose: args['source-pose'] },
        input,
      ),
      target: await readHumanoidOptions(
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

/** Command lines for the help. */
export const examples: CommandModule['examples'] = [
  ['anyrig retarget walk.glb avatar.vrm -o out.vrm', 'add the walk to the avatar'],
  [
    'anyrig retarget idle.vrma walk.bvh run.glb avatar.glb -o out.glb --replace',
    "three motions replace the character's own clips",
  ],
  ['anyrig retarget pack.glb avatar.glb -o out.glb --clip Walk --clip 3 --name "{file}/{clip}"', 'two clips, renamed'],
  [
    'anyrig retarget walk.bvh avatar.glb -o walk.glb --no-mesh --fps 30',
    'only skeleton and motion, at 30 keys per second',
  ],
  ['anyrig retarget mocap.bvh avatar.glb -o out.glb --contacts lock', 'planted feet do not slide at all'],
  ['anyrig retarget walk.fbx character.usdz -o out.usdz', 'a USD character keeps everything it has'],
  [
    'anyrig retarget walk.fbx avatar.vrm -o walk.vrma --mirror --reduce 0.5',
    'mirrored, with fewer keys, for VRM players',
  ],
];

/** Flags that may occur several times. */
export const repeatable: CommandModule['repeatable'] = ['clip'];
