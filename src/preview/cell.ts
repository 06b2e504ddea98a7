/** One cell of a contact sheet: a skeleton at one time, in one view, on its ground. */
import { BONE } from '../core/humanoid/bones.ts';
import type { Vec3 } from '../core/math/vec3.ts';
import { outlineOf, type SkinPart } from './skin-parts.ts';
import { type StickFigure, type StickPart, type StickSkeleton, stickFigure } from './stick-figure.ts';
import { px } from './svg.ts';

/** What the drawing of a skeleton depends on besides the joint positions. Canonical frame, meters; all skeletons are drawn equally tall. */
export interface SheetSkeleton extends StickSkeleton {
  /** Height of the ground. */
  readonly ground: number;
}

/** Line colors by side. */
export const COLORS: Readonly<Record<StickPart, string>> = {
  left: '#2563c9',
  right: '#d9541e',
  middle: '#2b3440',
  plain: '#2b3440',
};
/** Default height of a figure, pixels. */
export const FIGURE = 118;
/** Line widths in pixels at the default height {@link FIGURE}. */
const LINE = 3.2;
const THIN_LINE = 1.1;
/** Distance between two ground marks, as a fraction of the height. */
const MARK = 0.25;
/** Least distance between two ground marks in pixels; closer ones are not drawn. */
const LEAST_MARK = 2;

export interface View {
  readonly name: string;
  /** Screen x of a point; positive is right. */
  across(x: number, z: number): number;
  /** Depth of a point; greater is nearer to the camera. */
  near(x: number, z: number): number;
}

/** View from the front: the left side of the skeleton is on the right. */
export const FRONT: View = { name: 'Front', across: (x) => x, near: (_, z) => z };
/** View from the right side: a walk goes to the right. */
export const SIDE: View = { name: 'Side', across: (_, z) => z, near: (x) => -x };

export interface Cell {
  /** Lines and head. */
  readonly figure: StickFigure;
  /** Point that the camera follows, x and z: the hips, or the mean of all joints. */
  readonly follow: readonly [number, number];
  /** Its skin; empty where none is drawn. */
  readonly skin: readonly SkinPart[];
}

export interface CellTransform {
  /** X of the followed point on the ground, pixels. */
  readonly x: number;
  readonly y: number;
  readonly figure: number;
}

/** Greatest drawn distance from the origin, in heights; broken motions have extreme positions. */
const FARTHEST = 1e6;

export function cellOf(skeleton: SheetSkeleton, found: ArrayLike<number>, parts: readonly SkinPart[] = []): Cell {
  const limit = FARTHEST * skeleton.height;
  const clamp = (values: ArrayLike<number>): Float64Array =>
    Float64Array.from(values, (v) => Math.min(limit, Math.max(-limit, Number.isNaN(v) ? 0 : v)));
  const positions = clamp(found);
  const skin = parts.map((part) => ({ ...part, points: clamp(part.points) }));
  const figure = stickFigure(skeleton, positions);
  const hips = skeleton.bones === null ? -1 : skeleton.bones[BONE.hips];
  if (hips >= 0) return { figure, skin, follow: [positions[hips * 3], positions[hips * 3 + 2]] };
  let x = 0;
  let z = 0;
  for (let node = 0; node < skeleton.parents.length; node++) {
    x += positions[node * 3] / skeleton.parents.length;
    z += positions[node * 3 + 2] / skeleton.parents.length;
  }
  return { figure, skin, follow: [x, z] };
}

/** Extent of a figure, in fractions of the height of its skeleton. */
export interface Reach {
  /** To the left of the followed point. */
  readonly left: number;
  /** To the right of the followed point. */
  readonly right: number;
  /** Above the ground. */
  readonly up: number;
  /** Below the ground. */
  readonly down: number;
}

/** Measures the extent of a figure in a view. */
export function reachOf(skeleton: SheetSkeleton, { figure, follow, skin }: Cell, view: View): Reach {
  const middle = view.across(follow[0], follow[1]);
  const reach = { left: 0, right: 0, up: 0, down: 0 };
  const extend = ([x, y, z]: Vec3, radius: number): void => {
    const aside = view.across(x, z) - middle;
    reach.left = Math.max(reach.left, (radius - aside) / skeleton.height);
    reach.right = Math.max(reach.right, (radius + aside) / skeleton.height);
    reach.up = Math.max(reach.up, (radius + y - skeleton.ground) / skeleton.height);
    reach.down = Math.max(reach.down, (radius + skeleton.ground - y) / skeleton.height);
  };
  for (const { from, to } of figure.sticks) {
    extend(from, 0);
    extend(to, 0);
  }
  if (figure.head !== null) {
    extend(figure.head.center, figure.head.radius);
    extend(figure.head.nose, 0);
  }
  for (const { points, radii } of skin) {
    for (const [k, radius] of radii.entries()) extend([points[3 * k], points[3 * k + 1], points[3 * k + 2]], radius);
  }
  return reach;
}

/** Creates the projection of a cell from 3D points to the sheet. Returns a function from a point to x and y in pixels. */
export function projector(
  skeleton: SheetSkeleton,
  { follow }: Cell,
  view: View,
  transform: CellTransform,
): (p: Vec3) => [number, number] {
  const scale = transform.figure / skeleton.height;
  const middle = view.across(follow[0], follow[1]);
  return ([x, y, z]) => [
    transform.x + (view.across(x, z) - middle) * scale,
    transform.y - (y - skeleton.ground) * scale,
  ];
}

/** Scales a line width; it grows slower than the figure. */
function lineWidth(width: number, figure: number): string {
  return px(width * Math.sqrt(figure / FIGURE));
}

/** Interpolates between a and b at 2/3. */
function mid(a: Vec3, b: Vec3): Vec3 {
  return [(a[0] + 2 * b[0]) / 3, (a[1] + 2 * b[1]) / 3, (a[2] + 2 * b[2]) / 3];
}

/** Colors of the skin and of cloth over it, and opacity of cloth and feet. */
const SKIN = '#d3d9e1';
const CLOTH = '#e0a81e';
const OPACITY = 0.45;

/** Draws the skin of a figure: an outline per bone, cloth and the feet in their colors and on top. */
export function drawSkin(skeleton: SheetSkeleton, cell: Cell, view: View, transform: CellTransform): string {
  if (cell.skin.length === 0) return '';
  const screen = projector(skeleton, cell, view, transform);
  const pathOf = (kind: SkinPart['kind']): string => {
    const own = cell.skin.filter((part) => part.kind === kind);
    const outlines = own.map((part) => outlineOf(part, screen, transform.figure / skeleton.height));
    return outlines.map((corners) => `M${corners.map(px).join(' ')}Z`).join('');
  };
  const feet = (['left', 'right'] as const).map((side) => {
    return `<path d="${pathOf(side)}" fill="${COLORS[side]}" fill-opacity="${OPACITY}"/>`;
  });
  const cloth = pathOf('cloth');
  const over = cloth === '' ? '' : `<path d="${cloth}" fill="${CLOTH}" fill-opacity="${OPACITY}"/>`;
  return `<g><path d="${pathOf(null)}" fill="${SKIN}"/>${over}${feet.join('')}</g>`;
}

/** Draws a figure, far lines first. */
export function drawFigure(skeleton: SheetSkeleton, cell: Cell, view: View, transform: CellTransform): string {
  const { figure } = cell;
  const screen = projector(skeleton, cell, view, transform);
  const at = (p: Vec3): string => screen(p).map(px).join(' ');
  const thinStyle = ` stroke-width="${lineWidth(THIN_LINE, transform.figure)}"`;
  const shapes: Shape[] = figure.sticks.map(({ from, to, part, thin }) => ({
    near: (view.near(from[0], from[2]) + view.near(to[0], to[2])) / 2,
    style: `stroke="${COLORS[part]}"${thin ? thinStyle : ''}`,
    svg: `M${at(from)}L${at(to)}`,
  }));
  const { head } = figure;
  if (head !== null) {
    const [x, y] = screen(head.center);
    const radius = (head.radius * transform.figure) / skeleton.height;
    const circle = `<circle cx="${px(x)}" cy="${px(y)}" r="${px(radius)}" fill="#fff"/>`;
    const nose = `<path d="M${at(mid(head.center, head.nose))}L${at(head.nose)}"/>`;
    const near = view.near(head.center[0], head.center[2]);
    const hidden = view.near(head.nose[0], head.nose[2]) < near - 0.3 * head.radius;
    const svg = `<g stroke="${COLORS.middle}">${hidden ? nose + circle : circle + nose}</g>`;
    shapes.push({ near, style: null, svg });
  }
  shapes.sort((a, b) => a.near - b.near);
  const width = lineWidth(LINE, transform.figure);
  return `<g fill="none" stroke-width="${width}" stroke-linecap="round">${joinShapes(shapes)}</g>`;
}

/** A path with a style, or a finished element where `style` is null. `near` is its depth; greater is nearer. */
interface Shape {
  readonly near: number;
  readonly style: string | null;
  readonly svg: string;
}

/** Joins shapes in their order; consecutive lines of one style become one path, which keeps sheets small. */
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

/**
 * Draws the ground of a cell, with marks that are fixed to it and so show root motion. `left`: start of the ground line, pixels. `right`: end of
 * the ground line, pixels.
 */
export function drawGround(
  skeleton: SheetSkeleton,
  { follow }: Cell,
  view: View,
  { x, y, figure }: CellTransform,
  left: number,
  right: number,
): string {
  const middle = view.across(follow[0], follow[1]) / skeleton.height;
  const lines = [`M${px(left)} ${px(y)}H${px(right)}`];
  const first = Math.ceil((middle + (left - x) / figure) / MARK);
  const isFar = MARK * figure < LEAST_MARK;
  const count = isFar ? 0 : Math.floor((middle + (right - x) / figure) / MARK) - first + 1;
  for (let k = 0; k < count; k++) {
    const mark = first + k;
    lines.push(`M${px(x + (mark * MARK - middle) * figure)} ${px(y)}v${mark % 4 === 0 ? 8 : 4}`);
  }
  return `<path d="${lines.join('')}" stroke="#aab4c0" stroke-width="1" fill="none"/>`;
}
