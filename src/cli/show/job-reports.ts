/** Reports of the jobs that write files, as text: retarget, convert, define, extract. */
import type { DefineReport } from '../../files/jobs/define-humanoid.ts';
import type {
  ClipReport,
  ConvertReport,
  ExtractReport,
  FileHumanoidReport,
  NoHumanoidReport,
  RetargetReport,
} from '../../files/reports/job-reports.ts';
import { type Io, oneLine, type StyleText, stylesFor, writeLines } from '../io.ts';
import { columns } from './columns.ts';
import { meters, referencePoseText } from './humanoid.ts';
import { issueLines } from './issues.ts';

/** Most clips that are listed. The JSON report has all. */
const MOST_CLIPS = 20;

/** Describes one file of a job as a table row: role, file, number of bones, reference pose, hips height. */
function humanoidRow(role: string, report: FileHumanoidReport | NoHumanoidReport): string[] {
  if (!report.humanoid) return [role, oneLine(report.file), 'not humanoid'];
  const bones = Object.keys(report.bones).length;
  const hips = `hips at ${meters(report.hipsHeight)}`;
  return [
    role,
    oneLine(report.file),
    `${bones} bones (${report.mapFrom})`,
    referencePoseText(report.referencePose),
    hips,
  ];
}

/** Lists the written clips. */
function clipLines(clips: readonly ClipReport[]): string[] {
  const rows = clips.slice(0, MOST_CLIPS).map(({ name, duration, tracks, keys }) => {
    return ['', oneLine(name), `${duration.toFixed(2)} s`, `${tracks} tracks`, `${keys} keys`];
  });
  const lines = columns(rows, [2, 3, 4]);
  if (clips.length > MOST_CLIPS) lines.push(`  and ${clips.length - MOST_CLIPS} more`);
  return lines;
}

/** Summarizes what contacts changed in all clips; no line without contacts. */
function contactLines(clips: readonly ClipReport[]): string[] {
  const reports = clips.flatMap(({ contacts }) => (contacts === undefined ? [] : [contacts]));
  if (reports.length === 0) return [];
  const most = (values: readonly number[]): string => `${(100 * Math.max(...values)).toFixed(1)} cm`;
  const plants = reports.reduce((sum, { plants: { left, right } }) => sum + left + right, 0);
  const onGround = reports.reduce((sum, { trunkSeconds }) => sum + trunkSeconds, 0);
  const parts = [
    `contacts ${reports[0].mode}: ${plants} ${plants === 1 ? 'plant' : 'plants'}`,
    `feet moved by up to ${most(reports.map(({ largestChange }) => largestChange))}`,
    `hips raised by up to ${most(reports.map(({ hipsRaised }) => hipsRaised))}`,
    `lowered by up to ${most(reports.map(({ hipsLowered }) => hipsLowered))}`,
    ...(onGround > 0 ? [`trunk on the ground for ${onGround.toFixed(1)} s`] : []),
  ];
  return [parts.join(', ')];
}

/** The first line of a report: the output and what is in it, or why nothing was written. */
function headLine(
  { output, outputs }: { readonly output: string | null; readonly outputs?: readonly string[] },
  contents: string,
  failure: string,
  style: StyleText,
): string {
  if (output === null) return style('red', failure);
  const files = outputs === undefined ? '' : ` in ${outputs.length} files`;
  return `${style('bold', oneLine(output))}: ${contents}${files}`;
}

function countClips(count: number, kind: string): string {
  return `${count === 0 ? 'no' : count} ${kind}${count === 1 ? 'clip' : 'clips'}`;
}

/**
 * Prints the report of `anyrig retarget`.
 * @param report what the job did
 * @param io the terminal
 */
export async function showRetarget(report: RetargetReport, io: Io): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const sources = report.sources ?? [report.source];
  const contents = `${countClips(report.clips.length, '')} written`;
  writeLines(io.stdout, [
    headLine(report, contents, 'Nothing was written: no clip could be retargeted.', style),
    ...clipLines(report.clips),
    ...columns([...sources.map((source) => humanoidRow('motion', source)), humanoidRow('character', report.target)]),
    ...(report.hipsScale === null ? [] : [`hips scale ${Number(report.hipsScale.toPrecision(4))}`]),
    ...contactLines(report.clips),
    ...issueLines(report.issues, style),
  ]);
}

/**
 * Prints the report of `anyrig convert`.
 * @param report what the job did
 * @param io the terminal
 */
export async function showConvert(report: ConvertReport, io: Io): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  writeLines(io.stdout, [
    headLine(report, countClips(report.clips.length, ''), 'Nothing was written.', style),
    ...clipLines(report.clips),
    ...(report.humanoid === null ? [] : columns([humanoidRow('humanoid', report.humanoid)])),
    ...issueLines(report.issues, style),
  ]);
}

/**
 * Prints the report of `anyrig extract`.
 * @param report what the job did
 * @param io the terminal
 */
export async function showExtract(report: ExtractReport, io: Io): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const contents = countClips(report.clips.length, 'humanoid ');
  writeLines(io.stdout, [
    headLine(report, contents, 'Nothing was written: no input has a humanoid motion.', style),
    ...clipLines(report.clips),
    ...columns(report.sources.map((source) => humanoidRow('motion', source))),
    ...issueLines(report.issues, style),
  ]);
}

/**
 * Prints the report of `anyrig define`.
 * @param report what the job did
 * @param io the terminal
 */
export async function showDefine(report: DefineReport, io: Io): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const lines: string[] = [];
  const { output, definition } = report;
  if (output === null || definition === null) lines.push(style('red', 'Nothing was written.'));
  else {
    const count = Object.keys(definition.humanoidBones).length;
    const done = [
      ...(definition.axes ? ['canonical axes'] : []),
      ...(definition.tPose ? ['T-pose'] : []),
      `root node ${definition.rootNode}`,
    ];
    lines.push(`${style('bold', oneLine(output))}: ${count} bones defined, ${done.join(', ')}`);
    const { rewrittenChannels, addedChannels, bakedMeshes } = definition;
    if (rewrittenChannels + addedChannels + bakedMeshes > 0) {
      lines.push(`${rewrittenChannels} channels rewritten, ${addedChannels} added, ${bakedMeshes} meshes baked`);
    }
  }
  lines.push(...columns([humanoidRow('humanoid', report.humanoid)]));
  lines.push(...issueLines(report.issues, style));
  writeLines(io.stdout, lines);
}
