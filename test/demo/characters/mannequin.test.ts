import { describe, expect, it } from 'vitest';
import { BONES } from '../../../src/core/humanoid/bones.ts';
import { mannequinParts } from '../../../src/demo/characters/mannequin.ts';
import { makeFigure } from '../../../src/demo/figure/figure.ts';
import { FIGURES } from '../motions/motion-checks.ts';

describe.each(FIGURES)('mannequinParts of %s', (_, proportions) => {
  const figure = makeFigure(proportions);
  const parts = mannequinParts(figure, 1);
  const all = parts.flatMap(({ surface }) => Array.from(surface.positions));
  const axis = (c: number): number[] => all.filter((_, k) => k % 3 === c);

  it('gives a mesh with the height of the figure, the width of its arms, and soles on the ground', () => {
    expect(Math.min(...axis(1))).toBeGreaterThan(-0.01 * figure.height);
    expect(Math.min(...axis(1))).toBeLessThan(0.01 * figure.height);
    expect(Math.max(...axis(1)) / figure.height).toBeCloseTo(1, 1);
    const reach = proportions.shoulderWidth / 2 + proportions.arm + proportions.hand;
    expect(Math.max(...axis(0)) / reach).toBeCloseTo(1, 1);
    expect(Math.max(...axis(0)) + Math.min(...axis(0))).toBeCloseTo(0, 9);
    expect(Math.max(...axis(2))).toBeGreaterThan(0.7 * proportions.foot);
  });

  it('skins the mesh to every bone but jaw and shoulders, with weights that sum to 1', () => {
    const moving = new Set<string>();
    for (const { surface, weights } of parts) {
      for (const station of surface.stations) {
        const shares = weights(station);
        for (const [bone] of shares) moving.add(bone);
        expect(shares.reduce((sum, [, share]) => sum + share, 0)).toBeCloseTo(1, 12);
      }
    }
    expect(BONES.filter((bone) => !moving.has(bone))).toEqual(['jaw', 'leftShoulder', 'rightShoulder']);
  });

  it('grows in vertices with the square of the detail', () => {
    const count = (detail: number): number =>
      mannequinParts(figure, detail).reduce((sum, { surface }) => sum + surface.stations.length, 0);
    expect(count(4) / count(2)).toBeGreaterThan(3.4);
    expect(count(4) / count(2)).toBeLessThan(4.6);
  });
});
