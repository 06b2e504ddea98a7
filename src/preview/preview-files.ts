/** Draws contact sheets of files, as `anyrig preview` does. */

import { describeContactSurface } from '../core/contacts/surface/contact-surface.ts';
import { type Issue, issue } from '../core/report/issue.ts';
import { fileNameOf } from '../files/clips/clip-names.ts';
import { readSkinPoints } from '../files/humanoid/contact-surface.ts';
import type { OpenFile } from '../files/open.ts';
import { OptionError } from '../files/option-error.ts';
import { type DrawnSkeleton, drawnSkeletons } from './drawn-skeleton.ts';
import { type ClipGroup, type FileClip, pairClips } from './pair-clips.ts';
import { drawSheet, type SheetRow, type SheetView } from './sheet.ts';
import { clipRow, columnTimes, largeRow, type NameKind, namesRow, posesRow, type RowLabels } from './sheet-row.ts';
import { allPoses, distinctPoses, type PoseName } from './skeleton-poses.ts';

/** Greatest number of clips, or pairs of clips, on a sheet. */
export const MOST_CLIPS = 24;
const MOST_SKELETONS = 8;
const COLUMNS = 8;
export const MOST_COLUMNS = 60;

/** What a preview shows. */
export interface PreviewOptions {
  /** Names or indices of the clips to draw. Without any, the poses of all skeletons and the first 24 clips are drawn. */
  readonly clips?: readonly (string | number)[];
  /** Columns of a clip, evenly spaced from its start to its end: 1…60, 8 by default. */
  readonly frames?: number;
  /** View of the figures; `both` by default. */
  readonly view?: SheetView;
  /** Draws this pose, or `all` poses, of every skeleton enlarged; clips are drawn only if `clips` selects them. */
  readonly pose?: PoseName | 'all';
  /** Labels the joints of the enlarged pose with bone or node names. Without `pose`, adds the enlarged reference pose. */
  readonly names?: NameKind;
  /**
   * Whether to draw the surface that contacts keep on the ground: outlines of the skin with the feet in color, and with an enlarged reference pose the soles
   * from above. False by default. Files with Draco compression need `loadDecoders` first; without it, the surface is estimated from the joints.
   */
  readonly surface?: boolean;
  /** Called before each row is drawn, with the name of the file and what is drawn. */
  readonly onRow?: (file: string, what: string) => void;
}

/** Report of a row of the sheet. */
interface PreviewRowReport {
  /** Name of the file. */
  readonly file: string;
  /** Name of the skeleton. */
  readonly skeleton: string;
  /** Index among the skeletons of the file. */
  readonly skeletonIndex: number;
  /** Whether the skeleton is humanoid. */
  readonly humanoid: boolean;
  /** Why the skeleton is not humanoid and is drawn as plain joints; missing for humanoids. */
  readonly reason?: string;
  /** The clip; null for a row of poses. */
  readonly clip: {
    /** Name of the clip. */
    readonly name: string;
    /** Index among the clips of the file. */
    readonly index: number;
    /** Duration in seconds. */
    readonly duration: number;
  } | null;
  /** Times of the columns in seconds, or names of the poses. */
  readonly columns: readonly (number | string)[];
  /** Whether the drawn surface comes from the skin, or is estimated from the joints; missing where none is drawn. */
  readonly surface?: 'skin' | 'joints';
}

/** Report of a preview. */
export interface PreviewReport {
  /** Whether everything that was asked for could be drawn. */
  readonly ok: boolean;
  /** Rows of the sheet, from top to bottom. */
  readonly rows: readonly PreviewRowReport[];
  /** Number of clips, or pairs of clips, beyond the limit of 24 per sheet. */
  readonly clipsLeftOut: number;
  /** Why parts of the sheet are missing. */
  readonly issues: readonly Issue[];
}

/** A contact sheet and its report. */
export interface Preview {
  /** SVG text; null when there is nothing to draw. */
  readonly svg: string | null;
  /** What is on the sheet. */
  readonly report: PreviewReport;
}

interface DrawnFile {
  readonly file: OpenFile;
  readonly label: string;
  readonly skeletons: readonly DrawnSkeleton[];
}

interface Row {
  readonly row: SheetRow;
  readonly report: PreviewRowReport;
}

function meters(value: number): string {
  return `${value.toFixed(2)} m`;
}

/** Describes the source of the reference pose and the height. */
function describeSkeleton({ humanoid, height, skeleton, surface }: DrawnSkeleton, several: boolean): string {
  const which = several ? [skeleton.name] : [];
  if (humanoid === null) return [...which, 'not humanoid', `${skeleton.names.length} nodes`].join('; ');
  const { kind, from } = humanoid.reference;
  const pose = kind === 'estimated' ? `reference estimated from ${from}` : `reference ${kind} (${from})`;
  const skin = surface?.from === 'joints' ? ['surface estimated from the joints'] : [];
  return [...which, pose, `${meters(height)} tall`, ...skin].join('; ');
}

function reportOf(
  drawnFile: DrawnFile,
  drawn: DrawnSkeleton,
  clip: PreviewRowReport['clip'],
  columns: readonly (number | string)[],
) {
  const { skeleton, index, humanoid, reason, surface } = drawn;
  return {
    file: drawnFile.file.name,
    skeleton: skeleton.name,
    skeletonIndex: index,
    humanoid: humanoid !== null,
    ...(reason === null ? {} : { reason }),
    clip,
    columns,
    ...(surface === undefined ? {} : { surface: surface.from }),
  } satisfies PreviewRowReport;
}

function withSurface(file: OpenFile, drawn: DrawnSkeleton): DrawnSkeleton {
  const { humanoid, index } = drawn;
  if (humanoid === null) return drawn;
  return { ...drawn, surface: describeContactSurface(humanoid, readSkinPoints(file, file.asset.skeletons[index])) };
}

type DrawRow = (drawn: DrawnSkeleton, labels: RowLabels) => SheetRow;

function poseRow(drawnFile: DrawnFile, drawn: DrawnSkeleton, title: string, draw: DrawRow): Row {
  const row = draw(drawn, { title, subtitle: describeSkeleton(drawn, drawnFile.skeletons.length > 1) });
  return { row, report: reportOf(drawnFile, drawn, null, row.labels ?? []) };
}

/**
 * Creates the enlarged rows of a pose. A non-humanoid file has no reference pose, which is reported as an issue. Throws OptionError when no
 * skeleton of the file has the pose.
 */
function largeRows(drawnFile: DrawnFile, pose: PoseName | 'all', title: string, names?: NameKind): [Row[], Issue[]] {
  const { file, skeletons } = drawnFile;
  const rows = skeletons.flatMap((drawn) => {
    const poses = pose === 'all' ? distinctPoses(drawn) : allPoses(drawn).filter(({ name }) => name === pose);
    if (poses.length === 0) return [];
    return [poseRow(drawnFile, drawn, title, (one, labels) => largeRow(one, poses, labels, names))];
  });
  if (rows.length > 0 || skeletons.length === 0) return [rows, []];
  if (pose !== 'reference') {
    throw new OptionError(
      'pose',
      `${file.name} has no ${pose} pose, because no skin is bound to its nodes. Use "node" or "all".`,
    );
  }
  const message = `${file.name} has no reference pose, because it is not humanoid: ${skeletons[0].reason}`;
  return [[], [issue('NOT_HUMANOID', message)]];
}

function clipTitle({ clip, index }: FileClip): string {
  return clip.name.trim() === '' ? `clip ${index}` : clip.name;
}

/** Lists the skeletons that a clip animates; if it animates none, the first skeleton is drawn at rest. */
function movedSkeletons({ skeletons }: DrawnFile, { clip }: FileClip): readonly DrawnSkeleton[] {
  const moved = skeletons.filter(({ index }) => clip.clips[index].tracks.length > 0);
  return moved.length > 0 ? moved : skeletons.slice(0, 1);
}

function clipRows(
  drawnFile: DrawnFile,
  one: FileClip,
  times: readonly number[],
  isPair: boolean,
  isAlone: boolean,
): Row[] {
  const { clip, index } = one;
  return movedSkeletons(drawnFile, one).map((drawn) => {
    const duration = `${clip.duration.toFixed(2)} s`;
    const which = drawnFile.skeletons.length > 1 ? [drawn.skeleton.name] : [];
    const isStill = clip.clips[drawn.index].tracks.length === 0 ? ['does not move it'] : [];
    const title = isAlone ? clipTitle(one) : drawnFile.label;
    const notes = [...(isAlone ? [] : [clipTitle(one)]), ...which, duration, ...isStill];
    const labels = { title, subtitle: notes.join('; '), source: isPair && one.file === 0 };
    const row = clipRow(drawn, clip.clips[drawn.index], times, labels);
    return { row, report: reportOf(drawnFile, drawn, { name: clip.name, index, duration: clip.duration }, times) };
  });
}

function groupRows(drawnFiles: readonly DrawnFile[], group: ClipGroup, frames: number): Row[] {
  // Both clips of a pair are drawn at the same times, even if their durations differ.
  const times = columnTimes(Math.max(...group.map(({ clip }) => clip.duration)), frames);
  return group.flatMap((one) => clipRows(drawnFiles[one.file], one, times, group.length > 1, drawnFiles.length === 1));
}

function checkColumns(frames: number): void {
  if (Number.isInteger(frames) && frames >= 1 && frames <= MOST_COLUMNS) return;
  throw new RangeError(`previewFiles: frames is ${frames}, but must be a whole number from 1 to ${MOST_COLUMNS}.`);
}

function headingOf(drawnFiles: readonly DrawnFile[], groups: readonly ClipGroup[], leftOut: number): [string, string] {
  const title = drawnFiles.map(({ label }) => label).join(groups.length > 0 ? '  →  ' : '  ·  ');
  const clips = groups.length === 1 ? '1 clip' : `${groups.length} clips`;
  const notes = groups.length === 0 ? [] : [leftOut > 0 ? `${clips} of ${groups.length + leftOut}` : clips];
  if (drawnFiles.length === 1) notes.unshift(drawnFiles[0].file.asset.format);
  return [title, notes.join('; ')];
}

/**
 * Draws a contact sheet of one file, or of two files to compare: a motion and its retargeted result. The first rows show the poses
 * of every skeleton (reference, node, and bind if it differs). The next rows show every clip; the clips of two files are paired by
 * name; without any match, the first clip of the first file with the last of the second. Humanoids are drawn in their canonical frame, non-humanoid skeletons as plain joints.
 *
 * @param files One or two files.
 * @param options What is drawn; see {@link PreviewOptions}.
 * @returns The sheet as SVG text, and its report.
 * @throws RangeError when `frames` is out of range or when there are not one or two files.
 * @throws OptionError when a clip or pose does not exist.
 * @example
 * const { svg } = previewFiles([await openFile('walk.glb')], { frames: 6, view: 'side' });
 */
export function previewFiles(files: readonly OpenFile[], options: PreviewOptions = {}): Preview {
  const { clips: selectors = [], frames = COLUMNS, view = 'both', pose, names, surface = false, onRow } = options;
  checkColumns(frames);
  if (files.length < 1 || files.length > 2) {
    throw new RangeError(`previewFiles: got ${files.length} files, but expected one file, or two files to compare.`);
  }
  const all = pose !== undefined && selectors.length === 0 ? [] : pairClips(files, selectors);
  const groups = all.slice(0, MOST_CLIPS);
  const drawnFiles = files.map((file): DrawnFile => {
    const skeletons = drawnSkeletons(file).slice(0, MOST_SKELETONS);
    const shown = surface ? skeletons.map((drawn) => withSurface(file, drawn)) : skeletons;
    return { file, label: fileNameOf(file.name), skeletons: shown };
  });
  const issues = drawnFiles.flatMap(({ file, skeletons }) => {
    return skeletons.length > 0
      ? []
      : [
          issue('NOT_HUMANOID', `${file.name} has no skeleton: it has neither a skin nor a node hierarchy.`),
          // Parts that could not be read may explain the missing skeleton.
          ...file.asset.issues,
        ];
  });
  const rows: Row[] = [];
  for (const one of drawnFiles) {
    onRow?.(one.file.name, 'the poses');
    const titled = (title: string): string => (drawnFiles.length === 1 ? title : one.label);
    if (pose !== undefined) {
      const [large, missing] = largeRows(one, pose, titled('poses'), names);
      rows.push(...large);
      issues.push(...missing);
      continue;
    }
    if (names !== undefined) {
      const draw: DrawRow = (drawn, labels) => namesRow(drawn, labels, names);
      rows.push(...one.skeletons.map((drawn) => poseRow(one, drawn, titled(names), draw)));
    }
    if (selectors.length === 0)
      rows.push(...one.skeletons.map((drawn) => poseRow(one, drawn, titled('poses'), posesRow)));
  }
  for (const group of groups) {
    onRow?.(files[group[0].file].name, clipTitle(group[0]));
    rows.push(...groupRows(drawnFiles, group, frames));
  }
  const clipsLeftOut = all.length - groups.length;
  const report = { ok: issues.length === 0, rows: rows.map((row) => row.report), clipsLeftOut, issues };
  if (rows.length === 0) return { svg: null, report: { ...report, ok: false } };
  const [title, subtitle] = headingOf(drawnFiles, groups, clipsLeftOut);
  const svg = drawSheet(
    rows.map(({ row }) => row),
    { title, subtitle, view },
  );
  return { svg, report };
}
