/** Contact sheets: characters over time as stick figures, from the front and from the side, as one SVG. */
import { BONE } from '../core/humanoid/bones.ts';
import { type StickFigure, type StickPart, stickFigure } from './stick-figure.ts';

/** One character in one motion. Canonical frame (facing +Z, up +Y), metres. */
export interface SheetRow {
  readonly title: string;
  readonly subtitle?: string;
  /** Where the motion comes from: set off from the rows that show what became of it. */
  readonly source?: boolean;
  /** Parent of every joint, −1 for roots. */
  readonly parents: ArrayLike<number>;
  /** Node of each of the 55 bones, −1 where absent; null when nothing is known about the joints. */
  readonly bones: ArrayLike<number> | null;
  /** Positions of all joints per column, xyz. */
  readonly frames: readonly ArrayLike<number>[];
  readonly ground: number;
  /** Height of the body: all are drawn equally tall. */
  readonly height: number;
}

export interface SheetOptions {
  readonly title: string;
  readonly subtitle?: string;
  /** Time of every column, seconds. */
  readonly times: readonly number[];
}

const COLOURS: Readonly<Record<StickPart, string>> = {
  left: '#2563c9',
  right: '#d9541e',
  middle: '#2b3440',
  plain: '#2b3440',
};
const FONT = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";
/** Pixels. */
const FIGURE = 118;
const MARGIN = 28;
const LABELS = 196;
const GAP = 34;
const HEADER = 108;
const BELOW_GROUND = 22;
const ABOVE_HEAD = 14;
const PADDING = 20;
const CELL_GAP = 5;
const LEAST_COLUMN = 62;
/** Part of the height between two marks on the ground. */
const MARK = 0.25;

/** A view: screen x of a point (right is positive) and its distance towards the eye. */
interface View {
  readonly name: string;
  across(x: number, z: number): number;
  near(x: number, z: number): number;
}

/** From the front the left of the body is on the right; from its right side it walks to the right. */
const VIEWS: readonly View[] = [
  { name: 'Front', across: (x) => x, near: (_, z) => z },
  { name: 'Side', across: (_, z) => z, near: (x) => -x },
];

interface Cell {
  readonly figure: StickFigure;
  /** What the eye follows: the hips, or the middle of all joints; x and z. */
  readonly follow: readonly [number, number];
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function px(value: number): string {
  return String(Math.round(value * 100) / 100);
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

function cellOf(row: SheetRow, positions: ArrayLike<number>): Cell {
  const figure = stickFigure(row.parents, row.bones, positions, row.height);
  const hips = row.bones === null ? -1 : row.bones[BONE.hips];
  if (hips >= 0) return { figure, follow: [positions[hips * 3], positions[hips * 3 + 2]] };
  let x = 0;
  let z = 0;
  for (let node = 0; node < row.parents.length; node++) {
    x += positions[node * 3] / row.parents.length;
    z += positions[node * 3 + 2] / row.parents.length;
  }
  return { figure, follow: [x, z] };
}

/** How far the figure of a cell reaches to a side of what the eye follows, and above the ground; parts of the height. */
function reachOf(row: SheetRow, { figure, follow }: Cell, view: View): { aside: number; up: number } {
  const middle = view.across(follow[0], follow[1]);
  let aside = 0;
  let up = 0;
  const extend = ([x, y, z]: readonly [number, number, number], radius: number): void => {
    aside = Math.max(aside, (Math.abs(view.across(x, z) - middle) + radius) / row.height);
    up = Math.max(up, (y + radius - row.ground) / row.height);
  };
  for (const { from, to } of figure.sticks) {
    extend(from, 0);
    extend(to, 0);
  }
  if (figure.head !== null) extend(figure.head.centre, figure.head.radius);
  return { aside, up };
}

/** Between a and b, nearer to b. */
function mid(a: readonly [number, number, number], b: readonly [number, number, number]): [number, number, number] {
  return [(a[0] + 2 * b[0]) / 3, (a[1] + 2 * b[1]) / 3, (a[2] + 2 * b[2]) / 3];
}

/** The lines of a figure, the far ones first; (x, y) is the point on the ground that the eye follows. */
function drawFigure(row: SheetRow, { figure, follow }: Cell, view: View, x: number, y: number): string {
  const scale = FIGURE / row.height;
  const middle = view.across(follow[0], follow[1]);
  const sx = (p: readonly [number, number, number]): string => px(x + (view.across(p[0], p[2]) - middle) * scale);
  const sy = (p: readonly [number, number, number]): string => px(y - (p[1] - row.ground) * scale);
  const shapes = figure.sticks.map(({ from, to, part, thin }) => ({
    near: (view.near(from[0], from[2]) + view.near(to[0], to[2])) / 2,
    svg: `<path d="M${sx(from)} ${sy(from)}L${sx(to)} ${sy(to)}" stroke="${COLOURS[part]}"${thin ? ' stroke-width="1.1"' : ''}/>`,
  }));
  const { head } = figure;
  if (head !== null) {
    const circle = `<circle cx="${sx(head.centre)}" cy="${sy(head.centre)}" r="${px(head.radius * scale)}" fill="#fff"/>`;
    const bridge = mid(head.centre, head.nose);
    const nose = `<path d="M${sx(bridge)} ${sy(bridge)}L${sx(head.nose)} ${sy(head.nose)}"/>`;
    const near = view.near(head.centre[0], head.centre[2]);
    const hidden = view.near(head.nose[0], head.nose[2]) < near - 0.3 * head.radius;
    const svg = `<g stroke="${COLOURS.middle}">${hidden ? nose + circle : circle + nose}</g>`;
    shapes.push({ near, svg });
  }
  shapes.sort((a, b) => a.near - b.near);
  return shapes.map(({ svg }) => svg).join('');
}

/** The ground of a cell, with marks that stand still on it: they show the way that the body goes. */
function drawGround(
  row: SheetRow,
  follow: readonly [number, number],
  view: View,
  x: number,
  y: number,
  half: number,
): string {
  const middle = view.across(follow[0], follow[1]) / row.height;
  const reach = half / FIGURE;
  const lines = [`M${px(x - half)} ${px(y)}h${px(2 * half)}`];
  for (let mark = Math.ceil((middle - reach) / MARK); mark * MARK <= middle + reach; mark++) {
    lines.push(`M${px(x + (mark * MARK - middle) * FIGURE)} ${px(y)}v${mark % 4 === 0 ? 8 : 4}`);
  }
  return `<path d="${lines.join('')}" stroke="#aab4c0" stroke-width="1" fill="none"/>`;
}

function legend(right: number, y: number): string {
  const entries = [
    ['its left', COLOURS.left],
    ['its right', COLOURS.right],
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
