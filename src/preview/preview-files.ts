/** Contact sheets of files: what `anyrig preview` draws. */
import { type Issue, issue } from '../core/report/issue.ts';
import type { OpenFile } from '../files/open.ts';
import { OptionError } from '../files/option-error.ts';
import { allPoses, distinctPoses, type PoseName } from './skeleton-poses.ts';
import { type DrawnSkeleton, drawnSkeletons } from './drawn-skeleton.ts';
import { type ClipGroup, type FileClip, pairClips } from './pair-clips.ts';
import { drawSheet, type SheetRow, type SheetView } from './sheet.ts';
import { clipRow, columnTimes, largeRow, type NameKind, namesRow, posesRow, type RowLabels } from './sheet-row.ts';

/** Clips, or pairs of clips, that are drawn at most, and bodies of one file. */
export const MOST_CLIPS = 24;
const MOST_BODIES = 8;
/** Columns of a clip by default, and at most. */
const COLUMNS = 8;
export const MOST_COLUMNS = 60;

/** What is drawn, and how. */
export interface PreviewOptions {
  /** Names or indices of clips. Without any: the poses of all bodies and the first 24 clips; with some: only these. */
  readonly clips?: readonly (string | number)[];
  /** Columns of a clip, evenly from its start to its end: 1…60, 8 by default. */
  readonly frames?: number;
  /** `both` by default. */
  readonly view?: SheetView;
  /** Draws these poses of every body, large, and no clips but those that are chosen: one, or `all` that there are. */
  readonly pose?: PoseName | 'all';
  /** Writes names at the joints of the large pose: of the bones, or of the nodes. Without `pose`, adds the reference pose, large. */
  readonly names?: NameKind;
  /** Is told what is drawn next. */
  readonly onRow?: (file: string, what: string) => void;
}

/** A row of the sheet. */
export interface PreviewRowReport {
  readonly file: string;
  readonly skeleton: string;
  readonly skeletonIndex: number;
  readonly humanoid: boolean;
  /** Why it is no humanoid and drawn as plain joints. */
  readonly reason?: string;
  /** The clip; null for a row of poses. */
  readonly clip: { readonly name: string; readonly index: number; readonly duration: number } | null;
  /** Times of the columns in seconds, or the names of the poses. */
  readonly columns: readonly (number | string)[];
}

/** What was drawn. */
export interface PreviewReport {
  /** Whether every file has something to draw. */
  readonly ok: boolean;
  readonly rows: readonly PreviewRowReport[];
  /** Clips, or pairs of clips, that were not drawn because there are too many of them. */
  readonly clipsLeftOut: number;
  readonly issues: readonly Issue[];
}

/** A sheet and what is on it. */
export interface Preview {
  /** SVG text; null when there is nothing to draw. */
  readonly svg: string | null;
  readonly report: PreviewReport;
}

/** A file and its bodies. */
interface Drawn {
  readonly file: OpenFile;
  readonly label: string;
  readonly bodies: readonly DrawnSkeleton[];
}

interface Row {
  readonly row: SheetRow;
  readonly report: PreviewRowReport;
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function meters(value: number): string {
  return `${value.toFixed(2)} m`;
}

/** Where a body has its pose from and how tall it is. */
function aboutBody({ humanoid, height, skeleton }: DrawnSkeleton, several: boolean): string {
  const which = several ? [skeleton.name] : [];
  if (humanoid === null) return [...which, 'not humanoid', `${skeleton.names.length} nodes`].join('; ');
  const { kind, from } = humanoid.reference;
  const pose = kind === 'estimated' ? `reference estimated from ${from}` : `reference ${kind} (${from})`;
  return [...which, pose, `${meters(height)} tall`].join('; ');
}

function reportOf(
  drawn: Drawn,
  body: DrawnSkeleton,
  clip: PreviewRowReport['clip'],
  columns: readonly (number | string)[],
) {
  const { skeleton, index, humanoid, reason } = body;
  return {
    file: drawn.file.name,
    skeleton: skeleton.name,
    skeletonIndex: index,
    humanoid: humanoid !== null,
    ...(reason === null ? {} : { reason }),
    clip,
    columns,
  } satisfies PreviewRowReport;
}

type DrawRow = (body: DrawnSkeleton, labels: RowLabels) => SheetRow;

function poseRow(drawn: Drawn, body: DrawnSkeleton, title: string, draw: DrawRow): Row {
  const row = draw(body, { title, subtitle: aboutBody(body, drawn.bodies.length > 1) });
  return { row, report: reportOf(drawn, body, null, row.labels ?? []) };
}

/**
 * Large rows of the poses that are asked for; bodies that are not humanoid have no reference pose, which is an issue.
 *
 * @throws OptionError when no body of the file has the pose.
 */
function largeRows(drawn: Drawn, pose: PoseName | 'all', title: string, names?: NameKind): [Row[], Issue[]] {
  const { file, bodies } = drawn;
  const rows = bodies.flatMap((body) => {
    const poses = pose === 'all' ? distinctPoses(body) : allPoses(body).filter(({ name }) => name === pose);
    if (poses.length === 0) return [];
    return [poseRow(drawn, body, title, (one, labels) => largeRow(one, poses, labels, names))];
  });
  if (rows.length > 0 || bodies.length === 0) return [rows, []];
  if (pose !== 'reference') {
    throw new OptionError('pose', `${file.name} has no ${pose} pose: no skin is bound to its nodes; draw node, or all`);
  }
  const message = `${file.name} has no reference pose, it is not humanoid: ${bodies[0].reason}`;
  return [[], [issue('NOT_HUMANOID', message)]];
}

/** Name of a clip for people. */
function clipTitle({ clip, index }: FileClip): string {
  return clip.name.trim() === '' ? `clip ${index}` : clip.name;
}

/** The bodies that a clip moves; when it moves none, the first, standing still. */
function movedBodies({ bodies }: Drawn, { clip }: FileClip): readonly DrawnSkeleton[] {
  const moved = bodies.filter(({ index }) => clip.clips[index].tracks.length > 0);
  return moved.length > 0 ? moved : bodies.slice(0, 1);
}

function clipRows(drawn: Drawn, one: FileClip, times: readonly number[], isPair: boolean, isAlone: boolean): Row[] {
  const { clip, index } = one;
  return movedBodies(drawn, one).map((body) => {
    const duration = `${clip.duration.toFixed(2)} s`;
    const which = drawn.bodies.length > 1 ? [body.skeleton.name] : [];
    const isStill = clip.clips[body.index].tracks.length === 0 ? ['does not move it'] : [];
    const title = isAlone ? clipTitle(one) : drawn.label;
    const notes = [...(isAlone ? [] : [clipTitle(one)]), ...which, duration, ...isStill];
    const labels = { title, subtitle: notes.join('; '), source: isPair && one.file === 0 };
    const row = clipRow(body, clip.clips[body.index], times, labels);
    return { row, report: reportOf(drawn, body, { name: clip.name, index, duration: clip.duration }, times) };
  });
}

function groupRows(drawn: readonly Drawn[], group: ClipGroup, frames: number): Row[] {
  // A pair shows the same times, also where one of the two is longer.
  const times = columnTimes(Math.max(...group.map(({ clip }) => clip.duration)), frames);
  return group.flatMap((one) => clipRows(drawn[one.file], one, times, group.length > 1, drawn.length === 1));
}

function checkColumns(frames: number): void {
  if (Number.isInteger(frames) && frames >= 1 && frames <= MOST_COLUMNS) return;
  throw new RangeError(`previewFiles: frames is ${frames}, expected a whole number from 1 to ${MOST_COLUMNS}`);
}

function headingOf(drawn: readonly Drawn[], groups: readonly ClipGroup[], leftOut: number): [string, string] {
  const title = drawn.map(({ label }) => label).join(groups.length > 0 ? '  →  ' : '  ·  ');
  const clips = groups.length === 1 ? '1 clip' : `${groups.length} clips`;
  const notes = groups.length === 0 ? [] : [leftOut > 0 ? `${clips} of ${groups.length + leftOut}` : clips];
  if (drawn.length === 1) notes.unshift(drawn[0].file.asset.format);
  return [title, notes.join('; ')];
}

/**
 * Draws one file, or two to compare: a motion, and what became of it. First the poses of every body (reference, node, and bind
 * where that is another), then a row for every clip and body; of two files the clips in pairs, as {@link pairClips} says.
 * Humanoids stand in their canonical frame; of what is none all joints are drawn.
 *
 * @throws RangeError for `frames`, or when there is not one file or two; OptionError for a clip or a pose that is not there.
 */
export function previewFiles(files: readonly OpenFile[], options: PreviewOptions = {}): Preview {
  const { clips: selectors = [], frames = COLUMNS, view = 'both', pose, names, onRow } = options;
  checkColumns(frames);
  if (files.length < 1 || files.length > 2) {
    throw new RangeError(`previewFiles: there are ${files.length} files, expected one, or two to compare`);
  }
  const all = pose !== undefined && selectors.length === 0 ? [] : pairClips(files, selectors);
  const groups = all.slice(0, MOST_CLIPS);
  const drawn = files.map((file): Drawn => {
    return { file, label: baseName(file.name), bodies: drawnSkeletons(file).slice(0, MOST_BODIES) };
  });
  const issues = drawn.flatMap(({ file, bodies }) => {
    return bodies.length > 0
      ? []
      : [
          issue('NOT_HUMANOID', `${file.name} has no skeleton: neither a skin nor a tree of nodes`),
          // What could not be read may be what is missing.
          ...file.asset.issues,
        ];
  });
  const rows: Row[] = [];
  for (const one of drawn) {
    onRow?.(one.file.name, 'its poses');
    const titled = (title: string): string => (drawn.length === 1 ? title : one.label);
    if (pose !== undefined) {
      const [large, missing] = largeRows(one, pose, titled('poses'), names);
      rows.push(...large);
      issues.push(...missing);
      continue;
    }
    if (names !== undefined) {
      const draw: DrawRow = (body, labels) => namesRow(body, labels, names);
      rows.push(...one.bodies.map((body) => poseRow(one, body, titled(names), draw)));
    }
    if (selectors.length === 0) rows.push(...one.bodies.map((body) => poseRow(one, body, titled('poses'), posesRow)));
  }
  for (const group of groups) {
    onRow?.(files[group[0].file].name, clipTitle(group[0]));
    rows.push(...groupRows(drawn, group, frames));
  }
  const clipsLeftOut = all.length - groups.length;
  const report = { ok: issues.length === 0, rows: rows.map((row) => row.report), clipsLeftOut, issues };
  if (rows.length === 0) return { svg: null, report: { ...report, ok: false } };
  const [title, subtitle] = headingOf(drawn, groups, clipsLeftOut);
  const svg = drawSheet(
    rows.map(({ row }) => row),
    { title, subtitle, view },
  );
  return { svg, report };
}
