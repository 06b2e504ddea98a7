/** `anyrig validate`. */
import { defineCommand } from 'citty';
import { BONES } from '../../core/humanoid/bones.ts';
import type { Issue } from '../../core/report/issue.ts';
import type { ValidationReport } from '../../files/jobs/validate-file.ts';
import { readInputSync, resourceReader } from '../../files/node/read-input.ts';
import type { CommandData, CommandModule } from '../command.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { ASSET_FLAGS } from '../flags/input-flags.ts';
import { positionals } from '../flags/positionals.ts';
import { readInputOptions } from '../flags/read-options.ts';
import { type Io, oneLine, type StyleText, stylesFor, writeLines } from '../io.ts';
import { blame, type InputOptions } from '../open-input.ts';
import { columns } from '../show/columns.ts';
import { issueLines } from '../show/issues.ts';

type Skeleton = ValidationReport['skeletons'][number];

function angle(degrees: number | null | undefined): string {
  return degrees === null || degrees === undefined ? '–' : `${degrees.toFixed(2)}°`;
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
    '',
  ];
}

/** Lists the findings of gltf-validator in the form of issues. */
function khronosLines({ khronos }: ValidationReport, style: StyleText): string[] {
  if (khronos === null) return [];
  const issues = khronos.map(({ code, severity, message, pointer }) => ({
    code,
    severity: severity === 'hint' ? 'info' : severity,
    message,
    where: pointer === '' ? {} : { pointer },
  })) as unknown as readonly Issue[];
  return [
    '',
    style('bold', `gltf-validator: ${khronos.length}`),
    ...issueLines(issues, style).map((line) => `  ${line}`),
  ];
}

async function show(report: ValidationReport, io: Io): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const verdict = !report.isValid ? 'not valid' : report.hasExtension ? 'valid' : 'nothing to validate';
  const lines = [`${style('bold', oneLine(report.file))}  ${verdict}`, ''];
  if (!report.hasExtension) {
    lines.push(
      'The file does not use EXT_skeleton_humanoid. "anyrig define" adds it to a character, "anyrig extract" writes clips with it.',
    );
  }
  for (const skeleton of report.skeletons) lines.push(...skeletonLines(skeleton, style));
  if (report.animations.length > 0) lines.push(style('bold', `humanoid animations: ${report.animations.length}`));
  const rows = report.animations.map(({ index, name, bones }) => [
    String(index),
    `${bones.length} bones`,
    oneLine(name),
  ]);
  lines.push(...columns(rows, [0, 1]).map((line) => `  ${line}`));
  if (report.hasExtension) {
    lines.push('', style('bold', `issues: ${report.issues.length}`));
    lines.push(...issueLines(report.issues, style).map((line) => `  ${line}`));
  }
  writeLines(io.stdout, [...lines, ...khronosLines(report, style)]);
}

interface Flags {
  readonly input: InputOptions;
  readonly json: boolean;
  readonly strict: boolean;
  readonly khronos: boolean;
}

async function validate(path: string, { input, json, strict, khronos }: Flags, io: Io): Promise<ExitCode> {
  const { validateFile } = await import('../../files/jobs/validate-file.ts');
  const report = await blame(path, () =>
    validateFile(readInputSync(path), {
      name: path,
      readResource: resourceReader(path, input.assetRoot),
      strict,
      khronos,
    }),
  );
  if (json) writeLines(io.stdout, [JSON.stringify(report)]);
  else await show(report, io);
  return report.isValid && report.hasExtension ? EXIT.done : EXIT.nothing;
}

/** Definition of the command. */
export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig validate',
    description:
      'Check a file against EXT_skeleton_humanoid: definitions, channels, skins, and the reference pose in degrees',
  },
  args: {
    file: { type: 'positional', description: 'A GLB, glTF, VRM or VRMA file' },
    strict: { type: 'boolean', description: 'Require the 15 bones that VRM requires; the extension requires none' },
    khronos: { type: 'boolean', description: 'Add the findings of gltf-validator, if the package is installed' },
    ...ASSET_FLAGS,
    json: {
      type: 'boolean',
      description: 'Print JSON: every issue with its code and JSON pointer, the error of every bone in degrees',
    },
  },
  run: ({ args, data }) => {
    const { io } = data as CommandData;
    const [path] = positionals(args._, ['file']);
    const input = readInputOptions(args['asset-root']);
    return validate(
      path,
      { input, json: args.json === true, strict: args.strict === true, khronos: args.khronos === true },
      io,
    );
  },
});

/** Command lines for the help. */
export const examples: CommandModule['examples'] = [
  ['anyrig validate avatar.glb', 'violated rules, and the angular error of each bone'],
  ['anyrig validate clips.glb --khronos --json | jq .issues', 'all issues, for programs'],
];

/** Flags that may occur several times. */
export const repeatable: CommandModule['repeatable'] = [];
