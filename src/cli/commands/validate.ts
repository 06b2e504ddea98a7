import { defineCommand } from 'citty';
import { BONES } from '../../core/humanoid/bones.ts';
import type { Issue } from '../../core/report/issue.ts';
import { readInputSync, resourceReader } from '../../files/read-input.ts';
import type { ValidationReport } from '../../files/validate-file.ts';
import { columns } from '../columns.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { ASSET_FLAGS } from '../input-flags.ts';
import { type Io, oneLine, type StyleText, stylesFor } from '../io.ts';
import { blame, type InputOptions } from '../open-input.ts';
import { positionals } from '../positionals.ts';
import { readInputOptions } from '../read-options.ts';
import type { CommandData, CommandModule } from '../run.ts';
import { issueLines } from '../show-issues.ts';
import { writeLines } from '../write-lines.ts';

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
    `  reference pose from ${from === 'bind' ? 'the inverse bind matrices' : 'the nodes'}, nodes stand up to ${angle(restOffDegrees)} off it`,
    `  facing ${angle(facing)} off +Z, head ${angle(up)} off straight up, palms ${angle(leftPalm)} and ${angle(rightPalm)} off the ground`,
    ...columns([['bone', 'axes off', '+Y off child', 'off T-pose'], ...rows], [1, 2, 3]).map((line) => `  ${line}`),
    '',
  ];
}

/** Findings of the Khronos validator as issues look. */
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
      'There is no EXT_skeleton_humanoid in it; anyrig define writes one into a character, anyrig extract into clips.',
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
  const { validateFile } = await import('../../files/validate-file.ts');
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

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig validate',
    description:
      'Check a file against EXT_skeleton_humanoid: definitions, channels, skins, and the reference pose in degrees',
  },
  args: {
    file: { type: 'positional', description: 'A GLB, glTF, VRM or VRMA file' },
    strict: { type: 'boolean', description: 'Ask for the 15 bones that VRM requires; the extension requires none' },
    khronos: { type: 'boolean', description: 'Add what the package gltf-validator finds, if it is installed' },
    ...ASSET_FLAGS,
    json: {
      type: 'boolean',
      description: 'Print JSON: every issue with its code and JSON pointer, every bone in degrees',
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

export const examples: CommandModule['examples'] = [
  ['anyrig validate avatar.glb', 'which rules the skeleton breaks, and how far each bone is off'],
  ['anyrig validate clips.glb --khronos --json | jq .issues', 'everything that is wrong, for programs'],
];

export const repeatable: CommandModule['repeatable'] = [];
