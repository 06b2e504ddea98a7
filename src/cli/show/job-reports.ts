import type { DefineReport } from '../../files/jobs/define-humanoid.ts';
import type {
  ClipReport,
  ConvertReport,
  ExtractReport,
  FileHumanoidReport,
  NoHumanoidReport,
  RetargetReport,
  WrittenReport,
} from '../../files/reports/job-reports.ts';
import { type Io, oneLine, type StyleText, stylesFor, writeLines } from '../io.ts';
import { columns } from './columns.ts';
import { meters, referencePoseText } from './humanoid.ts';
import { issueLines } from './issues.ts';

const MOST_NAMES = 5;

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

function scaleText(hipsScale: number): string {
  return `hips scale ${Number(hipsScale.toPrecision(4))}`;
}

function seconds(duration: number): string {
  return `${duration.toFixed(2)} s`;
}

/** Lists the written clips; their hips scale where it is not the same for all. */
function clipLines(clips: readonly ClipReport[]): string[] {
  const isShared = new Set(clips.map(({ hipsScale }) => hipsScale)).size < 2;
  const rows = clips.map(({ name, duration, tracks, keys, hipsScale }) => {
    const scale = isShared || hipsScale === undefined ? [] : [scaleText(hipsScale)];
    return ['', oneLine(name), seconds(duration), `${tracks} tracks`, `${keys} keys`, ...scale];
  });
  const [first] = clips;
  const shared = isShared && first?.hipsScale !== undefined ? [scaleText(first.hipsScale)] : [];
  return [...columns(rows, [2, 3, 4]), ...shared];
}

/** What a report says about the files that were written. */
type Written = Omit<WrittenReport, 'ok' | 'issues'>;

function namesOf(clips: readonly ClipReport[]): string {
  if (clips.length === 0) return '';
  if (clips.length === 1) return ` (${oneLine(clips[0].name)}, ${seconds(clips[0].duration)})`;
  const shown = clips.slice(0, MOST_NAMES).map(({ name }) => oneLine(name));
  const more = clips.length > MOST_NAMES ? [`${clips.length - MOST_NAMES} more`] : [];
  return ` (${[...shown, ...more].join(', ')})`;
}

/** Formats the size of all files and the number of keys of the clips. */
function sizeText({ bytes, clips }: Written): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit + 1 < units.length) {
    size /= 1000;
    unit++;
  }
  const keys = clips.reduce((sum, clip) => sum + clip.keys, 0);
  return `${size.toFixed(unit > 1 && size < 99.95 ? 1 : 0)} ${units[unit]}${keys > 0 ? `, ${keys} keys` : ''}`;
}

/** Lists the written files that are not in `main`, which they belong to: buffers, textures, VRM Animations. */
function otherFiles(files: readonly string[], main: readonly string[]): string[] {
  return files.filter((path) => !main.includes(path)).map((path) => `  ${oneLine(path)}`);
}

/** The result of a job: a line per file with its clips, and one per file that belongs to it; or why nothing was written. */
function resultLines(report: Written, contents: string, failure: string, style: StyleText, note = ''): string[] {
  const { output, outputs, files, clips } = report;
  if (output === null) return [style('red', failure)];
  if (outputs === undefined) {
    const what = `${contents}${namesOf(clips)}, ${sizeText(report)}${note}`;
    return [`${style('bold', oneLine(output))}: ${what}`, ...otherFiles(files, [output])];
  }
  const lines = outputs.map((path, k) => {
    const clip = outputs.length === clips.length ? `: ${oneLine(clips[k].name)}, ${seconds(clips[k].duration)}` : '';
    return `${style('bold', oneLine(path))}${clip}`;
  });
  const total = outputs.length > 1 ? [`${outputs.length} files, ${sizeText(report)}`] : [];
  return [...lines, ...otherFiles(files, outputs), ...total];
}

/** Distance that hands are moved by, relative to the height, from which on the line of a result says it: it is seen. */
const SEEN = 0.05;

/** Says what cleaning changed in all clips; no line without it. */
function cleanLines(clips: readonly ClipReport[]): string[] {
  const reports = clips.flatMap(({ cleaned }) => (cleaned === undefined ? [] : [cleaned]));
  if (reports.length === 0) return [];
  const mean = (of: (report: (typeof reports)[number]) => number): string =>
    `${(reports.reduce((sum, report) => sum + of(report), 0) / reports.length).toFixed(2)}°`;
  const total = (of: (report: (typeof reports)[number]) => number): number =>
    reports.reduce((sum, report) => sum + of(report), 0);
  const [spikes, gaps] = [total((report) => report.spikes), total((report) => report.gaps)];
  const jitter = `jitter ${mean(({ jitterBefore }) => jitterBefore)} before, ${mean(({ jitterAfter }) => jitterAfter)} after`;
  return [
    `cleaned: ${jitter}, ${spikes} ${spikes === 1 ? 'spike' : 'spikes'} and ${gaps} ${gaps === 1 ? 'gap' : 'gaps'} bridged`,
  ];
}

/** Summarizes what contacts changed in all clips; no line without contacts. */
function contactLines(clips: readonly ClipReport[]): string[] {
  const reports = clips.flatMap(({ contacts }) => (contacts === undefined ? [] : [contacts]));
  if (reports.length === 0) return [];
  const most = (values: readonly number[]): string => `${(100 * Math.max(...values)).toFixed(1)} cm`;
  const plants = reports.reduce((sum, { plants: { left, right } }) => sum + left + right, 0);
  const onGround = reports.reduce((sum, { trunkSeconds }) => sum + trunkSeconds, 0);
  const armsMoved = reports.map(({ arms, hands, largestHandChange }) =>
    Math.max(largestHandChange, arms?.largestChange ?? 0, hands?.largestChange ?? 0),
  );
  const mostMoved = Math.max(...reports.map(({ handsMoved }) => handsMoved));
  const share = mostMoved > SEEN ? ` (${(100 * mostMoved).toFixed(0)} % of the height)` : '';
  const touches = reports.reduce((sum, { hands }) => sum + (hands?.contacts ?? 0), 0);
  const [{ armSpace, legSpace }] = reports;
  const parts = [
    `contacts ${reports[0].mode}: ${plants} ${plants === 1 ? 'plant' : 'plants'}`,
    `feet moved by up to ${most(reports.map(({ largestChange }) => largestChange))}`,
    `hips raised by up to ${most(reports.map(({ hipsRaised }) => hipsRaised))}`,
    `lowered by up to ${most(reports.map(({ hipsLowered }) => hipsLowered))}`,
    ...(armSpace === 0 ? [] : [`arms rotated outward by ${armSpace.toFixed(1)}°`]),
    ...(legSpace === 0 ? [] : [`legs rotated outward by ${legSpace.toFixed(1)}°`]),
    ...(touches > 0 ? [`${touches} ${touches === 1 ? 'contact' : 'contacts'} of hands`] : []),
    ...(Math.max(...armsMoved) > 0 ? [`hands moved by up to ${most(armsMoved)}${share}`] : []),
    ...(onGround > 0 ? [`trunk on the ground for ${onGround.toFixed(1)} s`] : []),
  ];
  return [parts.join(', ')];
}

function countClips(count: number, kind: string): string {
  return `${count === 0 ? 'no' : count} ${kind}${count === 1 ? 'clip' : 'clips'}`;
}

/** Names the clip that players start with where it is not a new one, which the user expects. */
function firstClipText({ clips, keptClips, firstClip }: RetargetReport): string {
  if (firstClip === null || keptClips === 0 || clips.some(({ name }) => name === firstClip)) return '';
  const kept = `after ${keptClips} of the character`;
  const first = firstClip === '' ? 'the first of them' : JSON.stringify(oneLine(firstClip));
  return `, ${kept}; most players start with ${first} (--replace keeps new clips only)`;
}

/** Prints the report of `anyrig retarget`. `hint`: what to do when nothing was written; null if unknown. */
export async function showRetarget(
  report: RetargetReport,
  io: Io,
  isVerbose: boolean,
  hint: string | null,
): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const sources = report.sources ?? [report.source];
  const contents = `${countClips(report.clips.length, '')} written`;
  const failure = `Nothing was written: ${hint ?? 'no clip could be retargeted.'}`;
  const rows = [...sources.map((source) => humanoidRow('motion', source)), humanoidRow('character', report.target)];
  writeLines(io.stdout, [
    ...resultLines(report, contents, failure, style, firstClipText(report)),
    ...(isVerbose ? [...clipLines(report.clips), ...columns(rows), ...contactLines(report.clips)] : []),
    ...cleanLines(report.clips),
    ...issueLines(report.issues, style, isVerbose),
  ]);
}

export async function showConvert(report: ConvertReport, io: Io, isVerbose: boolean): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const humanoid = report.humanoid === null ? [] : columns([humanoidRow('humanoid', report.humanoid)]);
  writeLines(io.stdout, [
    ...resultLines(report, countClips(report.clips.length, ''), 'Nothing was written.', style),
    ...(isVerbose ? [...clipLines(report.clips), ...humanoid] : []),
    ...cleanLines(report.clips),
    ...issueLines(report.issues, style, isVerbose),
  ]);
}

export async function showExtract(report: ExtractReport, io: Io, isVerbose: boolean): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const contents = countClips(report.clips.length, 'humanoid ');
  const rows = report.sources.map((source) => humanoidRow('motion', source));
  writeLines(io.stdout, [
    ...resultLines(report, contents, 'Nothing was written: no input has a humanoid motion.', style),
    ...(isVerbose ? [...clipLines(report.clips), ...columns(rows)] : []),
    ...cleanLines(report.clips),
    ...issueLines(report.issues, style, isVerbose),
  ]);
}

export async function showDefine(report: DefineReport, io: Io, isVerbose: boolean): Promise<void> {
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
    lines.push(...otherFiles(report.files, [output]));
    const { rewrittenChannels, addedChannels, bakedMeshes } = definition;
    if (isVerbose && rewrittenChannels + addedChannels + bakedMeshes > 0) {
      lines.push(`${rewrittenChannels} channels rewritten, ${addedChannels} added, ${bakedMeshes} meshes baked`);
    }
  }
  if (isVerbose) lines.push(...columns([humanoidRow('humanoid', report.humanoid)]));
  lines.push(...issueLines(report.issues, style, isVerbose));
  writeLines(io.stdout, lines);
}
