import { describe, expect, it } from 'vitest';
import { makeBody } from '../../src/demo/body.ts';
import { worldPose } from '../../src/demo/body-pose.ts';
import { makePose } from '../../src/demo/pose.ts';
import {
  type Cell,
  cellOf,
  drawFigure,
  drawGround,
  FIGURE,
  reachOf,
  type SheetBody,
  VIEWS,
} from '../../src/preview/cell.ts';

const demo = makeBody({ extras: ['ends'] });
const body: SheetBody = {
  parents: demo.skeleton.parents,
  bones: demo.bones,
  ground: 0,
  height: demo.figure.height,
};
const [front, side] = VIEWS;

/** The T-pose `x` metres to the left, from the front or, half a turn on, from behind. */
function standing(facing: 0 | 180, x = 0): Cell {
  const { positions } = worldPose(demo, makePose(demo.figure));
  const turn = facing === 0 ? 1 : -1;
  return cellOf(
    body,
    positions.map((v, k) => (k % 3 === 1 ? v : v * turn + (k % 3 === 0 ? x : 0))),
  );
}

function firstX(svg: string, colour: string): number {
  return Number(new RegExp(`M[\\d.]+ [\\d.]+L([\\d.]+) [\\d.]+[^"]*" stroke="${colour}"`).exec(svg)![1]);
}

describe('a cell', () => {
  it('shows the left side on the right from the front, and the feet to the right from the side', () => {
    const cell = standing(0);
    expect(front.across(1, 0)).toBeGreaterThan(0);
    expect(side.across(0, 1)).toBeGreaterThan(0);
    const svg = drawFigure(body, cell, front, 500, 200);
    expect(firstX(svg, '#2563c9')).toBeGreaterThan(500);
    expect(firstX(svg, '#d9541e')).toBeLessThan(500);
  });

  it('paints what is nearer later: from its right side the right limbs, and a nose behind the head not at all over it', () => {
    const order = drawFigure(body, standing(0), side, 100, 200);
    expect(order.lastIndexOf('#d9541e')).toBeGreaterThan(order.lastIndexOf('#2563c9'));
    const ahead = drawFigure(body, standing(0), front, 100, 200);
    const away = drawFigure(body, standing(180), front, 100, 200);
    expect(ahead).toMatch(/<circle[^>]*\/><path/);
    expect(away).toMatch(/<path[^>]*\/><circle/);
  });

  it('follows the hips, or where no bones are known the middle of the joints', () => {
    expect(standing(0, 3).follow).toEqual([3, 0]);
    const { follow } = cellOf({ ...body, parents: [-1, 0], bones: null }, [1, 0, 0, 3, 5, 4]);
    expect(follow).toEqual([2, 2]);
  });

  it('reaches as far as the T-pose is wide from the front, and hardly anywhere from the side', () => {
    const { arm, hand, shoulderWidth } = demo.figure.proportions;
    const wide = (shoulderWidth / 2 + arm + hand) / demo.figure.height;
    expect(reachOf(body, standing(0), front).aside).toBeGreaterThan(0.9 * wide);
    expect(reachOf(body, standing(0), side).aside).toBeLessThan(0.3 * wide);
    expect(reachOf(body, standing(0), front).up).toBeCloseTo(1, 2);
  });

  it('marks every quarter of a height on the ground, a full one longer, wherever the body is', () => {
    const marks = (x: number): string[] =>
      drawGround(body, [x, 0], front, 500, 100, FIGURE / 2)
        .split('M')
        .slice(2);
    expect(marks(0).length).toBe(5);
    expect(marks(0).filter((mark) => mark.includes('v8')).length).toBe(1);
    const moved = marks(0.1 * demo.figure.height).map((mark) => Number(mark.split(' ')[0]));
    const still = marks(0).map((mark) => Number(mark.split(' ')[0]));
    expect(moved[0]).toBeCloseTo(still[1] - 0.1 * FIGURE, 0);
  });
});
