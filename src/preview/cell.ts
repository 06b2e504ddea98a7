/** One cell of a contact sheet: a body at one time, seen from one side, on its ground. */
import { BONE } from '../core/humanoid/bones.ts';
import { type StickFigure, type StickPart, stickFigure } from './stick-figure.ts';

/** What the drawing of a body depends on, besides the positions of its joints. Canonical frame, metres. */
export interface SheetBody {
  /** Parent of every joint, −1 for roots. */
  readonly parents: ArrayLike<number>;
  /** Node of each of the 55 bones, −1 where absent; null when nothing is known about the joints. */
  readonly bones: ArrayLike<number> | null;
  readonly ground: number;
  /** Height of the body, above 0: all are drawn equally tall. */
  readonly height: number;
}

export const COLOURS: Readonly<Record<StickPart, string>> = {
  left: '#2563c9',
  right: '#d9541e',
  middle: '#2b3440',
  plain: '#2b3440',
};
/** Pixels that a body is tall. */
export const FIGURE = 118;
/** Part of the height between two marks on the ground. */
const MARK = 0.25;

/** A view: screen x of a point (right is positive) and its distance towards the eye. */
export interface View {
  readonly name: string;
  across(x: number, z: number): number;
  near(x: number, z: number): number;
}

/** From the front the left of the body is on the right; from its right side it walks to the right. */
export const VIEWS: readonly View[] = [
  { name: 'Front', across: (x) => x, near: (_, z) => z },
  { name: 'Side', across: (_, z) => z, near: (x) => -x },
];

/** A body at one time. */
export interface Cell {
  readonly figure: StickFigure;
  /** What the eye follows: the hips, or the middle of all joints; x and z. */
  readonly follow: readonly [number, number];
}

/** A length for SVG, to a tenth of a pixel. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** The figure of a body with its joints at these positions. */
export function cellOf(body: SheetBody, positions: ArrayLike<number>): Cell {
  const figure = stickFigure(body.parents, body.bones, positions, body.height);
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

/** How far the figure of a cell reaches to a side of what the eye follows, and above the ground; parts of the height. */
export function reachOf(body: SheetBody, { figure, follow }: Cell, view: View): { aside: number; up: number } {
  const middle = view.across(follow[0], follow[1]);
  let aside = 0;
  let up = 0;
  const extend = ([x, y, z]: readonly [number, number, number], radius: number): void => {
    aside = Math.max(aside, (Math.abs(view.across(x, z) - middle) + radius) / body.height);
    up = Math.max(up, (y + radius - body.ground) / body.height);
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
export function drawFigure(body: SheetBody, { figure, follow }: Cell, view: View, x: number, y: number): string {
  const scale = FIGURE / body.height;
  const middle = view.across(follow[0], follow[1]);
  const sx = (p: readonly [number, number, number]): string => px(x + (view.across(p[0], p[2]) - middle) * scale);
  const sy = (p: readonly [number, number, number]): string => px(y - (p[1] - body.ground) * scale);
  const shapes: Shape[] = figure.sticks.map(({ from, to, part, thin }) => ({
    near: (view.near(from[0], from[2]) + view.near(to[0], to[2])) / 2,
    style: `stroke="${COLOURS[part]}"${thin ? ' stroke-width="1.1"' : ''}`,
    svg: `M${sx(from)} ${sy(from)}L${sx(to)} ${sy(to)}`,
  }));
  const { head } = figure;
  if (head !== null) {
    const circle = `<circle cx="${sx(head.centre)}" cy="${sy(head.centre)}" r="${px(head.radius * scale)}" fill="#fff"/>`;
    const bridge = mid(head.centre, head.nose);
    const nose = `<path d="M${sx(bridge)} ${sy(bridge)}L${sx(head.nose)} ${sy(head.nose)}"/>`;
    const near = view.near(head.centre[0], head.centre[2]);
    const hidden = view.near(head.nose[0], head.nose[2]) < near - 0.3 * head.radius;
    const svg = `<g stroke="${COLOURS.middle}">${hidden ? nose + circle : circle + nose}</g>`;
    shapes.push({ near, style: null, svg });
  }
  shapes.sort((a, b) => a.near - b.near);
  return joinShapes(shapes);
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
  let lines = '';
  shapes.forEach(({ style, svg }, k) => {
    if (style === null) {
      out.push(svg);
      return;
    }
    lines += svg;
    if (shapes[k + 1]?.style === style) return;
    out.push(`<path d="${lines}" ${style}/>`);
    lines = '';
  });
  return out.join('');
}

/** The ground of a cell, with marks that stand still on it: they show the way that the body goes. */
export function drawGround(
  body: SheetBody,
  follow: readonly [number, number],
  view: View,
  x: number,
  y: number,
  half: number,
): string {
  const middle = view.across(follow[0], follow[1]) / body.height;
  const reach = half / FIGURE;
  const lines = [`M${px(x - half)} ${px(y)}h${px(2 * half)}`];
  for (let mark = Math.ceil((middle - reach) / MARK); mark * MARK <= middle + reach; mark++) {
    lines.push(`M${px(x + (mark * MARK - middle) * FIGURE)} ${px(y)}v${mark % 4 === 0 ? 8 : 4}`);
  }
  return `<path d="${lines.join('')}" stroke="#aab4c0" stroke-width="1" fill="none"/>`;
}
