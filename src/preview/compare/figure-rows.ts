/** The table of a comparison: one row per figure, as text. */
import type { CompareColumn, ComparedClip } from './compare-report.ts';
import type { CompareFigures } from './figures.ts';

/** Names of the columns. */
export const COLUMN_TITLES: Readonly<Record<CompareColumn, string>> = {
  names: 'copy by name',
  off: 'contacts off',
  auto: 'contacts auto',
  result: 'result',
  with: 'other result',
};

/** A figure as a row of the table. */
export interface FigureRow {
  /** What is measured, with its unit. */
  readonly title: string;
  /** The source, then every column of the clip. */
  readonly cells: readonly string[];
}

function number(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined ? '–' : value.toFixed(digits);
}

const FIGURES: readonly (readonly [title: string, text: (figures: CompareFigures) => string])[] = [
  ['pose error, largest, °', ({ poseError }) => number(poseError.max, 2)],
  ['pose error, mean, °', ({ poseError }) => number(poseError.mean, 2)],
  ['slide, %/s', ({ slide }) => number(slide, 2)],
  ['slide ÷ source', ({ slideRatio }) => number(slideRatio, 3)],
  ['drift of plants, %', ({ drift }) => number(drift.mean, 2)],
  ['soles below ground, 95 %, %', ({ penetration }) => number(penetration.p95, 2)],
  ['soles below ground, worst, %', ({ penetration }) => number(penetration.max, 2)],
  ['soles above ground, 95 %, %', ({ float }) => number(float.p95, 2)],
  ['trunk off the ground, 95 %, %', ({ trunk }) => number(trunk?.p95, 2)],
  ['hands inside, mean, % of vertices', ({ selfPenetration }) => number(selfPenetration?.mean, 1)],
  ['hands inside, worst, % of vertices', ({ selfPenetration }) => number(selfPenetration?.worst, 1)],
  ['gap of touching hands, mean, %', ({ handGap }) => number(handGap?.mean, 2)],
  ['gap of touching hands, worst, %', ({ handGap }) => number(handGap?.worst, 2)],
  ['jerk ÷ source', ({ jerkRatio }) => number(jerkRatio, 2)],
  ['flips of knees and elbows', ({ flips }) => number(flips, 0)],
  ['speed, m/s', ({ root }) => number(root.speed, 3)],
  ['speed ÷ source × scale', ({ speedRatio }) => number(speedRatio, 4)],
  ['heading, °', ({ root }) => number(root.heading, 1)],
];

/**
 * Lists the columns of a clip.
 *
 * @param clip A compared clip.
 * @returns Titles, the source first.
 */
export function columnTitles({ columns }: ComparedClip): string[] {
  return ['source', ...Object.keys(columns).map((column) => COLUMN_TITLES[column as CompareColumn])];
}

/**
 * Lists the figures of a clip as text.
 *
 * @param clip A compared clip.
 * @returns One row per figure.
 */
export function figureRows({ source, columns }: ComparedClip): FigureRow[] {
  return FIGURES.map(([title, text]) => ({ title, cells: [source, ...Object.values(columns)].map(text) }));
}
