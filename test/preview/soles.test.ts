import { describe, expect, it } from 'vitest';
import { describeContactSurface } from '../../src/core/contacts/surface/contact-surface.ts';
import { readSkinPoints } from '../../src/files/humanoid/contact-surface.ts';
import { chooseHumanoid } from '../../src/files/humanoid/find-humanoid.ts';
import { inspectFile } from '../../src/files/jobs/inspect-file.ts';
import { type DrawnSole, drawnSoles, drawSoles, layoutSoles } from '../../src/preview/soles.ts';
import { openDemo } from '../support/make/demo-files.ts';

/** A sole of 30 × 10 cm. */
const SOLE: DrawnSole = {
  side: 'left',
  outline: [
    [0.05, -0.1],
    [0.15, -0.1],
    [0.15, 0.2],
    [0.05, 0.2],
  ],
  heel: [0.1, -0.05],
  ball: [0.1, 0.1],
};

describe('drawnSoles', () => {
  it('are as long as inspect reports, right one first, with the ball in front of the heel inside of the outline', async () => {
    const file = await openDemo('chibi.vrm');
    const { humanoid, part } = chooseHumanoid(file, 'target', {}).found!;
    const soles = drawnSoles(humanoid, describeContactSurface(humanoid, readSkinPoints(file, part)));
    expect(soles.map(({ side }) => side)).toEqual(['right', 'left']);
    const reported = (await inspectFile(file)).humanoids[0].soles;
    for (const { side, outline, heel, ball } of soles) {
      const z = outline.map((corner) => corner[1]);
      expect(Math.max(...z) - Math.min(...z)).toBeCloseTo(reported![side]!.length, 3);
      expect(ball[1]).toBeGreaterThan(heel[1]);
      for (const point of [heel, ball]) {
        expect(point[1]).toBeGreaterThan(Math.min(...z));
        expect(point[1]).toBeLessThan(Math.max(...z));
        expect(Math.sign(point[0])).toBe(side === 'left' ? 1 : -1);
      }
    }
  });
});

describe('layoutSoles', () => {
  it('puts soles side by side in one scale, within bounds', () => {
    const one = layoutSoles([SOLE], 300)!;
    const two = layoutSoles([SOLE, SOLE], 300)!;
    expect(two.scale).toBe(one.scale);
    expect(two.lefts[1]).toBeGreaterThan(one.width);
    const lengths = [1, 300, 1e4].map((figure) => 0.3 * layoutSoles([SOLE], figure)!.scale);
    expect(lengths[0]).toBeGreaterThan(40);
    expect(lengths[1]).toBeGreaterThan(lengths[0]);
    expect(lengths[2]).toBeLessThan(200);
  });

  it('is null without soles, and for soles without an extent', () => {
    expect(layoutSoles([], 300)).toBeNull();
    expect(layoutSoles([{ ...SOLE, outline: [[0, 0]] }], 300)).toBeNull();
    expect(layoutSoles([{ ...SOLE, outline: [[0, Number.NaN]] }], 300)).toBeNull();
  });
});

describe('drawSoles', () => {
  it('draws toes below the heel, with length × width', () => {
    const layout = layoutSoles([SOLE], 300)!;
    const svg = drawSoles(layout, 500, 200);
    expect(svg).toContain('30.0 × 10.0 cm');
    const [ankle, ball] = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [+x, +y]);
    expect(ball[0]).toBe(ankle[0]);
    expect(ball[1] - ankle[1]).toBeCloseTo(0.15 * layout.scale, 0);
    for (const [x, y] of [ankle, ball]) {
      expect(x).toBeGreaterThan(500);
      expect(Math.abs(y - 200)).toBeLessThan(layout.height / 2);
    }
  });
});
