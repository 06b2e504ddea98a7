/** One cell of a contact sheet: a body at one time, seen from one side, on its ground. */
import { BONE } from '../core/humanoid/bones.ts';
import { type Point, type StickSkeleton, type StickFigure, type StickPart, stickFigure } from './stick-figure.ts';
import { px } from './svg.ts';

/** What the drawing of a body depends on, besides the positions of its joints. Canonical frame, meters; all are drawn equally tall. */
export interface SheetSkeleton extends StickSkeleton {
  readonly ground: number;
}

export const COLORS: Readonly<Record<StickPart, string>> = {
  left: '#2563c9',
  right: '#d9541e',
  middle: '#2b3440',
  plain: '#2b3440',
};
/** Pixels that a body is tall where nothing else is asked for. */
export const FIGURE = 118;
/** Width of lines in pixels, at that height. */
const LINE = 3.2;
const THIN_LINE = 1.1;
/** Part of the height between two marks on the ground. */
const MARK = 0.25;

/** A view: screen x of a point (right is positive) and its distance towards the eye. */
export interface View {
  readonly name: string;
  across(x: number, z: number): number;
  near(x: number, z: number): number;
}

/** From the front the left of the body is on the right; from its right side it walks to the right. */
export const FRONT: View = { name: 'Front', across: (x) => x, near: (_, z) => z };
export const SIDE: View = { name: 'Side', across: (_, z) => z, near: (x) => -x };

/** A body at one time. */
export interface Cell {
  readonly figure: StickFigure;
  /** What the eye follows: the hips, or the middle of all joints; x and z. */
  readonly follow: readonly [number, number];
}

/** Where a cell is on the sheet: the point on the ground that the eye follows, and how many pixels a body is tall. */
export interface CellTransform {
  readonly x: number;
  readonly y: number;
  readonly figure: number;
}

/** Heights from the origin that joints are drawn at most: broken motions throw them anywhere. */
const FARTHEST = 1e6;

/** The figure of a body with its joints at these positions; what is no number counts as 0. */
export function cellOf(body: SheetSkeleton, found: ArrayLike<number>): Cell {
  const limit = FARTHEST * body.height;
  const positions = Float64Array.from(found, (v) => Math.min(limit, Math.max(-limit, Number.isNaN(v) ? 0 : v)));
  const figure = stickFigure(body, positions);
  const hips = body.bones === null ? -1 : body.bones[BONE.hips];
  if (hips >= 0) return { figure, follow: [positions[hips * 3], positions[hips * 3 + 2]] };
  let x = 0;
  let z = 0;
  for (let node = 0; node < body.parents.length; node++) {
    x += positions[node * 3] / body.parents.length;
    z += positions[node * 3 + 2] / body.parents.length;
  }
  return { figure, follow: [x, z] };
}

/** How far a figure reaches, in parts of the height of its body. */
export interface Reach {
  /** To the left and to the right of what the eye follows. */
  readonly left: number;
  readonly right: number;
  /** Above the ground, and below it. */
  readonly up: number;
  readonly down: number;
}

/** How far the figure of a cell reaches in a view. */
export function reachOf(body: SheetSkeleton, { figure, follow }: Cell, view: View): Reach {
  const middle = view.across(follow[0], follow[1]);
  const reach = { left: 0, right: 0, up: 0, down: 0 };
  const extend = ([x, y, z]: Point, radius: number): void => {
    const aside = view.across(x, z) - middle;
    reach.left = Math.max(reach.left, (radius - aside) / body.height);
    reach.right = Math.max(reach.right, (radius + aside) / body.height);
    reach.up = Math.max(reach.up, (radius + y - body.ground) / body.height);
    reach.down = Math.max(reach.down, (radius + body.ground - y) / body.height);
  };
  for (const { from, to } of figure.sticks) {
    extend(from, 0);
    extend(to, 0);
  }
  if (figure.head !== null) {
    extend(figure.head.center, figure.head.radius);
    extend(figure.head.nose, 0);
  }
  return reach;
}

/** Screen position of points of a cell. */
export function projector(body: SheetSkeleton, { follow }: Cell, view: View, place: CellTransform): (p: Point) => [number, number] {
  const scale = place.figure / body.height;
  const middle = view.across(follow[0], follow[1]);
  return ([x, y, z]) => [place.x + (view.across(x, z) - middle) * scale, place.y - (y - body.ground) * scale];
}

/** Lines grow slower than the figure. */
function lineWidth(width: number, figure: number): string {
  return px(width * Math.sqrt(figure / FIGURE));
}

/** Between a and b, nearer to b. */
function mid(a: Point, b: Point): Point {
  return [(a[0] + 2 * b[0]) / 3, (a[1] + 2 * b[1]) / 3, (a[2] + 2 * b[2]) / 3];
}

/** The lines of a figure, the far ones first. */
export function drawFigure(body: SheetSkeleton, cell: Cell, view: View, place: CellTransform): string {
  const { figure } = cell;
  const screen = projector(body, cell, view, place);
  const at = (p: Point): string => screen(p).map(px).join(' ');
  const thinStyle = ` stroke-width="${lineWidth(THIN_LINE, place.figure)}"`;
  const shapes: Shape[] = figure.sticks.map(({ from, to, part, thin }) => ({
    near: (view.near(from[0], from[2]) + view.near(to[0], to[2])) / 2,
    style: `stroke="${COLORS[part]}"${thin ? thinStyle : ''}`,
    svg: `M${at(from)}L${at(to)}`,
  }));
  const { head } = figure;
  if (head !== null) {
    const [x, y] = screen(head.center);
    const radius = (head.radius * place.figure) / body.height;
    const circle = `<circle cx="${px(x)}" cy="${px(y)}" r="${px(radius)}" fill="#fff"/>`;
    const nose = `<path d="M${at(mid(head.center, head.nose))}L${at(head.nose)}"/>`;
    const near = view.near(head.center[0], head.center[2]);
    const hidden = view.near(head.nose[0], head.nose[2]) < near - 0.3 * head.radius;
    const svg = `<g stroke="${COLORS.middle}">${hidden ? nose + circle : circle + nose}</g>`;
    shapes.push({ near, style: null, svg });
  }
  shapes.sort((a, b) => a.near - b.near);
  const width = lineWidth(LINE, place.figure);
  return `<g fill="none" stroke-width="${width}" stroke-linecap="round">${joinShapes(shapes)}</g>`;
}

/** A line, which has a style, or a finished element; `near` is its distance towards the eye. */
interface Shape {
  readonly near: number;
  readonly style: string | null;
  readonly svg: string;
}

/** Elements in the order of the shapes; lines of one style that follow each other share one, which makes sheets small. */
function joinShapes(shapes: readonly Shape[]): string {
  const out: string[] = [];
  let lines: string[] = [];
  shapes.forEach(({ style, svg }, k) => {
    if (style === null) {
      out.push(svg);
      return;
    }
    lines.push(svg);
    if (shapes[k + 1]?.style === style) return;
    out.push(`<path d="${lines.join('')}" ${style}/>`);
    lines = [];
  });
  return out.join('');
}

/** The ground of a cell, from x `left` to x `right`, with marks that stand still on it: they show the way that the body goes. */
export function drawGround(
  body: SheetSkeleton,
  { follow }: Cell,
  view: View,
  { x, y, figure }: CellTransform,
  left: number,
  right: number,
): string {
  const middle = view.across(follow[0], follow[1]) / body.height;
  const lines = [`M${px(left)} ${px(y)}H${px(right)}`];
  const first = Math.ceil((middle + (left - x) / figure) / MARK);
  const count = Math.floor((middle + (right - x) / figure) / MARK) - first + 1;
  for (let k = 0; k < count; k++) {
    const mark = first + k;
    lines.push(`M${px(x + (mark * MARK - middle) * figure)} ${px(y)}v${mark % 4 === 0 ? 8 : 4}`);
  }
  return `<path d="${lines.join('')}" stroke="#aab4c0" stroke-width="1" fill="none"/>`;
}
