/** Small charts of a comparison: lines over time, and the trails of feet on the ground. */
import { px, text } from '../svg.ts';

export interface ChartLine {
  readonly name: string;
  readonly color: string;
  readonly x: ArrayLike<number>;
  /** Vertical values, as many. */
  readonly y: ArrayLike<number>;
}

const WIDTH = 560;
const HEIGHT = 150;
const LEFT = 46;
const BOTTOM = 20;
const LEGEND_LINE = 16;
/** Least distance of two labels of an axis. */
const LABEL_GAP = 12;
const INK = '#5b6472';

function rangeOf(lists: readonly ArrayLike<number>[], least: number): { readonly low: number; readonly high: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const list of lists) {
    for (let k = 0; k < list.length; k++) {
      low = Math.min(low, list[k]);
      high = Math.max(high, list[k]);
    }
  }
  if (!(high >= low)) return { low: 0, high: least };
  return high - low >= least ? { low, high } : { low: (low + high - least) / 2, high: (low + high + least) / 2 };
}

/** Legend entries side by side, in as many lines as they need. */
function legend(lines: readonly ChartLine[]): { readonly content: string; readonly height: number } {
  let [x, y] = [LEFT, 10];
  const parts = lines.map(({ name, color }) => {
    const width = 26 + 7 * name.length;
    if (x + width > WIDTH && x > LEFT) [x, y] = [LEFT, y + LEGEND_LINE];
    const at = x;
    x += width;
    return `<line x1="${px(at)}" y1="${y}" x2="${px(at + 14)}" y2="${y}" stroke="${color}" stroke-width="3"/>${text(at + 18, y + 4, 11, INK, name)}`;
  });
  return { content: parts.join(''), height: y + LEGEND_LINE };
}

function pathOf({ x, y }: ChartLine, toX: (value: number) => number, toY: (value: number) => number): string {
  const points = Array.from({ length: x.length }, (_, k) => `${px(toX(x[k]))} ${px(toY(y[k]))}`);
  return points.length === 0 ? '' : `M${points.join('L')}`;
}

function frame(width: number, height: number, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif">${content}</svg>`;
}

/** Draws lines over time. `unit`: unit of the vertical axis. */
export function lineChart(lines: readonly ChartLine[], unit: string, least: number): string {
  const time = rangeOf(
    lines.map(({ x }) => x),
    1e-6,
  );
  const value = rangeOf([...lines.map(({ y }) => y), [0]], least);
  const names = legend(lines);
  const height = HEIGHT + names.height;
  const toX = (at: number): number => LEFT + ((at - time.low) / (time.high - time.low)) * (WIDTH - LEFT - 8);
  const toY = (at: number): number =>
    height - BOTTOM - ((at - value.low) / (value.high - value.low)) * (height - BOTTOM - names.height);
  // Zero is always there; an end that is too close to it has no label.
  const isApart = (at: number): boolean => at === 0 || Math.abs(toY(at) - toY(0)) >= LABEL_GAP;
  const axis = [...new Set([value.low, 0, value.high])].filter(isApart);
  const grid = axis.map(
    (at) =>
      `<line x1="${LEFT}" y1="${px(toY(at))}" x2="${WIDTH - 8}" y2="${px(toY(at))}" stroke="#dfe3e8"/>${text(LEFT - 6, toY(at) + 4, 10, INK, `${at.toFixed(1)}`, ' text-anchor="end"')}`,
  );
  const drawn = lines.map(
    (line) => `<path d="${pathOf(line, toX, toY)}" fill="none" stroke="${line.color}" stroke-width="1.6"/>`,
  );
  const labels =
    text(WIDTH - 8, height - 4, 10, INK, `${time.high.toFixed(2)} s`, ' text-anchor="end"') +
    text(4, 14, 10, INK, unit);
  return frame(WIDTH, height, grid.join('') + drawn.join('') + names.content + labels);
}

/** Draws trails on the ground from above: to the left is left, the front is up. `lines`: x (to the left) and z (to the front), meters. */
export function trailChart(lines: readonly ChartLine[]): string {
  const [x, z] = [
    rangeOf(
      lines.map((line) => line.x),
      0.2,
    ),
    rangeOf(
      lines.map((line) => line.y),
      0.2,
    ),
  ];
  const scale = Math.min((WIDTH - 40) / (x.high - x.low), 260 / (z.high - z.low));
  const names = legend(lines);
  const height = Math.round((z.high - z.low) * scale + 36 + names.height);
  const middle = (x.low + x.high) / 2;
  const toX = (at: number): number => WIDTH / 2 - (at - middle) * scale;
  const toY = (at: number): number => height - 24 - (at - z.low) * scale;
  const drawn = lines.map(
    (line) =>
      `<path d="${pathOf(line, toX, toY)}" fill="none" stroke="${line.color}" stroke-width="1.4" stroke-opacity="0.85"/>`,
  );
  const meter = `<line x1="${LEFT}" y1="${height - 8}" x2="${px(LEFT + 0.1 * scale)}" y2="${height - 8}" stroke="${INK}" stroke-width="2"/>${text(LEFT + 0.1 * scale + 6, height - 4, 10, INK, '10 cm')}`;
  return frame(WIDTH, height, drawn.join('') + names.content + meter);
}
