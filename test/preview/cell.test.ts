import { describe, expect, it } from 'vitest';
import { worldPose } from '../../src/demo/characters/character-pose.ts';
import { makeCharacter } from '../../src/demo/characters/make-character.ts';
import { makePose } from '../../src/demo/figure/pose.ts';
import {
  type Cell,
  cellOf,
  drawFigure,
  drawGround,
  FIGURE,
  FRONT,
  projector,
  reachOf,
  type SheetSkeleton,
  SIDE,
} from '../../src/preview/cell.ts';

const demo = makeCharacter({ extras: ['ends'] });
const body: SheetSkeleton = {
  parents: demo.skeleton.parents,
  bones: demo.bones,
  ground: 0,
  height: demo.figure.height,
};
const PLACE = { x: 500, y: 200, figure: FIGURE };

/** The T-pose `x` meters to the left, from the front or, half a turn on, from behind. */
function standing(facing: 0 | 180, x = 0): Cell {
  const { positions } = worldPose(demo, makePose(demo.figure));
  const turn = facing === 0 ? 1 : -1;
  return cellOf(
    body,
    positions.map((v, k) => (k % 3 === 1 ? v : v * turn + (k % 3 === 0 ? x : 0))),
  );
}

function firstX(svg: string, color: string): number {
  return Number(new RegExp(`M[\\d.]+ [\\d.]+L([\\d.]+) [\\d.]+[^"]*" stroke="${color}"`).exec(svg)![1]);
}

describe('cell', () => {
  it('drawFigure: shows the left side on the right from the front, and the feet to the right from the side', () => {
    const cell = standing(0);
    expect(FRONT.across(1, 0)).toBeGreaterThan(0);
    expect(SIDE.across(0, 1)).toBeGreaterThan(0);
    const svg = drawFigure(body, cell, FRONT, PLACE);
    expect(firstX(svg, '#2563c9')).toBeGreaterThan(500);
    expect(firstX(svg, '#d9541e')).toBeLessThan(500);
  });

  it('drawFigure: paints nearer lines later, and a nose behind the head below it', () => {
    const order = drawFigure(body, standing(0), SIDE, PLACE);
    expect(order.lastIndexOf('#d9541e')).toBeGreaterThan(order.lastIndexOf('#2563c9'));
    const ahead = drawFigure(body, standing(0), FRONT, PLACE);
    const away = drawFigure(body, standing(180), FRONT, PLACE);
    expect(ahead).toMatch(/<circle[^>]*\/><path/);
    expect(away).toMatch(/<path[^>]*\/><circle/);
  });

  it('cellOf: follows the hips, or the mean of the joints without bones', () => {
    expect(standing(0, 3).follow).toEqual([3, 0]);
    const { follow } = cellOf({ ...body, parents: [-1, 0], bones: null }, [1, 0, 0, 3, 5, 4]);
    expect(follow).toEqual([2, 2]);
  });

  it('reachOf: measures the T-pose from the front, from the side, and above and below the ground', () => {
    const { arm, hand, shoulderWidth } = demo.figure.proportions;
    const wide = (shoulderWidth / 2 + arm + hand) / demo.figure.height;
    const { left, right, up, down } = reachOf(body, standing(0), FRONT);
    expect(left).toBeGreaterThan(0.9 * wide);
    expect(right).toBeCloseTo(left, 6);
    expect([up, down]).toEqual([expect.closeTo(1, 2), expect.closeTo(0, 2)]);
    // The feet are in front.
    const aside = reachOf(body, standing(0), SIDE);
    expect(aside.left).toBeLessThan(0.2 * wide);
    expect(aside.right).toBeGreaterThan(aside.left);
    expect(reachOf({ ...body, ground: 0.5 }, standing(0), FRONT).down).toBeCloseTo(0.5 / body.height, 1);
  });

  it('projector: maps the followed point to the cell offset and the height to the figure height', () => {
    const screen = projector(body, standing(0, 3), FRONT, PLACE);
    expect(screen([3, 0, 0])).toEqual([500, 200]);
    expect(screen([3, body.height, 0])[1]).toBeCloseTo(200 - FIGURE, 9);
  });

  it('cellOf: draws NaN and extreme positions at finite coordinates', () => {
    const { positions } = worldPose(demo, makePose(demo.figure));
    const broken = cellOf(
      body,
      positions.map((v, k) => (k % 7 === 0 ? Number.NaN : k % 11 === 0 ? Number.POSITIVE_INFINITY : v)),
    );
    expect(drawFigure(body, broken, FRONT, PLACE)).not.toMatch(/NaN|Infinity/);
    expect(Object.values(reachOf(body, broken, SIDE)).every(Number.isFinite)).toBe(true);
  });

  it('drawFigure: draws larger figures with thicker lines', () => {
    const widthOf = (figure: number): number => {
      return Number(/stroke-width="([\d.]+)"/.exec(drawFigure(body, standing(0), FRONT, { ...PLACE, figure }))![1]);
    };
    expect(widthOf(FIGURE)).toBe(3.2);
    expect(widthOf(4 * FIGURE)).toBe(6.4);
  });

  it('drawGround: marks every quarter of the height, whole heights longer, at any position of the skeleton', () => {
    const marks = (x: number): string[] => {
      const ground = drawGround(
        body,
        { ...standing(0), follow: [x, 0] },
        FRONT,
        PLACE,
        500 - FIGURE / 2,
        500 + FIGURE / 2,
      );
      expect(ground).toContain(`M${500 - FIGURE / 2} 200H${500 + FIGURE / 2}`);
      return ground.split('M').slice(2);
    };
    expect(marks(0).length).toBe(5);
    expect(marks(0).filter((mark) => mark.includes('v8')).length).toBe(1);
    const moved = marks(0.1 * demo.figure.height).map((mark) => Number(mark.split(' ')[0]));
    const still = marks(0).map((mark) => Number(mark.split(' ')[0]));
    expect(moved[0]).toBeCloseTo(still[1] - 0.1 * FIGURE, 0);
  });
});
