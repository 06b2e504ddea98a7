import { px, text } from './svg.ts';

/** A joint and the name written beside it. */
export interface JointName {
  /** Index of the joint. */
  readonly joint: number;
  /** Name to write. */
  readonly name: string;
}

export interface JointLabel {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const SIZE = 9;
/** White outline that sets letters off from the lines below them. */
const HALO = ' stroke="#fff" stroke-width="2.4" stroke-linejoin="round" paint-order="stroke"';
/** Mean width of a letter by the font size, for sans-serif fonts. */
const LETTER = 0.54;
/** Candidate distances from the joint, pixels; far names get a leader line. */
const DISTANCES = [9, 18, 29, 41, 55];
/** Candidate directions, best first: sideways, diagonal, above and below, then the other side. +1 points away from the middle. */
const DIRECTIONS = [
  [1, 0],
  [1, -0.8],
  [1, 0.8],
  [0, -1],
  [0, 1],
  [-1, 0],
  [-1, -0.8],
  [-1, 0.8],
] as const;
/** Cost of a candidate box for each covered point of the figure's lines, in pixels of distance. */
const COVERS = 9;
/** Distance within which a box covers a point of a line, pixels. */
const LINE = 4;
/** Cost of each step down the list of directions, in pixels of distance. */
const WORSE = 1.5;

export function nameWidth(name: string): number {
  return name.length * SIZE * LETTER;
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function boxAt(at: JointLabel, outward: number, [dx, dy]: readonly [number, number], distance: number): Box {
  const width = nameWidth(at.name);
  const x = at.x + dx * outward * distance;
  const y = at.y + dy * distance;
  const toRight = dx * outward;
  const left = toRight > 0 ? x : toRight < 0 ? x - width : x - width / 2;
  return { left, top: y - SIZE / 2 - 1, right: left + width, bottom: y + SIZE / 2 + 1 };
}

/** Samples points along the lines of a figure, a few pixels apart. */
function pointsOf(lines: readonly (readonly [x0: number, y0: number, x1: number, y1: number])[]): [number, number][] {
  return lines.flatMap(([x0, y0, x1, y1]) => {
    const steps = Math.min(200, Math.ceil(Math.hypot(x1 - x0, y1 - y0) / 4));
    return Array.from({ length: steps + 1 }, (_, k): [number, number] => {
      const t = k / Math.max(1, steps);
      return [x0 + t * (x1 - x0), y0 + t * (y1 - y0)];
    });
  });
}

/**
 * Draws names near their joints. Earlier names take precedence; names without free room are left out. `lines`: lines of the figure, pixels; names
 * avoid them where possible.
 */
export function drawNames(
  names: readonly JointLabel[],
  lines: readonly (readonly [x0: number, y0: number, x1: number, y1: number])[],
  room: Box,
): string {
  const middle = (room.left + room.right) / 2;
  const points = pointsOf(lines);
  const taken: Box[] = [];
  const out: string[] = [];
  for (const at of names) {
    const outward = at.x >= middle - 1 ? 1 : -1;
    let best: Box | null = null;
    let least = Number.POSITIVE_INFINITY;
    DISTANCES.forEach((distance, d) => {
      DIRECTIONS.forEach((direction, k) => {
        const box = boxAt(at, outward, direction, distance);
        const isInside =
          box.left >= room.left && box.right <= room.right && box.top >= room.top && box.bottom <= room.bottom;
        if (!isInside || taken.some((other) => overlap(box, other))) return;
        const covered = points.filter(
          ([x, y]) => x > box.left - LINE && x < box.right + LINE && y > box.top - LINE && y < box.bottom + LINE,
        ).length;
        const cost = DISTANCES[d] + WORSE * k + COVERS * covered;
        if (cost >= least) return;
        least = cost;
        best = box;
      });
    });
    if (best === null) continue;
    taken.push(best);
    out.push(drawName(at, best));
  }
  return `<g>${out.join('')}</g>`;
}

function drawName({ name, x, y }: JointLabel, box: Box): string {
  const nearX = Math.min(Math.max(x, box.left - 1), box.right + 1);
  const nearY = (box.top + box.bottom) / 2;
  const isFar = Math.hypot(nearX - x, nearY - y) > DISTANCES[0] + SIZE;
  const dot = `<circle cx="${px(x)}" cy="${px(y)}" r="1.8" fill="#fff" stroke="#5b6673" stroke-width="0.8"/>`;
  const line = isFar
    ? `<path d="M${px(x)} ${px(y)}L${px(nearX)} ${px(nearY)}" stroke="#aab4c0" stroke-width="0.7"/>`
    : '';
  return `${line}${dot}${text(box.left, nearY + 0.35 * SIZE, SIZE, '#3d4855', name, HALO)}`;
}
