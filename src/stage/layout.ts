/** Where figures are on the stage. */
import type { StageLayout } from './contract.ts';

/** Free space between two figures of a row, as a fraction of the mean of their widths. */
const GAP = 0.08;

/** An axis-aligned box, canonical frame, meters. */
export interface Extent {
  /** Least x, y, z. */
  readonly min: readonly [number, number, number];
  /** Greatest x, y, z. */
  readonly max: readonly [number, number, number];
}

/** What a layout depends on. */
export interface LayoutItem {
  /** Sources are left of results. */
  readonly role: 'source' | 'result';
  /** Space that the figure takes. */
  readonly extent: Extent;
}

/** Computes the position of each figure on the x axis. */
export function arrange(items: readonly LayoutItem[], layout: StageLayout): Float64Array {
  const offsets = new Float64Array(items.length);
  if (layout === 'overlay') return offsets;
  const order = [...items.keys()].sort((a, b) => rank(items[a]) - rank(items[b]) || a - b);
  let end = 0;
  let previous = 0;
  order.forEach((index, k) => {
    const { min, max } = items[index].extent;
    const width = max[0] - min[0];
    if (k > 0) end += (GAP * (previous + width)) / 2;
    offsets[index] = end - min[0];
    end += width;
    previous = width;
  });
  for (let k = 0; k < offsets.length; k++) offsets[k] -= end / 2;
  return offsets;
}

function rank({ role }: LayoutItem): number {
  return role === 'source' ? 0 : 1;
}

/** Returns the smallest box around others. */
export function unionOf(extents: readonly Extent[]): Extent {
  const least = (c: number): number => Math.min(...extents.map(({ min }) => min[c]));
  const greatest = (c: number): number => Math.max(...extents.map(({ max }) => max[c]));
  return { min: [least(0), least(1), least(2)], max: [greatest(0), greatest(1), greatest(2)] };
}
