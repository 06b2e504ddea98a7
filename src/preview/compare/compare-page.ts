/** The page of a comparison: one HTML file with tables, contact sheets, trails and charts. */
import { type CharacterFrames, sampleCharacterFrames } from '../../core/contacts/frames/character-frames.ts';
import { createPosedCharacter } from '../../core/contacts/frames/posed-character.ts';
import { SIDES } from '../../core/humanoid/bones.ts';
import { COMPARED_PARTS } from '../../core/measure/limb-errors.ts';
import { drawnSkeletons } from '../drawn-skeleton.ts';
import { drawSheet, type SheetRow } from '../sheet.ts';
import { clipRow, columnTimes } from '../sheet-row.ts';
import { type ChartLine, lineChart, trailChart } from './charts.ts';
import type { ComparedClip, CompareReport, DrawnColumn } from './compare-report.ts';
import { COLUMN_TITLES, columnTitles, figureRows } from './figure-rows.ts';

/** Columns of the contact sheet. */
const COLUMNS = 6;
/** Frames per second of trails and heights. */
const RATE = 60;
const COLORS: Readonly<Record<string, string>> = {
  source: '#8a919c',
  names: '#b07d2b',
  off: '#d9501e',
  auto: '#1c63c4',
  result: '#16803c',
  with: '#8a3ab9',
};
const PART_COLORS = [
  '#16803c',
  '#8a3ab9',
  '#1c63c4',
  '#d9501e',
  '#6aa7f0',
  '#f0a46a',
  '#0b3f86',
  '#932f0b',
  '#2aa5a0',
  '#b07d2b',
];

function htmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function titleOf({ column }: DrawnColumn): string {
  return column === null ? 'source' : COLUMN_TITLES[column];
}

function colorOf({ column }: DrawnColumn): string {
  return COLORS[column ?? 'source'];
}

function tableOf(clip: ComparedClip): string {
  const head = columnTitles(clip).map((title) => `<th>${htmlText(title)}</th>`);
  const rows = figureRows(clip).map(({ title, cells }) => {
    return `<tr><th scope="row">${htmlText(title)}</th>${cells.map((cell) => `<td>${htmlText(cell)}</td>`).join('')}</tr>`;
  });
  return `<table><thead><tr><th></th>${head.join('')}</tr></thead>${rows.join('')}</table>`;
}

/** A table of the largest error per part. */
function limbTable(clip: ComparedClip): string {
  const columns = Object.values(clip.columns);
  const [, ...titles] = columnTitles(clip);
  const rows = COMPARED_PARTS.flatMap((part) => {
    const cells = columns.map(({ limbs }) => limbs[part]?.toFixed(2) ?? '–');
    const title = part.replace(/([A-Z])/g, ' $1').toLowerCase();
    return cells.every((cell) => cell === '–')
      ? []
      : [`<tr><th scope="row">${title}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`];
  });
  const head = titles.map((title) => `<th>${htmlText(title)}</th>`).join('');
  return `<table><thead><tr><th>largest pose error, °</th>${head}</tr></thead>${rows.join('')}</table>`;
}

function sheetOf(clip: ComparedClip, drawn: readonly DrawnColumn[]): string {
  const times = columnTimes(clip.duration, COLUMNS);
  const rows = drawn.flatMap((one): SheetRow[] => {
    const skeleton = drawnSkeletons(one.file).find(({ index }) => index === one.found.index);
    if (skeleton === undefined) return [];
    const labels = { title: titleOf(one), subtitle: one.file.name, source: one.column === null };
    return [clipRow({ ...skeleton, surface: one.character.surface }, one.clip, times, labels)];
  });
  return drawSheet(rows, { title: clip.name, view: 'both' });
}

interface Sampled {
  readonly column: DrawnColumn;
  readonly frames: CharacterFrames;
  /** Meters of the source become those of the character. */
  readonly scale: number;
}

function sampled(clip: ComparedClip, drawn: readonly DrawnColumn[]): Sampled[] {
  const grid = { count: Math.max(2, Math.floor(clip.duration * RATE) + 1), step: 1 / RATE };
  // A copy by name is often meters away: beside it nothing else could be seen.
  const shown = drawn.filter(({ column }) => column !== 'names');
  return shown.map((column) => {
    const { humanoid, surface } = column.character;
    const frames = sampleCharacterFrames(createPosedCharacter(humanoid, surface), column.clip, grid);
    return { column, frames, scale: column.column === null ? clip.hipsScale : 1 };
  });
}

/** Paths of the toe joints from above; that of the source is scaled. */
function trailsOf(all: readonly Sampled[], side: 'left' | 'right'): string {
  const lines = all.flatMap(({ column, frames, scale }): ChartLine[] => {
    const leg = frames.legs[side];
    if (leg === null) return [];
    const component = (axis: number): number[] =>
      Array.from({ length: frames.grid.count }, (_, k) => scale * leg.ball[3 * k + axis]);
    return [{ name: titleOf(column), color: colorOf(column), x: component(0), y: component(2) }];
  });
  return lines.length === 0 ? '' : trailChart(lines);
}

/** Heights of the soles over time; those of the source are scaled. */
function heightsOf(all: readonly Sampled[], side: 'left' | 'right'): string {
  const lines = all.flatMap(({ column, frames, scale }): ChartLine[] => {
    const leg = frames.legs[side];
    if (leg === null) return [];
    const x = Array.from({ length: frames.grid.count }, (_, k) => k * frames.grid.step);
    return [{ name: titleOf(column), color: colorOf(column), x, y: Array.from(leg.clearance, (y) => 100 * scale * y) }];
  });
  return lines.length === 0 ? '' : lineChart(lines, 'cm', 2);
}

/** Pose errors of the result over time. */
function errorsOf(drawn: readonly DrawnColumn[]): string {
  const result = drawn.find(({ column }) => column === 'result');
  if (result === undefined) return '';
  const { times, parts } = result.measured.errors;
  const lines = COMPARED_PARTS.flatMap((part, k): ChartLine[] => {
    const errors = parts[part];
    return errors === undefined ? [] : [{ name: part, color: PART_COLORS[k], x: times, y: errors }];
  });
  return lineChart(lines, '°', 0.1);
}

function sectionOf({ clip, drawn }: { readonly clip: ComparedClip; readonly drawn: readonly DrawnColumn[] }): string {
  const all = sampled(clip, drawn);
  const sides = SIDES.map(
    (side) =>
      `<figure><figcaption>${side} toe joint from above</figcaption>${trailsOf(all, side)}</figure><figure><figcaption>height of the ${side} sole</figcaption>${heightsOf(all, side)}</figure>`,
  );
  return [
    `<section><h2>${htmlText(clip.name)}</h2><p>${clip.duration.toFixed(2)} s, hips scale ${clip.hipsScale.toPrecision(4)}</p>`,
    tableOf(clip),
    sheetOf(clip, drawn),
    `<div class="charts">${sides.join('')}<figure><figcaption>pose error of the result</figcaption>${errorsOf(drawn)}</figure></div>`,
    limbTable(clip),
    '</section>',
  ].join('\n');
}

const STYLE = `:root{font:14px/1.45 system-ui,sans-serif;color:#222a35;margin:2rem auto;max-width:1180px;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #e4e7eb}
th[scope=row],thead th:first-child{text-align:left;font-weight:500}section{margin-top:3rem}svg{max-width:100%;height:auto}
.charts{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0}figcaption{color:#5b6472}`;

/**
 * Writes the page of a comparison.
 *
 * @param report The figures.
 * @param clips The clips with their motions.
 * @returns HTML text that needs no other file.
 */
export function comparePage(
  report: CompareReport,
  clips: readonly { readonly clip: ComparedClip; readonly drawn: readonly DrawnColumn[] }[],
): string {
  const title = `${report.source} → ${report.result}`;
  const other = report.with === null ? '' : `, compared with ${report.with}`;
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${htmlText(title)}</title><style>${STYLE}</style>
<h1>${htmlText(title)}${htmlText(other)}</h1>
<p>Lengths in percent of the height of the character, those of the source scaled to it. Slide, drift, soles and trunk are measured where the source touches the ground.</p>
${clips.map(sectionOf).join('\n')}
</html>
`;
}
