/** The page of a comparison: one HTML file with tables, contact sheets, trails and charts. */
import { type CharacterFrames, sampleCharacterFrames } from '../../core/contacts/frames/character-frames.ts';
import { createPosedCharacter } from '../../core/contacts/frames/posed-character.ts';
import { SIDES } from '../../core/humanoid/bones.ts';
import { MEASURED_LIMBS, type MeasuredLimb } from '../../core/measure/limb-errors.ts';
import { type JudgedFigure, limbWords, THRESHOLDS } from '../../core/measure/verdict.ts';
import { drawnSkeletons } from '../drawn-skeleton.ts';
import { drawSheet, type SheetRow } from '../sheet.ts';
import { clipRow, columnTimes } from '../sheet-row.ts';
import { type ChartLine, lineChart, trailChart } from './charts.ts';
import type { ComparedClip, CompareReport, DrawnColumn } from './compare-report.ts';
import { COLUMN_TITLES, columnTitles, type FigureRow, figureRows, LEVEL_WORDS, limbRows } from './figure-rows.ts';

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

function tableOf(clip: ComparedClip, title: string, rows: readonly FigureRow[]): string {
  const head = columnTitles(clip).map((one) => `<th>${htmlText(one)}</th>`);
  const lines = rows.map(({ title: row, cells }) => {
    const marked = cells.map(({ text, level }) => {
      const mark = level === null || text === '–' ? '' : ` class="${level}" title="${LEVEL_WORDS[level]}"`;
      return `<td${mark}>${htmlText(text)}</td>`;
    });
    return `<tr><th scope="row">${htmlText(row)}</th>${marked.join('')}</tr>`;
  });
  return `<div class="scroll"><table><thead><tr><th>${htmlText(title)}</th>${head.join('')}</tr></thead>${lines.join('')}</table></div>`;
}

/** What is above its thresholds in the result, in sentences. */
function verdictOf({ columns }: ComparedClip): string {
  const verdict = columns.result?.verdict;
  if (verdict === undefined) return '';
  const found = verdict.findings.map(({ level, message }) => `<li class="${level}">${htmlText(message)}</li>`);
  return `<p class="verdict">Result: <strong class="${verdict.level}">${LEVEL_WORDS[verdict.level]}</strong></p><ul>${found.join('')}</ul>`;
}

function sheetOf(clip: ComparedClip, drawn: readonly DrawnColumn[]): string {
  const times = columnTimes(clip.duration, COLUMNS);
  const rows = drawn.flatMap((one): SheetRow[] => {
    const skeleton = drawnSkeletons(one.file).find(({ index }) => index === one.found.index);
    if (skeleton === undefined) return [];
    const labels = { title: titleOf(one), subtitle: one.file.name, source: one.column === null };
    return [clipRow({ ...skeleton, surface: one.surface }, one.clip, times, labels)];
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
  const grid = { start: 0, count: Math.max(2, Math.floor(clip.duration * RATE) + 1), step: 1 / RATE };
  // A copy by name is often meters away: beside it nothing else could be seen.
  const shown = drawn.filter(({ column }) => column !== 'names');
  return shown.map((column) => {
    const posed = createPosedCharacter(column.character.humanoid, column.surface);
    const frames = sampleCharacterFrames(posed, column.clip, grid);
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

/** Limbs that share a line of the chart: the worst of them is drawn. */
const CHARTED: readonly (readonly [name: string, limbs: RegExp])[] = [
  ['pelvis and trunk', /^(?:pelvis|trunk)$/],
  ['head', /^head$/],
  ['left arm', /^left(?:UpperArm|Forearm)$/],
  ['right arm', /^right(?:UpperArm|Forearm)$/],
  ['left hand', /^left(?:Hand|Palm|Fingers)$/],
  ['right hand', /^right(?:Hand|Palm|Fingers)$/],
  ['left leg', /^left(?:Thigh|Shin)$/],
  ['right leg', /^right(?:Thigh|Shin)$/],
  ['left foot', /^leftFoot$/],
  ['right foot', /^rightFoot$/],
];

function worstOver(errors: ReadonlyMap<MeasuredLimb, Float64Array>, names: RegExp): Float64Array | null {
  const found = MEASURED_LIMBS.flatMap((limb) => (names.test(limb) ? (errors.get(limb) ?? []) : []));
  return found.length === 0 ? null : found[0].map((_, frame) => Math.max(...found.map((one) => one[frame])));
}

/** Errors of the limbs of the result over time. */
function errorsOf(drawn: readonly DrawnColumn[]): string {
  const measured = drawn.find(({ column }) => column === 'result')?.measured ?? null;
  if (measured === null) return '';
  const lines = CHARTED.flatMap(([name, limbs], k): ChartLine[] => {
    const errors = worstOver(measured.errors, limbs);
    return errors === null ? [] : [{ name, color: PART_COLORS[k], x: measured.times, y: errors }];
  });
  return lineChart(lines, '°', 0.1);
}

function thresholdTable(): string {
  const rows = (Object.keys(THRESHOLDS) as JudgedFigure[]).map((figure) => {
    const { unit, look, wrong, why } = THRESHOLDS[figure];
    const above = wrong === Number.POSITIVE_INFINITY ? '–' : `${wrong} ${unit}`;
    return `<tr><th scope="row">${limbWords(figure)}</th><td>${look} ${unit}</td><td>${above}</td><td class="why">${htmlText(why)}</td></tr>`;
  });
  return `<section><h2>Thresholds</h2><div class="scroll"><table><thead><tr><th>figure</th><th>look at it from</th><th>wrong from</th><th class="why">what it is</th></tr></thead>${rows.join('')}</table></div></section>`;
}

function sectionOf({ clip, drawn }: { readonly clip: ComparedClip; readonly drawn: readonly DrawnColumn[] }): string {
  const all = sampled(clip, drawn);
  const sides = SIDES.map(
    (side) =>
      `<figure><figcaption>${side} toe joint from above</figcaption>${trailsOf(all, side)}</figure><figure><figcaption>height of the ${side} sole</figcaption>${heightsOf(all, side)}</figure>`,
  );
  return [
    `<section><h2>${htmlText(clip.name)}</h2><p>${clip.duration.toFixed(2)} s, hips scale ${clip.hipsScale.toPrecision(4)}</p>`,
    verdictOf(clip),
    tableOf(clip, 'figure', figureRows(clip)),
    sheetOf(clip, drawn),
    `<div class="charts">${sides.join('')}<figure><figcaption>error of the limbs of the result, without what was changed on purpose</figcaption>${errorsOf(drawn)}</figure></div>`,
    tableOf(clip, 'error, 95 % + changed on purpose at most', limbRows(clip)),
    '</section>',
  ].join('\n');
}

const STYLE = `:root{font:14px/1.45 system-ui,sans-serif;color:#222a35;margin:2rem auto;max-width:1180px;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #e4e7eb}
th[scope=row],thead th:first-child{text-align:left;font-weight:500}section{margin-top:3rem}svg{max-width:100%;height:auto}
.scroll{overflow-x:auto}td.why,th.why{text-align:left;min-width:16rem}td.good,.good{color:#16703a}td.look,.look{color:#8a5a00;background:#fff6e0}td.wrong,.wrong{color:#b3200c;background:#fdeae6;font-weight:600}
.verdict{font-size:1.1rem}.verdict strong{padding:.1rem .5rem;border-radius:.3rem}ul{padding-left:1.2rem}h1{overflow-wrap:anywhere}
.charts{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0}figcaption{color:#5b6472}`;

/** The page has no script and loads nothing: names in files that would do either, by a mistake of ours, are stopped by the browser. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function comparePage(
  report: CompareReport,
  clips: readonly { readonly clip: ComparedClip; readonly drawn: readonly DrawnColumn[] }[],
): string {
  const title = `${report.source} → ${report.result}`;
  const other = report.with === null ? '' : `, compared with ${report.with}`;
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${htmlText(title)}</title><style>${STYLE}</style>
<h1>${htmlText(title)}${htmlText(other)}</h1>
<p>Measured from joint positions and skins alone. Lengths in percent of the height of the character, from the feet to the joint of the head. Slide, drift, soles and trunk are measured where the source touches the ground; a → b is source → result. What contacts and arms changed on purpose is no error.</p>
${clips.map(sectionOf).join('\n')}
${thresholdTable()}
</html>
`;
}
