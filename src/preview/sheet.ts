/** Contact sheets: characters over time as stick figures, from the front and from the side, as one SVG. */
import { COLOURS, cellOf, drawFigure, drawGround, FIGURE, px, reachOf, type SheetBody, VIEWS } from './cell.ts';

/** One character in one motion. Canonical frame (facing +Z, up +Y), metres. */
export interface SheetRow extends SheetBody {
  readonly title: string;
  readonly subtitle?: string;
  /** Where the motion comes from: set off from the rows that show what became of it. */
  readonly source?: boolean;
  /** Positions of all joints per column, xyz. */
  readonly frames: readonly ArrayLike<number>[];
}

export interface SheetOptions {
  readonly title: string;
  readonly subtitle?: string;
  /** Time of every column, seconds. */
  readonly times: readonly number[];
}

const FONT = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";
/** Pixels. */
const MARGIN = 28;
const LABELS = 196;
const GAP = 34;
const HEADER = 108;
const BELOW_GROUND = 22;
const ABOVE_HEAD = 14;
const PADDING = 20;
const CELL_GAP = 5;
const LEAST_COLUMN = 62;

/** Names come out of files: what XML 1.0 has no place for (section 2.2) becomes the replacement character. */
function escapeXml(text: string): string {
  const legal = text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '\ufffd');
  return legal.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function text(x: number, y: number, size: number, fill: string, content: string, more = ''): string {
  return `<text x="${px(x)}" y="${px(y)}" font-size="${size}" fill="${fill}"${more}>${escapeXml(content)}</text>`;
}

/** Words in lines of at most `width` letters. */
function wrap(content: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of content.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function legend(right: number, y: number): string {
  const entries = [
    ['left side', COLOURS.left],
    ['right side', COLOURS.right],
  ] as const;
  let x = right;
  const parts: string[] = [];
  for (const [label, colour] of entries) {
    x -= label.length * 6 + 30;
    parts.push(`<path d="M${px(x)} ${px(y - 4)}h16" stroke="${colour}" stroke-width="3.2" stroke-linecap="round"/>`);
    parts.push(text(x + 22, y, 12, '#5b6673', label));
  }
  return parts.join('');
}

/**
 * The sheet as SVG text: a row a character, the front view on the left and the side view on the right, a column a time. All
 * characters are drawn equally tall and followed by the eye; the marks on the ground are a quarter of a height apart.
 */
export function drawSheet(rows: readonly SheetRow[], { title, subtitle = '', times }: SheetOptions): string {
  const cells = rows.map((row) => row.frames.map((positions) => cellOf(row, positions)));
  const reaches = VIEWS.map((view) => rows.flatMap((row, r) => cells[r].map((cell) => reachOf(row, cell, view))));
  const columns = Math.max(1, times.length, ...rows.map(({ frames }) => frames.length));
  const widths = reaches.map((list) =>
    Math.max(LEAST_COLUMN, 2 * FIGURE * Math.max(0, ...list.map(({ aside }) => aside)) + PADDING),
  );
  const up = Math.max(1, ...reaches.flat().map((reach) => reach.up)) * FIGURE;
  const rowHeight = ABOVE_HEAD + up + BELOW_GROUND;
  const starts = [MARGIN + LABELS, MARGIN + LABELS + columns * widths[0] + GAP];
  const width = starts[1] + columns * widths[1] + MARGIN;
  const height = HEADER + rows.length * rowHeight + MARGIN;

  const out: string[] = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${px(width)} ${px(height)}" width="${px(width)}" height="${px(height)}" font-family="${FONT}">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    text(MARGIN, 44, 22, '#1c2530', title, ' font-weight="600"'),
    text(MARGIN, 66, 13, '#5b6673', subtitle),
    legend(width - MARGIN, 44),
  ];
  VIEWS.forEach((view, v) => {
    out.push(text(starts[v], HEADER - 18, 13, '#1c2530', view.name, ' font-weight="600"'));
    times.forEach((time, column) => {
      const x = starts[v] + (column + 0.5) * widths[v];
      if (column > 0) out.push(text(x, HEADER - 18, 11, '#8a95a3', `${time.toFixed(2)} s`, ' text-anchor="middle"'));
    });
  });
  rows.forEach((row, r) => {
    const top = HEADER + r * rowHeight;
    const ground = top + rowHeight - BELOW_GROUND;
    const fill = row.source === true ? '#fdf6e3' : r % 2 === 0 ? '#f6f8fa' : '#fff';
    out.push(
      `<rect x="${px(MARGIN / 2)}" y="${px(top)}" width="${px(width - MARGIN)}" height="${px(rowHeight)}" rx="6" fill="${fill}"/>`,
    );
    out.push(drawLabel(row, top + rowHeight / 2));
    VIEWS.forEach((view, v) => {
      cells[r].forEach((cell, column) => {
        const x = starts[v] + (column + 0.5) * widths[v];
        out.push(drawGround(row, cell.follow, view, x, ground, widths[v] / 2 - CELL_GAP));
      });
      out.push(`<g fill="none" stroke-width="3.2" stroke-linecap="round">`);
      cells[r].forEach((cell, column) => {
        out.push(drawFigure(row, cell, view, starts[v] + (column + 0.5) * widths[v], ground));
      });
      out.push('</g>');
    });
  });
  out.push('</svg>\n');
  return out.join('\n');
}

function drawLabel(row: SheetRow, middle: number): string {
  const titles = wrap(row.title, 24);
  const notes = wrap(row.subtitle ?? '', 30).filter((line) => line !== '');
  let y = middle - ((titles.length - 1) * 17 + notes.length * 14) / 2 + 2;
  const out: string[] = [];
  if (row.source === true)
    out.push(text(MARGIN, y - 20, 10, '#a07c1c', 'MOTION', ' letter-spacing="1" font-weight="600"'));
  for (const line of titles) {
    out.push(text(MARGIN, y, 14, '#1c2530', line, ' font-weight="600"'));
    y += 17;
  }
  for (const line of notes) {
    out.push(text(MARGIN, y, 11, '#5b6673', line));
    y += 14;
  }
  return out.join('\n');
}
