/** Contact sheets: motions and poses as stick figures, from the front and from the side, in one SVG. */

import type { Vec3 } from '../core/math/vec3.ts';
import {
  type Cell,
  type CellTransform,
  COLORS,
  cellOf,
  drawFigure,
  drawGround,
  drawSkin,
  FIGURE,
  FRONT,
  projector,
  type Reach,
  reachOf,
  type SheetSkeleton,
  SIDE,
  type View,
} from './cell.ts';
import { drawHands, fingerJoints, type HandsLayout, layoutHands } from './hands.ts';
import { drawNames, type JointName, nameWidth } from './joint-names.ts';
import type { SkinPart } from './skin-parts.ts';
import { type DrawnSole, drawSoles, layoutSoles, type SolesLayout } from './soles.ts';
import type { StickFigure } from './stick-figure.ts';
import { FONT, px, shorten, text, wrap } from './svg.ts';

/** One skeleton in one motion or in several poses. Canonical frame (facing +Z, up +Y), meters. */
export interface SheetRow extends SheetSkeleton {
  /** Title at the left of the row. */
  readonly title: string;
  /** Smaller text below the title. */
  readonly subtitle?: string;
  /** Whether the row shows the source motion; it is highlighted. False by default. */
  readonly source?: boolean;
  /** Joint positions of each column, xyz. */
  readonly frames: readonly ArrayLike<number>[];
  /** Text below each column: its time or the name of its pose. */
  readonly labels?: readonly string[];
  /** Height of the figure in pixels; 118 by default. */
  readonly figure?: number;
  /** Whether the hands of the first column are drawn enlarged, from above, at the right of the row. False by default. */
  readonly hands?: boolean;
  /** Skin of each column, drawn behind its figure; columns without an entry have none. */
  readonly skins?: readonly (readonly SkinPart[])[];
  /** Soles that are drawn enlarged, from above, at the right of the row. */
  readonly soles?: readonly DrawnSole[];
  /** Joint labels of the first column, most important first; labels without room are left out. */
  readonly names?: readonly JointName[];
}

/** Views of the figures. */
export type SheetView = 'front' | 'side' | 'both';

/** Texts and views of a sheet. */
export interface SheetOptions {
  /** Title of the sheet. */
  readonly title: string;
  /** Smaller text below the title. */
  readonly subtitle?: string;
  /** Views of the figures; `both` by default. */
  readonly view?: SheetView;
}

/** Lengths of the layout, pixels. */
const MARGIN = 28;
const LABELS = 196;
const GAP = 34;
const HEADER = 108;
const BELOW_GROUND = 22;
const LABEL_HEIGHT = 10;
const ABOVE_HEAD = 14;
const PADDING = 20;
const CELL_GAP = 5;
const LEAST_COLUMN = 62;
const LEGEND = 190;
const BETWEEN_HANDS_AND_SOLES = 24;
/** Greatest room for labels beside a figure, and the distance from joint to label, pixels. */
const NAME_ROOM = 140;
const NAME_GAP = 12;
/** Greatest number of letters of the title, of a row title and of a row subtitle. */
const TITLE = 110;
const ROW_TITLE = 66;
const ROW_SUBTITLE = 160;
/** Mean width of a letter of the title, pixels. */
const TITLE_LETTER = 12;
/** Greatest width and height of a figure in skeleton heights; larger figures are scaled down. */
const WIDEST = 1.9;
const HIGHEST = 2.5;

interface Layout {
  readonly row: SheetRow;
  readonly cells: readonly Cell[];
  readonly figure: number;
  /** Extent above and below the ground. */
  readonly up: number;
  readonly down: number;
  /** Per view: width of a column, and offset of the followed point to the right of the column's center. */
  readonly widths: readonly number[];
  readonly shifts: readonly number[];
  readonly hands: HandsLayout | null;
  readonly soles: SolesLayout | null;
}

function measure(row: SheetRow, views: readonly View[]): Layout {
  const cells = row.frames.map((positions, k) => cellOf(row, positions, row.skins?.[k]));
  const reaches = views.map((view) => cells.map((cell) => reachOf(row, cell, view)));
  const most = (list: readonly Reach[], side: keyof Reach): number => Math.max(0, ...list.map((reach) => reach[side]));
  const all = reaches.flat();
  const wide = Math.max(...reaches.map((list) => most(list, 'left') + most(list, 'right')));
  const tall = most(all, 'up') + most(all, 'down');
  const nominal = row.figure ?? FIGURE;
  const figure = nominal / Math.max(1, wide / WIDEST, tall / HIGHEST);
  const longest = Math.max(0, ...(row.names ?? []).map(({ name }) => NAME_GAP + nameWidth(name)));
  const room = PADDING + 2 * Math.min(NAME_ROOM, longest);
  return {
    row,
    cells,
    figure,
    up: Math.max(nominal, figure * most(all, 'up')),
    down: figure * most(all, 'down'),
    widths: reaches.map((list) => Math.max(LEAST_COLUMN, figure * (most(list, 'left') + most(list, 'right')) + room)),
    shifts: reaches.map((list) => (figure * (most(list, 'left') - most(list, 'right'))) / 2),
    hands:
      row.hands === true && row.frames.length > 0 ? layoutHands(row, row.frames[0], nominal, row.names ?? []) : null,
    soles: layoutSoles(row.soles ?? [], nominal),
  };
}

/** Aligns the columns of rows that have the same number of columns. */
function alignColumns(layouts: readonly Layout[]): Layout[] {
  return layouts.map((layout) => {
    const alike = layouts.filter(({ cells }) => cells.length === layout.cells.length);
    return { ...layout, widths: layout.widths.map((_, v) => Math.max(...alike.map(({ widths }) => widths[v]))) };
  });
}

function legend(right: number, y: number): string {
  const entries = [
    ['left side', COLORS.left],
    ['right side', COLORS.right],
  ] as const;
  let x = right;
  const parts: string[] = [];
  for (const [label, color] of entries) {
    x -= label.length * 6 + 30;
    parts.push(`<path d="M${px(x)} ${px(y - 4)}h16" stroke="${color}" stroke-width="3.2" stroke-linecap="round"/>`);
    parts.push(text(x + 22, y, 12, '#5b6673', label));
  }
  return parts.join('');
}

/** Height of what is drawn from above: hands, and soles below them. */
function heightFromAbove({ hands, soles }: Layout): number {
  const both = hands !== null && soles !== null ? BETWEEN_HANDS_AND_SOLES : 0;
  return (hands?.height ?? 0) + both + (soles?.height ?? 0);
}

function drawFromAbove(layout: Layout, left: number, middle: number): string[] {
  const { hands, soles } = layout;
  const half = heightFromAbove(layout) / 2;
  return [
    ...(hands === null ? [] : [drawHands(hands, left, middle - half + hands.height / 2)]),
    ...(soles === null ? [] : [drawSoles(soles, left, middle + half - soles.height / 2)]),
  ];
}

/** Height of a row: the extent of its figures, hands and soles, with margins. */
function heightOf(layout: Layout): number {
  const { row, up, down } = layout;
  const below = Math.max(BELOW_GROUND, down) + (row.labels === undefined ? 0 : LABEL_HEIGHT);
  return Math.max(ABOVE_HEAD + up + below, 2 * ABOVE_HEAD + heightFromAbove(layout));
}

/** Lists the lines that labels avoid: the sticks, and a cross in the head. */
function linesOf({ sticks, head }: StickFigure): (readonly [Vec3, Vec3])[] {
  const lines = sticks.map(({ from, to }) => [from, to] as const);
  if (head === null) return lines;
  const { center, radius } = head;
  const cross = [0, 1, 2].map((axis) => {
    const end = (reach: number): Vec3 => {
      return [
        center[0] + (axis === 0 ? reach : 0),
        center[1] + (axis === 1 ? reach : 0),
        center[2] + (axis === 2 ? reach : 0),
      ];
    };
    return [end(-radius), end(radius)] as const;
  });
  return [...lines, ...cross];
}

/** Draws the cells of a row in a view, starting at x `left`. */
function drawCells(layout: Layout, view: View, v: number, left: number, top: number): string {
  const { row, cells, figure, widths, shifts } = layout;
  const y = top + ABOVE_HEAD + layout.up;
  const bottom = top + heightOf(layout);
  const middles = cells.map((_, column) => left + (column + 0.5) * widths[v]);
  const transforms = middles.map((x): CellTransform => ({ x: x + shifts[v], y, figure }));
  const half = widths[v] / 2 - CELL_GAP;
  const out = cells.map((cell, column) => {
    return drawGround(row, cell, view, transforms[column], middles[column] - half, middles[column] + half);
  });
  row.labels?.forEach((label, column) => {
    if (column >= cells.length) return;
    out.push(text(middles[column], bottom - 7, 11, '#8a95a3', label, ' text-anchor="middle"'));
  });
  out.push(...cells.map((cell, column) => drawSkin(row, cell, view, transforms[column])));
  out.push(...cells.map((cell, column) => drawFigure(row, cell, view, transforms[column])));
  if (row.names === undefined || cells.length === 0) return out.join('\n');
  const screen = projector(row, cells[0], view, transforms[0]);
  const positions = row.frames[0];
  const atHands = layout.hands === null ? new Set<number>() : fingerJoints(row);
  const shown = row.names.filter(({ joint }) => !atHands.has(joint));
  const names = shown.map(({ joint, name }) => {
    const [x, y] = screen([positions[3 * joint], positions[3 * joint + 1], positions[3 * joint + 2]]);
    return { name, x, y };
  });
  const lines = linesOf(cells[0].figure).map(([from, to]) => [...screen(from), ...screen(to)] as const);
  const room = { left: middles[0] - half, right: middles[0] + half, top: top + 2, bottom: y + 2 };
  out.push(drawNames(names, lines, room));
  return out.join('\n');
}

function drawLabel(row: SheetRow, middle: number): string {
  const titles = wrap(shorten(row.title, ROW_TITLE), 22);
  const notes = wrap(shorten(row.subtitle ?? '', ROW_SUBTITLE), 30).filter((line) => line !== '');
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

/**
 * Draws a contact sheet: one row per skeleton and motion, one column per time, the front view on the left and the side view on the
 * right. The camera follows each figure; all figures of a row are equally tall, and ground marks are a quarter of the height apart.
 * Long texts are truncated and figures with extreme positions are scaled down, so that any input gives a sheet.
 *
 * @param rows Rows from top to bottom.
 * @param options Title, subtitle and view.
 * @returns SVG text.
 * @example
 * const drawn = drawnSkeletons(file)[0];
 * const { clips, duration } = file.asset.clips[0];
 * const row = clipRow(drawn, clips[drawn.index], columnTimes(duration, 8), { title: 'walk' });
 * const svg = drawSheet([row], { title: file.name });
 */
export function drawSheet(rows: readonly SheetRow[], { title, subtitle = '', view = 'both' }: SheetOptions): string {
  const views = [...(view === 'side' ? [] : [FRONT]), ...(view === 'front' ? [] : [SIDE])];
  const layouts = alignColumns(rows.map((row) => measure(row, views)));
  const starts: number[] = [];
  let right = MARGIN + LABELS;
  views.forEach((_, v) => {
    starts.push(right);
    right += Math.max(0, ...layouts.map(({ cells, widths }) => cells.length * widths[v]));
    if (v < views.length - 1) right += GAP;
  });
  const widestAbove = Math.max(0, ...layouts.flatMap(({ hands, soles }) => [hands?.width ?? 0, soles?.width ?? 0]));
  const aboveAt = right + GAP;
  if (widestAbove > 0) right = aboveAt + widestAbove;
  const heading = shorten(title, TITLE);
  const hasSides = rows.some(({ bones }) => bones !== null);
  const width = Math.max(right + MARGIN, 2 * MARGIN + heading.length * TITLE_LETTER + (hasSides ? LEGEND : 0));
  const height = HEADER + layouts.reduce((sum, layout) => sum + heightOf(layout), 0) + MARGIN;

  const out: string[] = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${px(width)} ${px(height)}" width="${px(width)}" height="${px(height)}" font-family="${FONT}">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    text(MARGIN, 44, 22, '#1c2530', heading, ' font-weight="600"'),
    text(MARGIN, 66, 13, '#5b6673', subtitle),
  ];
  if (hasSides) out.push(legend(width - MARGIN, 44));
  views.forEach(({ name }, v) => {
    out.push(text(starts[v], HEADER - 18, 13, '#1c2530', name, ' font-weight="600"'));
  });
  const above = (['hands', 'soles'] as const).filter((what) => layouts.some((layout) => layout[what] !== null));
  if (above.length > 0) {
    const what = `${above.join(' and ')} from above`;
    out.push(text(aboveAt, HEADER - 18, 13, '#1c2530', what[0].toUpperCase() + what.slice(1), ' font-weight="600"'));
  }
  let top = HEADER;
  layouts.forEach((layout, r) => {
    const { row } = layout;
    const rowHeight = heightOf(layout);
    const fill = row.source === true ? '#fdf6e3' : r % 2 === 0 ? '#f6f8fa' : '#fff';
    out.push(
      `<rect x="${px(MARGIN / 2)}" y="${px(top)}" width="${px(width - MARGIN)}" height="${px(rowHeight)}" rx="6" fill="${fill}"/>`,
    );
    out.push(drawLabel(row, top + rowHeight / 2));
    out.push(...views.map((one, v) => drawCells(layout, one, v, starts[v], top)));
    out.push(...drawFromAbove(layout, aboveAt, top + rowHeight / 2));
    top += rowHeight;
  });
  out.push('</svg>\n');
  return out.join('\n');
}
