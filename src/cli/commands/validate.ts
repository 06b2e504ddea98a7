import { defineCommand } from 'citty';
import { BONES } from '../../core/humanoid/bones.ts';
import type { ValidationReport } from '../../files/jobs/validate-file.ts';
import { readInputSync, resourceReader } from '../../files/node/read-input.ts';
import type { CommandData, CommandModule } from '../command.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { ASSET_FLAGS } from '../flags/input-flags.ts';
import { requirePositionals } from '../flags/positionals.ts';
import { readInputOptions } from '../flags/read-options.ts';
import { type Io, oneLine, type StyleText, stylesFor, writeLines } from '../io.ts';
import { blame, type InputOptions } from '../open-input.ts';
import { withProgress } from '../progress.ts';
import { columns } from '../show/columns.ts';
import { issueBlock } from '../show/issues.ts';

type Skeleton = ValidationReport['skeletons'][number];

function angle(degrees: number | null | undefined): string {
  return degrees === null || degrees === undefined ? '–' : `${degrees.toFixed(2)}°`;
}

function largest(angles: readonly (number | null)[]): string {
  const known = angles.filter((one) => one !== null);
  return known.length === 0 ? 'unknown' : `up to ${angle(Math.max(...known))}`;
}

function summaryLine({ bones, pointer }: Skeleton, style: StyleText): string {
  const all = Object.values(bones);
  const axes = largest(all.map((bone) => bone.axes));
  const pose = largest(all.map((bone) => bone.pose));
  return `${style('bold', pointer)}: ${all.length} bones; axes ${axes} off, T-pose ${pose} off`;
}

function skeletonLines(skeleton: Skeleton, style: StyleText): string[] {
  const { bones, pointer, from, restOffDegrees, facing, up, leftPalm, rightPalm } = skeleton;
  const present = BONES.filter((bone) => bones[bone] !== undefined);
  const rows = present.map((bone) => {
    const { axes, child, pose } = bones[bone] as NonNullable<(typeof bones)[typeof bone]>;
    return [bone, angle(axes), angle(child), angle(pose)];
  });
  return [
    style('bold', `${pointer}: ${present.length} bones`),
    `  reference pose from ${from === 'bind' ? 'the inverse bind matrices' : 'the nodes'}, node rotations differ by up to ${angle(restOffDegrees)}`,
    `  facing ${angle(facing)} off +Z, head ${angle(up)} off straight up, palms ${angle(leftPalm)} and ${angle(rightPalm)} off the ground`,
    ...columns([['bone', 'axes off', '+Y off child', 'off T-pose'], ...rows], [1, 2, 3]).map((line) => `  ${line}`),
  ];
}

function detailLines({ skeletons, animations }: ValidationReport, style: StyleText): string[] {
  const lines = skeletons.flatMap((skeleton) => ['', ...skeletonLines(skeleton, style)]);
  if (animations.length > 0) lines.push('', style('bold', `humanoid animations: ${animations.length}`));
  const rows = animations.map(({ index, name, bones }) => [String(index), `${bones.length} bones`, oneLine(name)]);
  return [...lines, ...columns(rows, [0, 1]).map((line) => `  ${line}`)];
}

/** One line per definition, and one for all humanoid animations. */
function summaryLines({ skeletons, animations }: ValidationReport, style: StyleText): string[] {
  const count = animations.length === 0 ? [] : [`${style('bold', 'humanoid animations')}: ${animations.length}`];
  return [...skeletons.map((skeleton) => summaryLine(skeleton, style)), ...count];
}

async function show(report: ValidationReport, isVerbose: boolean, io: Io): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const isFbx = report.format === 'fbx';
  const verdict = !report.isValid
    ? 'not valid'
    : isFbx
      ? 'valid FBX'
      : report.hasExtension
        ? 'valid'
        : 'valid glTF 2.0';
  const lines = [`${style('bold', oneLine(report.file))}  ${verdict}`];
  if (!report.hasExtension && !isFbx) {
    lines.push(
      'The file does not use EXT_skeleton_humanoid. "anyrig define" adds it to a character, "anyrig extract" writes clips with it.',
    );
  }
  lines.push(...(isVerbose ? detailLines(report, style) : summaryLines(report, style)));
  lines.push(...issueBlock(report.issues, style, isVerbose));
  writeLines(io.stdout, lines);
}

interface Flags {
  readonly input: InputOptions;
  readonly isJson: boolean;
  readonly isVerbose: boolean;
  readonly strict: boolean;
  readonly requireExtension: boolean;
}

async function validate(path: string, { input, isJson, isVerbose, ...rules }: Flags, io: Io): Promise<ExitCode> {
  const { validateFile } = await import('../../files/node/validate-file.ts');
  const readResource = resourceReader(path, input.assetRoot);
  const report = await withProgress(io, `validating ${path}`, () => {
    return blame(path, () => validateFile(readInputSync(path), { name: path, readResource, ...rules }));
  });
  if (isJson) writeLines(io.stdout, [JSON.stringify(report)]);
  else await show(report, isVerbose, io);
  return report.ok ? EXIT.done : EXIT.nothing;
}

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig validate',
    description:
      'Check a glTF file against glTF 2.0, with the Khronos glTF Validator, and EXT_skeleton_humanoid: definitions, channels, and the reference pose in degrees; an FBX by what Unity, Unreal Engine, Blender and Maya refuse or change',
  },
  args: {
    file: { type: 'positional', description: 'A GLB, glTF, VRM, VRMA or FBX file' },
    strict: { type: 'boolean', description: 'Require the 15 bones that VRM requires; the extension requires none' },
    'require-ext': { type: 'boolean', description: 'Fail where the file does not use EXT_skeleton_humanoid' },
    ...ASSET_FLAGS,
    verbose: { type: 'boolean', description: 'Also print the error of every bone in degrees, and infos' },
    json: {
      type: 'boolean',
      description: 'Print JSON: every issue with its code and JSON pointer, the error of every bone in degrees',
    },
  },
  run: ({ args, data }) => {
    const { io } = data as CommandData;
    const [path] = requirePositionals(args._, ['file']);
    const input = readInputOptions(args['asset-root']);
    const [isVerbose, isJson] = [args.verbose === true, args.json === true];
    const [strict, requireExtension] = [args.strict === true, args['require-ext'] === true];
    const flags = { input, isVerbose, isJson, strict, requireExtension };
    return validate(path, flags, io);
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig validate avatar.glb', 'violated rules, and the angular error of each bone'],
  ['anyrig validate avatar.glb --require-ext', 'exit code 1 also where the extension is missing, for a pipeline'],
  ['anyrig validate hero.fbx', 'what engines would refuse or change'],
  ['anyrig validate clips.glb --json | jq .issues', 'all issues, for programs'],
];

export const repeatable: CommandModule['repeatable'] = [];
