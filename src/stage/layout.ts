import type { StageLayout } from './contract.ts';

/** Free space between two figures of a row, as a fraction of the mean of their widths. */
const GAP = 0.08;

/** Figures in one row, on a stage that is wide and on one that is higher than wide, such as that of a phone. */
const MOST_IN_ROW = { wide: 6, portrait: 3 } as const;

/** An axis-aligned box, canonical frame, meters. */
export interface Extent {
  /** Least x, y, z. */
  readonly min: readonly [number, number, number];
  /** Greatest x, y, z. */
  readonly max: readonly [number, number, number];
}

export interface LayoutItem {
  /** Sources are left of results. */
  readonly role: 'source' | 'result';
  readonly extent: Extent;
}

/** Where a figure stands on the ground, meters. */
interface Place {
  readonly x: number;
  readonly z: number;
}

/** Computes the place of each figure: in a row, or in several behind each other where one would be too long to look at. */
export function arrange(items: readonly LayoutItem[], layout: StageLayout, isPortrait = false): Place[] {
  const places: Place[] = items.map(() => ({ x: 0, z: 0 }));
  if (layout === 'overlay') return places;
  const side = ({ role }: LayoutItem): number => (role === 'source' ? 0 : 1);
  const height = ({ extent: { min, max } }: LayoutItem): number => max[1] - min[1];
  const count = Math.max(1, Math.ceil(items.length / MOST_IN_ROW[isPortrait ? 'portrait' : 'wide']));
  const indices = [...items.keys()];
  // As for a photograph of a group, the small ones stand in front.
  const order = count === 1 ? indices : indices.sort((a, b) => height(items[a]) - height(items[b]) || a - b);
  const length = Math.ceil(order.length / count);
  const step = Math.max(...items.map(({ extent: { min, max } }) => Math.max(max[2] - min[2], max[1] - min[1])));
  for (let row = 0; row < count; row++) {
    const members = order
      .slice(row * length, (row + 1) * length)
      .sort((a, b) => side(items[a]) - side(items[b]) || a - b);
    for (const [k, x] of offsetsOf(members.map((index) => items[index].extent)).entries())
      places[members[k]] = { x, z: -row * step };
  }
  return places;
}

/** Computes the positions of the figures of a row on the x axis. */
function offsetsOf(extents: readonly Extent[]): number[] {
  const offsets: number[] = [];
  let end = 0;
  let previous = 0;
  for (const { min, max } of extents) {
    const width = max[0] - min[0];
    if (offsets.length > 0) end += (GAP * (previous + width)) / 2;
    offsets.push(end - min[0]);
    end += width;
    previous = width;
  }
  return offsets.map((offset) => offset - end / 2);
}

/** Returns the smallest box around others. */
export function unionOf(extents: readonly Extent[]): Extent {
  const least = (c: number): number => Math.min(...extents.map(({ min }) => min[c]));
  const greatest = (c: number): number => Math.max(...extents.map(({ max }) => max[c]));
  return { min: [least(0), least(1), least(2)], max: [greatest(0), greatest(1), greatest(2)] };
}
