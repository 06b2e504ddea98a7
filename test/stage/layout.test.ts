import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrange, type LayoutItem, unionOf } from '../../src/stage/layout.ts';
import { lawRuns } from '../support/law-runs.ts';

const items: fc.Arbitrary<LayoutItem[]> = fc.array(
  fc
    .record({
      role: fc.constantFrom('source' as const, 'result' as const),
      x: fc.double({ min: -3, max: 3, noNaN: true }),
      width: fc.double({ min: 0.1, max: 4, noNaN: true }),
    })
    .map(({ role, x, width }) => ({ role, extent: { min: [x, 0, 0], max: [x + width, 1, 1] } as const })),
  { minLength: 1, maxLength: 6 },
);

describe('arrange', () => {
  it('row: boxes do not overlap, sources are left of results, the row is centered', () => {
    fc.assert(
      fc.property(items, (row) => {
        const offsets = arrange(row, 'row');
        const intervals = row.map(({ role, extent }, k) => ({
          role,
          from: extent.min[0] + offsets[k].x,
          to: extent.max[0] + offsets[k].x,
        }));
        const sorted = [...intervals].sort((a, b) => a.from - b.from);
        sorted.forEach((one, k) => {
          const next = sorted[k + 1];
          if (next === undefined) return;
          expect(one.to).toBeLessThan(next.from);
          expect(one.role === 'result' && next.role === 'source').toBe(false);
        });
        expect(sorted[0].from + (sorted.at(-1)?.to ?? 0)).toBeCloseTo(0, 9);
      }),
      { numRuns: lawRuns() },
    );
  });

  it('row: figures of one role stay in the order in which they were added', () => {
    const extent = { min: [-1, 0, 0], max: [1, 2, 1] } as const;
    const offsets = arrange(
      [
        { role: 'result', extent },
        { role: 'source', extent },
        { role: 'result', extent },
      ],
      'row',
    );
    expect(offsets[1].x).toBeLessThan(offsets[0].x);
    expect(offsets[0].x).toBeLessThan(offsets[2].x);
  });

  it('row: on a stage that is higher than wide, more than three figures stand in two rows', () => {
    const extent = { min: [-1, 0, -0.5], max: [1, 2, 0.5] } as const;
    const five: LayoutItem[] = [1, 2, 3, 4, 5].map(() => ({ role: 'result', extent }));
    expect(new Set(arrange(five, 'row').map(({ z }) => z)).size).toBe(1);
    expect(arrange(five, 'row', true).filter(({ z }) => z < 0)).toHaveLength(2);
    expect(new Set(arrange(five.slice(2), 'row', true).map(({ z }) => z)).size).toBe(1);
  });

  it('row: more than six figures stand in rows of one length, the small ones in front', () => {
    const heights = [3, 1, 1, 1, 1, 3, 3, 3];
    const places = arrange(
      heights.map((height) => ({ role: 'result', extent: { min: [-1, 0, -0.5], max: [1, height, 0.5] } })),
      'row',
    );
    expect(places.map(({ z }) => Math.round(-z))).toEqual([3, 0, 0, 0, 0, 3, 3, 3]);
    const inRow = (row: number): number[] => places.filter(({ z }) => Math.round(-z) === row).map(({ x }) => x);
    expect(inRow(3)).toEqual(inRow(0));
    expect(new Set(inRow(0)).size).toBe(4);
  });

  it('overlay: all figures are on one spot', () => {
    const extent = { min: [-1, 0, 0], max: [1, 2, 1] } as const;
    expect([
      ...arrange(
        [
          { role: 'result', extent },
          { role: 'source', extent },
        ],
        'overlay',
      ),
    ]).toEqual([
      { x: 0, z: 0 },
      { x: 0, z: 0 },
    ]);
  });
});

describe('unionOf', () => {
  it('contains all boxes and nothing else', () => {
    const union = unionOf([
      { min: [0, 1, 2], max: [1, 2, 3] },
      { min: [-1, 2, 2], max: [0, 5, 2.5] },
    ]);
    expect(union).toEqual({ min: [-1, 1, 2], max: [1, 5, 3] });
  });
});
