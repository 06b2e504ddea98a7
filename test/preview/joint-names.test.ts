import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawNames, type JointLabel, nameWidth } from '../../src/preview/joint-names.ts';
import { lawRuns } from '../support/law-runs.ts';

const ROOM = { left: 0, right: 300, top: 0, bottom: 200 };

interface Written {
  readonly name: string;
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

function written(svg: string): Written[] {
  return [...svg.matchAll(/<text x="([\d.-]+)" y="([\d.-]+)"[^>]*>([^<]*)</g)].map(([, x, y, name]) => {
    return { name, left: Number(x), right: Number(x) + nameWidth(name), y: Number(y) };
  });
}

const anyNames: fc.Arbitrary<JointLabel[]> = fc.array(
  fc.record({
    name: fc.stringMatching(/^[a-z]{1,14}$/),
    x: fc.integer({ min: 0, max: 300 }),
    y: fc.integer({ min: 0, max: 200 }),
  }),
  { maxLength: 40 },
);

describe('drawNames', () => {
  it('writes names inside their room without overlaps', () => {
    fc.assert(
      fc.property(anyNames, (names) => {
        const found = written(drawNames(names, [], ROOM));
        for (const [k, a] of found.entries()) {
          expect(a.left).toBeGreaterThanOrEqual(-0.1);
          expect(a.right).toBeLessThanOrEqual(300.1);
          for (const b of found.slice(k + 1)) {
            const isApart = a.right <= b.left + 0.2 || b.right <= a.left + 0.2 || Math.abs(a.y - b.y) >= 9;
            expect(isApart).toBe(true);
          }
        }
      }),
      { seed: 7, numRuns: lawRuns(200) },
    );
  });

  it('writes an isolated name right beside its joint, away from the middle', () => {
    const [right, left] = written(
      drawNames(
        [
          { name: 'hand', x: 200, y: 100 },
          { name: 'foot', x: 100, y: 50 },
        ],
        [],
        ROOM,
      ),
    );
    expect(right.left).toBeCloseTo(209, 0);
    expect(left.right).toBeCloseTo(91, 0);
  });

  it('avoids the lines of the figure where possible', () => {
    const [name] = written(drawNames([{ name: 'elbow', x: 200, y: 100 }], [[150, 100, 290, 100]], ROOM));
    expect(Math.abs(name.y - 100)).toBeGreaterThan(6);
  });

  it('leaves out the least important names if there is no room', () => {
    const crowd = Array.from({ length: 400 }, (_, k) => ({ name: `joint${k}`, x: 150, y: 100 }));
    const found = written(drawNames(crowd, [], ROOM)).map(({ name }) => name);
    expect(found.length).toBeGreaterThan(8);
    expect(found.length).toBeLessThan(60);
    expect(found.slice(0, 4)).toEqual(['joint0', 'joint1', 'joint2', 'joint3']);
  });
});
