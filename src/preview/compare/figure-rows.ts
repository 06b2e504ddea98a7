/** The tables of a comparison: one row per figure, as text, each with how good it is. */
import { MEASURED_LIMBS } from '../../core/measure/limb-errors.ts';
import {
  type JudgedFigure,
  judgedValues,
  type Level,
  levelOf,
  limbWords,
  thresholdOf,
  worstLevel,
} from '../../core/measure/verdict.ts';
import type { CompareColumn, ComparedClip } from './compare-report.ts';
import type { CompareFigures } from './figures.ts';

export const COLUMN_TITLES: Readonly<Record<CompareColumn, string>> = {
  names: 'copy by name',
  off: 'contacts off',
  auto: 'contacts auto',
  result: 'result',
  with: 'other result',
};

export const LEVEL_WORDS: Readonly<Record<Level, string>> = { good: 'good', look: 'look at it', wrong: 'wrong' };

export interface FigureCell {
  readonly text: string;
  /** How good it is; null where nothing is judged. */
  readonly level: Level | null;
}

export interface FigureRow {
  /** What is measured, with its unit. */
  readonly title: string;
  readonly cells: readonly FigureCell[];
}

function number(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined ? '–' : value.toFixed(digits);
}

/** How good a figure is, with the value that is judged. */
function levelIn(figures: CompareFigures, figure: JudgedFigure): Level | null {
  const judged = judgedValues(figures).filter((one) => one.figure === figure && one.limb === null);
  return judged.length === 0 ? null : worstLevel(judged.map(({ value }) => levelOf(figure, value)));
}

function limbLevel(figures: CompareFigures): Level {
  const ofLimbs = figures.verdict.findings.filter(({ limb, figure }) => limb !== null && figure !== 'changed');
  return worstLevel(ofLimbs.map(({ level }) => level));
}

type Cell = (figures: CompareFigures) => FigureCell;

const judged =
  (figure: JudgedFigure, text: (figures: CompareFigures) => string): Cell =>
  (figures) => ({ text: text(figures), level: levelIn(figures, figure) });
const plain =
  (text: (figures: CompareFigures) => string): Cell =>
  (figures) => ({ text: text(figures), level: null });

/** Text of "source → result". */
const pair = (before: number | null | undefined, after: number | null | undefined, digits: number): string =>
  after === null || after === undefined ? '–' : `${number(before, digits)} → ${number(after, digits)}`;

const FIGURES: readonly (readonly [title: string, cell: Cell])[] = [
  ['verdict', ({ verdict }) => ({ text: LEVEL_WORDS[verdict.level], level: verdict.level })],
  ['limbs, mean error, °', (figures) => ({ text: number(figures.meanError, 2), level: limbLevel(figures) })],
  ['limbs, changed on purpose, °', plain((figures) => (figures.moved === null ? '–' : number(meanChange(figures), 2)))],
  [
    'hands and feet moved on purpose, most, %',
    plain(({ moved }) => (moved === null ? '–' : number(mostMoved(moved), 1))),
  ],
  ['facing, °', judged('facing', ({ yaw }) => number(yaw, 1))],
  ['left and right', judged('sides', ({ sides }) => (sides.crossed < sides.straight ? 'swapped fit better' : 'kept'))],
  ['height of the pelvis, 95 %, %', judged('height', ({ pelvis }) => number(pelvis?.height.p95, 2))],
  ['path over the ground, 95 %, %', judged('path', ({ pelvis }) => number(pelvis?.path.p95, 2))],
  ['length of the path ÷ legs', judged('scale', ({ pelvis }) => number(pelvis?.scale, 3))],
  ['slide in contacts, %/s', judged('slide', ({ feet }) => pair(feet?.slide.source, feet?.slide.result, 2))],
  ['drift in contacts, %', plain(({ feet }) => pair(feet?.drift.source, feet?.drift.result, 2))],
  ['soles below ground, 95 %, %', judged('below', ({ feet }) => number(feet?.below.p95, 2))],
  ['soles above ground, 95 %, %', judged('above', ({ feet }) => number(feet?.above.p95, 2))],
  ['trunk off the ground, 95 %, %', judged('lying', ({ feet }) => number(feet?.lying?.p95, 2))],
  [
    'hands inside, mean, % of vertices',
    judged('inside', ({ inside }) => pair(inside?.source?.mean, inside?.result.mean, 1)),
  ],
  ['gap of touching hands, mean, %', judged('hands', ({ hands }) => pair(hands?.source, hands?.result, 2))],
  ['jerk ÷ source', judged('jerk', ({ jerk }) => (jerk.source > 0 ? number(jerk.result / jerk.source, 2) : '–'))],
  ['flips of knees and elbows', judged('flips', ({ flips }) => pair(flips.source, flips.result, 0))],
  ['sudden rotations', judged('spikes', ({ spikes }) => number(spikes, 0))],
  ['duration, s', judged('duration', ({ duration }) => pair(duration.source, duration.result, 2))],
  ['keys', plain(({ keys }) => pair(keys.source, keys.result, 0))],
  ['speed, m/s', plain(({ root }) => number(root.speed, 3))],
  ['speed ÷ source × scale', plain(({ speedRatio }) => number(speedRatio, 4))],
  ['heading, °', plain(({ root }) => number(root.heading, 1))],
];

function meanChange({ limbs }: CompareFigures): number {
  const changes = Object.values(limbs).map(({ changed }) => changed.mean);
  return changes.reduce((sum, value) => sum + value, 0) / Math.max(1, changes.length);
}

function mostMoved(moved: NonNullable<CompareFigures['moved']>): number {
  return Math.max(0, ...Object.values(moved).map(({ max }) => max));
}

export function columnTitles({ columns }: ComparedClip): string[] {
  return Object.keys(columns).map((column) => COLUMN_TITLES[column as CompareColumn]);
}

export function figureRows({ columns }: ComparedClip): FigureRow[] {
  return FIGURES.map(([title, cell]) => ({ title, cells: Object.values(columns).map(cell) }));
}

export function limbRows({ columns }: ComparedClip): FigureRow[] {
  const all = Object.values(columns);
  return MEASURED_LIMBS.filter((limb) => all.some(({ limbs }) => limbs[limb] !== undefined)).map((limb) => {
    const cells = all.map(({ limbs }): FigureCell => {
      const one = limbs[limb];
      if (one === undefined) return { text: '–', level: null };
      const changed = one.changed.max < 0.05 ? '' : ` + ${number(one.changed.max, 1)}`;
      const levels = [levelOf(thresholdOf(limb), one.p95), levelOf('peak', one.max)];
      return { text: `${number(one.p95, 2)}${changed}`, level: worstLevel(levels) };
    });
    return { title: `${limbWords(limb)}, °`, cells };
  });
}
