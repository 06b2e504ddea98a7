import { defineCommand } from 'citty';
import { type ConvertOptions, type ConvertResult, convertFile } from '../../files/jobs/convert-file.ts';
import { type ConvertToVrmOptions, convertToVrm } from '../../files/jobs/convert-to-vrm.ts';
import { readInputSync } from '../../files/node/read-input.ts';
import { outputFormat } from '../../files/outputs/output-format.ts';
import { isObject } from '../../formats/gltf/document/json-access.ts';
import type { CommandData, CommandModule } from '../command.ts';
import { UsageError } from '../errors/cli-errors.ts';
import { ASSET_FLAGS, INPUT_FILE, MODEL_FLAG, VERTEX_FLAGS } from '../flags/input-flags.ts';
import { BONE_FLAGS, CONVERT_FLAGS, OPEN_FLAGS, readConvertOptions, readInput } from '../flags/motion-flags.ts';
import { OUTPUT_FLAGS } from '../flags/output-flags.ts';
import { requirePositionals } from '../flags/positionals.ts';
import { readHumanoidOptions } from '../flags/read-options.ts';
import { blame, openInput } from '../open-input.ts';
import { JOB_FLAGS, type RunningJob, runJob } from '../run-job.ts';
import { showConvert } from '../show/job-reports.ts';

function parseMeta(path: string, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new UsageError(`--meta ${path} is not JSON: ${(error as Error).message}`);
  }
  if (isObject(value)) return value;
  throw new UsageError(`--meta ${path} is not a JSON object; expected {"name": …, "authors": […], "licenseUrl": …}`);
}

/**
 * Reads the flags for VRM outputs. Returns version and metadata; null without `--vrm`. Throws UsageError for another version, metadata without a
 * version, and a file that is not a JSON object.
 */
export async function readVrmOptions(
  version: string | undefined,
  path: string | undefined,
): Promise<Pick<ConvertToVrmOptions, 'vrm' | 'meta'> | null> {
  if (version === undefined) {
    if (path === undefined) return null;
    throw new UsageError('--meta has no effect without --vrm; add --vrm 1');
  }
  if (version !== '0' && version !== '1')
    throw new UsageError(`--vrm is ${JSON.stringify(version)}; expected 1 (VRM 1.0) or 0 (VRM 0.x)`);
  const vrm = version === '1' ? 1 : 0;
  if (path === undefined) return { vrm };
  const bytes = await blame(path, async () => readInputSync(path));
  return { vrm, meta: parseMeta(path, bytes) };
}

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig convert',
    description:
      'Convert a file to another format, or edit its clips; glTF written as glTF and USD written as USD keep everything',
  },
  args: {
    file: INPUT_FILE,
    ...OUTPUT_FLAGS,
    ...CONVERT_FLAGS,
    mesh: {
      type: 'boolean',
      group: 'output',
      default: true,
      description: 'Keep meshes and everything else in the file',
      negativeDescription: 'Write only the skeleton and the clips',
    },
    face: {
      type: 'boolean',
      group: 'character',
      default: true,
      description: 'Write expressions, named morph weights and look-at to a .vrma',
      negativeDescription: 'Leave the face out of a .vrma',
    },
    vrm: {
      type: 'string',
      group: 'output',
      valueHint: '1|0',
      description: 'Write VRM 1.0 or VRM 0.x, of the other version or of a plain character',
    },
    meta: {
      type: 'string',
      group: 'output',
      valueHint: 'FILE',
      description: 'With --vrm: metadata of VRM 1.0 as JSON; required for a new VRM',
    },
    ...BONE_FLAGS,
    ...OPEN_FLAGS,
    ...MODEL_FLAG,
    ...ASSET_FLAGS,
    ...VERTEX_FLAGS,
    ...JOB_FLAGS,
  },
  run: async ({ args, data }) => {
    const { io, values } = data as CommandData;
    const [path] = requirePositionals(args._, ['file']);
    outputFormat(args.out);
    const input = await readInput(args, values);
    const options: ConvertOptions = {
      output: args.out,
      clips: values.get('clip') ?? [],
      ...(args.name === undefined ? {} : { name: args.name }),
      ...readConvertOptions(args, values),
      mesh: args.mesh,
      face: args.face,
      humanoid: await readHumanoidOptions(args, input),
    };
    const vrm = await readVrmOptions(args.vrm, args.meta);
    const run = async ({ step, opened }: RunningJob): Promise<ConvertResult> => {
      step(`reading ${path}`);
      const file = opened(await openInput(path, input));
      step(`writing ${args.out}`);
      return blame(path, () =>
        vrm === null ? convertFile(file, options) : convertToVrm(file, { ...options, ...vrm }),
      );
    };
    return runJob(args, io, run, showConvert);
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig convert walk.fbx -o walk.vrma', 'a Mixamo motion becomes a VRM Animation'],
  [
    'anyrig convert dance.bvh -o dance.glb --trim 2:8 --loop',
    'six seconds of mocap as a loop, in meters and facing +Z',
  ],
  ['anyrig convert pack.glb -o "clips/{clip}.bvh" --fps 30', 'one BVH per clip'],
  ['anyrig convert avatar.glb -o avatar.usdz', 'a character with all its clips becomes USD'],
  ['anyrig convert shots/10/shot.usda -o hero.glb --asset-root .', 'the scene references ../../chars/hero.usda'],
  ['anyrig convert old-avatar.vrm -o new-avatar.vrm --vrm 1', 'VRM 0.x becomes VRM 1.0'],
  ['anyrig convert new-avatar.vrm -o vrm0-avatar.vrm --vrm 0', 'VRM 1.0 becomes VRM 0.x'],
  ['anyrig convert hero.glb -o hero.vrm --vrm 1 --meta meta.json', 'a character becomes a VRM 1.0'],
  ['anyrig convert avatar.gltf -o avatar.glb', 'only the container changes'],
];

export const repeatable: CommandModule['repeatable'] = ['clip'];
