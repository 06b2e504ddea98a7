import { describe, expect, it } from 'vitest';
import { makeBindSolver } from '../../../../src/formats/usd/write/solve-skin-binds.ts';
import { skin } from './small-geometry.ts';

/** Three joints in a row, 1 apart along y. */
const PARENTS = Int32Array.of(-1, 0, 1);
const REST = Float64Array.from([0, 1, 1].flatMap((y) => [0, y, 0, 0, 0, 0, 1, 1, 1, 1]));
const NO_SPACES = new Float64Array(0);
const places = (matrices: Float64Array): number[][] => {
  return [0, 1, 2].map((joint) => Array.from(matrices.subarray(16 * joint + 12, 16 * joint + 15)));
};
const at = (joints: number[], ys: number[], x = 0) => {
  const { inverseBindMatrices } = skin(
    joints,
    ys.map((y) => [x, y, 0] as const),
  );
  return { joints, inverseBindMatrices, holds: joints.map(() => 1) };
};

describe('bind poses of several skins', () => {
  it('are one where the skins differ by a factor, which is the geomBindTransform', () => {
    const solver = makeBindSolver(PARENTS, REST, NO_SPACES);
    const first = solver.add(at([0, 1], [0, 1]));
    const second = solver.add(at([1, 2], [1, 2], 5));
    expect([first.pose, second.pose]).toEqual([0, 0]);
    expect(Array.from(first.geomBind.subarray(12, 15))).toEqual([0, 0, 0]);
    expect(Array.from(second.geomBind.subarray(12, 15))).toEqual([-5, 0, 0]);
    expect(solver.finish().map(places)).toEqual([
      [
        [0, 0, 0],
        [0, 1, 0],
        [0, 2, 0],
      ],
    ]);
  });

  it('are several where they were bound in other poses', () => {
    const solver = makeBindSolver(PARENTS, REST, NO_SPACES);
    const binds = [at([0, 1], [0, 1]), at([0, 1], [0, 3]), at([0, 1, 2], [0, 3, 4])].map(solver.add);
    expect(binds.map(({ pose }) => pose)).toEqual([0, 1, 1]);
    expect(solver.finish().map((matrices) => places(matrices)[2])).toEqual([
      [0, 2, 0],
      [0, 4, 0],
    ]);
  });

  it('have joints of no skin where they stand at rest to those above and below', () => {
    const solver = makeBindSolver(PARENTS, REST, NO_SPACES);
    solver.add(at([1], [7]));
    expect(places(solver.finish()[0]).map(([, y]) => y)).toEqual([6, 7, 8]);
  });

  it('leave out the identities of joints that hold nothing, where there are several', () => {
    const solver = makeBindSolver(PARENTS, REST, NO_SPACES);
    const { joints, inverseBindMatrices } = at([0, 1, 2], [0, 0, 9]);
    solver.add({ joints, inverseBindMatrices, holds: [0, 0, 1] });
    expect(places(solver.finish()[0]).map(([, y]) => y)).toEqual([7, 8, 9]);
  });

  it('have topmost joints that no skin binds where they are at rest, in a space that is offered', () => {
    const parents = Int32Array.of(-1, 0, 0, 0, 0);
    const rest = Float64Array.from([5, 1, 2, 3, 4].flatMap((y) => [0, y, 0, 0, 0, 0, 1, 1, 1, 1]));
    // The meshes are ten times as large. Joint 1, the first below, was not bound where it rests.
    const tenth = Float64Array.of(0.1, 0, 0, 0, 0, 0.1, 0, 0, 0, 0, 0.1, 0, 0, 0, 0, 1);
    const inverse = [-9, -7, -8, -9].flatMap((y, j) => [...tenth.subarray(0, 12), j === 0 ? -5 : 0, y, 0, 1]);
    const skin = { joints: [1, 2, 3, 4], holds: [1, 1, 1, 1], inverseBindMatrices: Float64Array.from(inverse) };
    const topIn = (offered: Float64Array): number[] => {
      const solver = makeBindSolver(parents, rest, offered);
      solver.add(skin);
      return Array.from(solver.finish()[0].subarray(12, 15), Math.round);
    };
    expect(topIn(tenth)).toEqual([0, 50, 0]);
    // Nobody says that the meshes are larger, but three joints do.
    expect(topIn(NO_SPACES)).toEqual([0, 50, 0]);
  });

  it('keep the identity of one joint, and those of joints that hold vertices', () => {
    for (const [ys, holds] of [
      [
        [0, 1, 9],
        [0, 0, 1],
      ],
      [
        [0, 0, 9],
        [1, 1, 1],
      ],
    ]) {
      const solver = makeBindSolver(PARENTS, REST, NO_SPACES);
      solver.add({ ...at([0, 1, 2], ys), holds });
      expect(places(solver.finish()[0]).map(([, y]) => y)).toEqual(ys);
    }
  });

  it('have joints between bound ones where they stand at rest to those above', () => {
    const solver = makeBindSolver(PARENTS, REST, NO_SPACES);
    solver.add(at([0, 2], [5, 9]));
    expect(places(solver.finish()[0]).map(([, y]) => y)).toEqual([5, 6, 9]);
  });

  it('take the identity for matrices without an inverse, and count them', () => {
    const solver = makeBindSolver(PARENTS, REST, NO_SPACES);
    expect(solver.add({ joints: [0], inverseBindMatrices: new Float64Array(16), holds: [1] }).singular).toBe(1);
    expect(Array.from(solver.finish()[0].subarray(0, 16))).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  });
});
