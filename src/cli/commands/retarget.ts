import { defineCommand } from 'citty';
import { STANDARD_RIG_NAMES } from '../../core/humanoid/rigs/rig-names.ts';
import { FormatError } from '../../core/report/format-error.ts';
import { CHARACTER_FORMATS, listFormats, MOTION_FORMATS } from '../../files/detect.ts';
import { type RetargetMotionsOptions, retargetMotions } from '../../files/jobs/retarget-motions.ts';
import { outputFormat } from '../../files/outputs/output-format.ts';
import { createStandardRig } from '../../files/standard-rig.ts';
import type { CommandData, CommandModule } from '../command.ts';
import { InputError, UsageError } from '../errors/cli-errors.ts';
import { explainCharacter, explainMotions } from '../errors/explain-roles.ts';
import { ASSET_FLAGS, MODEL_FLAG, MOTION_FILES, readRig, VERTEX_FLAGS } from '../flags/input-flags.ts';
import { SEVERAL } from '../flags/labels.ts';
import {
  EDIT_FLAGS,
  OPEN_FLAGS,
  PRESET_FLAG,
  RETARGET_FLAGS,
  readInput,
  readRetargetOptions,
  SIDE_FLAGS,
} from '../flags/motion-flags.ts';
import { OUTPUT_FLAGS } from '../flags/output-flags.ts';
import { expandSingleInput } from '../inputs/expand-inputs.ts';
import { openCharacter, playedOn } from '../open-input.ts';
import { findMotions, JOB_FLAGS, motionsOf, runJob } from '../run-job.ts';
import { showRetarget } from '../show/job-reports.ts';

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig retarget',
    description: 'Put motions on a character. The last file is the character; the others are motions',
  },
  args: {
    motion: { type: 'positional', valueHint: SEVERAL, description: MOTION_FILES },
    character: {
      type: 'positional',
      required: false,
      description: `File with the character: ${listFormats(CHARACTER_FORMATS, 'or')}; to write only the motion, also ${listFormats(MOTION_FORMATS, 'or')}. None with --to`,
    },
    to: {
      type: 'string',
      valueHint: 'RIG',
      description: `A standard rig in place of a character file; all files are motions: ${STANDARD_RIG_NAMES.join(', ')}`,
    },
    ...OUTPUT_FLAGS,
    ...EDIT_FLAGS,
    replace: { type: 'boolean', group: 'output', description: "Replace the character's own clips" },
    mesh: {
      type: 'boolean',
      group: 'output',
      default: true,
      description: 'Keep meshes and everything else of the character',
      negativeDescription: "Write only the character's skeleton and the clips",
    },
    vrma: {
      type: 'boolean',
      group: 'output',
      description: 'Also write each clip as .vrma beside the output; VRM players play these',
    },
    ...RETARGET_FLAGS,
    ...SIDE_FLAGS,
    ...PRESET_FLAG,
    ...OPEN_FLAGS,
    ...MODEL_FLAG,
    ...ASSET_FLAGS,
    ...VERTEX_FLAGS,
    ...JOB_FLAGS,
  },
  run: async ({ args, rawArgs, data }) => {
    const { io, values } = data as CommandData;
    const files = args._;
    const rig = args.to === undefined ? null : readRig(args.to);
    if (files.length < (rig === null ? 2 : 1))
      throw new UsageError(
        rig === null
          ? 'Expected at least one motion and a character. Example: anyrig retarget walk.glb hero.glb -o out.glb'
          : `Expected at least one motion. Example: anyrig retarget walk.bvh --to ${rig} -o walk.glb`,
      );
    outputFormat(args.out);
    const input = await readInput(args, values);
    const motions = rig === null ? files.slice(0, -1) : files;
    const character = rig === null ? expandSingleInput(files[motions.length]) : null;
    const options: RetargetMotionsOptions = {
      output: args.out,
      clips: values.get('clip') ?? [],
      ...(args.name === undefined ? {} : { name: args.name }),
      replace: args.replace === true,
      mesh: rig === null && args.mesh,
      vrma: args.vrma === true,
      ...(await readRetargetOptions(args, values, input)),
    };
    const paths = await findMotions(motions, options.output, character, io);
    const hints = { motions, character: character ?? '', rawArgs, input, io };
    return runJob(
      args,
      io,
      async (job) => {
        if (character !== null) job.step(`reading ${character}`);
        const target =
          rig === null ? job.opened(await openCharacter(character as string, input)) : createStandardRig(rig);
        const [inputs, run] = motionsOf(paths, options.clips ?? [], playedOn(target, input), job);
        try {
          return await retargetMotions(inputs, target, { ...options, onProgress: job.onProgress }, run);
        } catch (error) {
          if (character === null) throw error;
          const explained = await explainCharacter(error, hints);
          throw explained instanceof FormatError ? new InputError(character, explained) : explained;
        }
      },
      async (report, _, isVerbose) => {
        const isUnexplained =
          character !== null && report.output === null && report.issues.every(({ severity }) => severity !== 'error');
        return showRetarget(report, io, isVerbose, isUnexplained ? await explainMotions(hints) : null);
      },
    );
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig retarget walk.fbx hero.glb -o hero-walks.glb', 'add the walk to the character'],
  ['anyrig retarget walk.fbx avatar.vrm -o walk.vrma', 'a VRM Animation, for VRM players'],
  ['anyrig retarget walk.fbx avatar.vrm -o out.vrm --vrma', 'the avatar with the walk inside, and out.vrma'],
  ['anyrig retarget walk.bvh --to ue5 -o walk.glb', "on the skeleton of Unreal's Manny, without a character file"],
  ['anyrig retarget walk.fbx hero.glb -o out.glb --names mixamo', "joints get Mixamo's names"],
  [
    'anyrig retarget idle.vrma walk.bvh run.glb avatar.glb -o out.glb --replace',
    "three motions replace the character's own clips",
  ],
  ['anyrig retarget motions avatar.vrm -o "out/{file}.vrma"', 'all motions of a folder, one file each'],
  ['anyrig retarget pack.glb hero.glb -o out.glb --clip Walk --clip 3', 'two clips of many, by name and index'],
  [
    'anyrig retarget walk.bvh avatar.glb -o walk.glb --no-mesh --fps 30',
    'only skeleton and motion, at 30 keys per second',
  ],
  ['anyrig retarget fight.glb hero.glb -o out.glb --extra "Weapon.R=sword"', 'the sword moves as the weapon does'],
  ['anyrig retarget mocap.bvh avatar.glb -o out.glb --contacts lock', 'planted feet do not slide at all'],
  ['anyrig retarget walk.fbx stout.glb -o out.glb --arm-space auto', 'arms further from a wide character'],
  ['anyrig retarget clap.glb stout.glb -o out.glb --hands off', 'hands stay where the rotations put them'],
  ['anyrig retarget a.bvh b.bvh hero.glb -o duo.glb --together', 'two people of one take: places and hands stay'],
  ['anyrig retarget dance.vmd avatar.vrm -o dance.vrma', 'a dance of MMD'],
  ['anyrig retarget dance.vmd avatar.vrm -o dance.vrma --model miku.pmx', 'on the model that it was made for'],
  ['anyrig retarget walk.fbx character.usdz -o out.usdz', 'a USD character keeps everything it has'],
  ['anyrig retarget walk.fbx hero.glb -o out.glb --mirror --reduce 0.5', 'mirrored, with fewer keys'],
];

export const repeatable: CommandModule['repeatable'] = ['clip'];
