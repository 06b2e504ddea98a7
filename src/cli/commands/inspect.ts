import { defineCommand } from 'citty';
import { type FileReport, inspectFile } from '../../files/inspect-file.ts';
import { columns } from '../columns.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { INPUT_FILE } from '../input-flags.ts';
import { type Io, oneLine, stylesFor } from '../io.ts';
import { openInput } from '../open-input.ts';
import { positionals } from '../positionals.ts';
import type { CommandData, CommandModule } from '../run.ts';
import { humanoidLines } from '../show-humanoid.ts';
import { issueLines } from '../show-issues.ts';
import { writeLines } from '../write-lines.ts';

/** Clips that are listed for people; the JSON has all. */
const CLIPS = 100;

async function show(report: FileReport, why: boolean, io: Io): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const lines = [`${style('bold', oneLine(report.file))}  ${report.format}`, ''];
  for (const humanoid of report.humanoids) {
    lines.push(style('bold', `humanoid: skeleton ${humanoid.skeletonIndex}, ${oneLine(humanoid.skeleton)}`));
    lines.push(...humanoidLines(humanoid, why).map((line) => `  ${line}`.trimEnd()), '');
  }
  lines.push(style('bold', `skeletons: ${report.skeletons.length}`));
  const skeletons = report.skeletons.map(({ name, index, nodes, joints, humanoid, reason }) => {
    const what = humanoid ? 'humanoid' : `not humanoid: ${reason}`;
    return [String(index), `${nodes} nodes`, `${joints} joints`, oneLine(name), oneLine(what)];
  });
  lines.push(...columns(skeletons, [0, 1, 2]).map((line) => `  ${line}`), '');
  lines.push(style('bold', `clips: ${report.clips.length}`));
  const clips = report.clips.slice(0, CLIPS).map(({ name, index, duration, tracks, keys }) => {
    return [String(index), `${duration.toFixed(2)} s`, `${tracks} tracks`, `${keys} keys`, oneLine(name)];
  });
  lines.push(...columns(clips, [0, 1, 2, 3]).map((line) => `  ${line}`));
  if (report.clips.length > CLIPS) lines.push(`  and ${report.clips.length - CLIPS} more`);
  if (report.issues.length > 0) {
    lines.push('', style('bold', `issues: ${report.issues.length}`));
    lines.push(...issueLines(report.issues, style).map((line) => `  ${line}`));
  }
  writeLines(io.stdout, lines);
}

async function inspect(path: string, { why, isJson }: { why: boolean; isJson: boolean }, io: Io): Promise<ExitCode> {
  const report = inspectFile(await openInput(path));
  if (isJson) writeLines(io.stdout, [JSON.stringify(report)]);
  else await show(report, why, io);
  return report.humanoids.length > 0 ? EXIT.done : EXIT.nothing;
}

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig inspect',
    description: 'Show what a file contains: bone map, reference pose, facing, unit, ground, clips, issues',
  },
  args: {
    file: INPUT_FILE,
    why: {
      type: 'boolean',
      description:
        'Say of every bone what spoke for its node and which came next, and why the reference pose is as it is',
    },
    json: {
      type: 'boolean',
      description: 'Print JSON, all of that included, with the world rotation of every bone in the reference pose',
    },
  },
  run: ({ args, data }) => {
    const { io } = data as CommandData;
    const [path] = positionals(args._, ['file']);
    return inspect(path, { why: args.why === true, isJson: args.json === true }, io);
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig inspect avatar.vrm', 'which node is which bone, and how the character stands'],
  ['anyrig inspect avatar.glb --why', 'what spoke for each bone, and for each part of the reference pose'],
  ['anyrig inspect walk.bvh --json | jq .humanoids[0].referencePose', 'the same for programs'],
];

export const repeatable: CommandModule['repeatable'] = [];
