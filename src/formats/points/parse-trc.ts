/** Parses TRC: tab-separated positions of markers or joints, as OpenSim, Pose2Sim and motion capture systems write them. */
import { FormatError } from '../../core/report/format-error.ts';
import { MAX_NUMBERS, type PointFile } from './point-file.ts';

/** Meters per unit, by the word in the header. */
const UNITS: Readonly<Record<string, number>> = {
  ...{ m: 1, meters: 1, metres: 1, cm: 0.01, centimeters: 0.01, mm: 0.001, millimeters: 0.001, dm: 0.1 },
  ...{ in: 0.0254, inches: 0.0254, ft: 0.3048, feet: 0.3048 },
};
/** Rows before the positions: file, headings, values, names, axes. Some programs leave an empty line. */
const HEADER_LINES = 3;
const MAX_MARKERS = 1024;

function cells(line: string): string[] {
  return line.includes('\t') ? line.split('\t') : line.trim().split(/\s+/);
}

function fail(message: string, line: number): never {
  throw new FormatError('POINTS_SYNTAX', message, { line });
}

function headerValue(headings: readonly string[], values: readonly string[], name: string): string {
  const at = headings.findIndex((heading) => heading.trim().toLowerCase() === name);
  return at < 0 ? '' : (values[at] ?? '').trim();
}

function numberOf(cell: string | undefined): number {
  const text = cell?.trim() ?? '';
  return text === '' ? Number.NaN : Number(text);
}

/** Frames per second of the time column; null where it does not rise. */
function rateOfTimes(times: readonly number[]): number | null {
  const span = times[times.length - 1] - times[0];
  const rate = (times.length - 1) / span;
  return rate > 0 && Number.isFinite(rate) ? Number(rate.toPrecision(6)) : null;
}

/** Parses a TRC. Throws FormatError `POINTS_SYNTAX` with the line, when the text is not a TRC. */
export function parseTrc(text: string): PointFile {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.length < HEADER_LINES + 2)
    fail(`The TRC has ${lines.length} lines; expected a header of 5 and the positions. Export it again.`, lines.length);
  const [, headings, values] = lines.slice(0, HEADER_LINES).map(cells);
  const unit = headerValue(headings, values, 'units').toLowerCase();
  const declaredRate = Number(headerValue(headings, values, 'datarate'));
  const namesAt = lines.findIndex((line, at) => at >= HEADER_LINES && /^\s*frame/i.test(line));
  if (namesAt < 0)
    fail('The TRC has no line that begins with "Frame#" and names the markers. Export it again.', HEADER_LINES + 1);
  const heads = cells(lines[namesAt]);
  // Every third column is named, the others are empty; where columns are lost, names follow one another.
  const isSpaced = heads.length > 4 && heads[3]?.trim() === '' && heads[4]?.trim() === '';
  const names = heads
    .slice(2)
    .filter((head, k) => (isSpaced ? k % 3 === 0 && head.trim() !== '' : head.trim() !== ''))
    .map((head) => head.trim());
  if (names.length === 0 || names.length > MAX_MARKERS)
    fail(`The TRC names ${names.length} markers; expected 1 to ${MAX_MARKERS}. Export it again.`, namesAt + 1);
  const rows: number[] = [];
  const times: number[] = [];
  for (let at = namesAt + 1; at < lines.length; at++) {
    const line = lines[at];
    // The line of axes (X1 Y1 Z1 …) begins with an empty cell or a letter.
    if (!/^\s*[-+]?\d/.test(line) || /^\s*\t/.test(line)) continue;
    const row = cells(line);
    if (rows.length > MAX_NUMBERS) fail(`The TRC has more than ${MAX_NUMBERS} numbers. Split the file.`, at + 1);
    times.push(numberOf(row[1]));
    for (let k = 0; k < 3 * names.length; k++) rows.push(numberOf(row[2 + k]));
  }
  if (times.length === 0) fail('The TRC has no rows of positions. Export it again.', lines.length);
  const isRate = declaredRate > 0 && declaredRate <= 10_000;
  return {
    names,
    count: names.length,
    parents: null,
    zerosAreLost: true,
    takes: [{ name: '', positions: Float64Array.from(rows), confidences: null }],
    frameRate: isRate ? declaredRate : rateOfTimes(times),
    metersPerUnit: Object.hasOwn(UNITS, unit) ? UNITS[unit] : null,
  };
}
