/** Draws the speedups of a run as bars on a logarithmic axis. */
import { FONT, px, text } from '../src/preview/svg.ts';
import type { Row } from './measure.ts';

const WIDTH = 940;
const LEFT = 340;
const RIGHT = 60;
const ROW = 34;
const TOP = 46;
const BAR = '#4477aa';
const INK = '#222222';
const PALE = '#777777';

/** Powers of ten from 1 to the first above all values. */
function decades(values: readonly number[]): number[] {
  const last = Math.ceil(Math.log10(Math.max(10, ...values)));
  return Array.from({ length: last + 1 }, (_, k) => 10 ** k);
}

/**
 * Draws the rows that are speedups over another library or over our own TypeScript, in their order.
 *
 * @param rows The rows of a run.
 * @param machine What they were measured on.
 * @returns An SVG document.
 */
export function benchChart(rows: readonly Row[], machine: string): string {
  const shown = rows.filter(({ goal, ratio }) => goal?.kind === 'speedup' && ratio > 0);
  const ticks = decades(shown.map(({ ratio }) => ratio));
  const height = TOP + ROW * shown.length + 34;
  const xOf = (ratio: number): number =>
    LEFT + ((WIDTH - LEFT - RIGHT) * Math.log10(Math.max(1, ratio))) / (ticks.length - 1);
  const lines = ticks.map((tick) => {
    const x = px(xOf(tick));
    const line = `<line x1="${x}" x2="${x}" y1="${TOP}" y2="${height - 28}" stroke="#dddddd"/>`;
    return line + text(xOf(tick), TOP - 8, 12, PALE, `${tick}×`, ' text-anchor="middle"');
  });
  const bars = shown.map(({ name, against, ratio }, k) => {
    const y = TOP + ROW * k;
    const bar = `<rect x="${LEFT}" y="${y + 7}" width="${px(xOf(ratio) - LEFT)}" height="20" fill="${BAR}"/>`;
    return (
      text(LEFT - 12, y + 16, 13, INK, name, ' text-anchor="end"') +
      text(LEFT - 12, y + 29, 10, PALE, `against ${against}`, ' text-anchor="end"') +
      bar +
      text(xOf(ratio) + 6, y + 22, 13, INK, `${ratio.toPrecision(3)}×`)
    );
  });
  const note = text(12, height - 10, 11, PALE, machine);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="${FONT}"><rect width="100%" height="100%" fill="#ffffff"/>${lines.join('')}${bars.join('')}${note}</svg>\n`;
}
