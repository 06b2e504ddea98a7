import { describe, expect, it } from 'vitest';
import { createBindPoseSolver } from '../../../../../src/formats/usd/write/skeletons/solve-bind-poses.ts';
import { skin } from '../small-geometry.ts';

/** Three joints in a row, 1 apart along y. */
const PARENTS = Int32Array.of(-1, 0, 1);
const REST = Float64Array.from([0, 1, 1].flatMap((y) => [0, y, 0, 0, 0, 0, 1, 1, 1, 1]));
const NO_SPACES = new Float64Array(0);
const origins = (matrices: Float64Array): number[][] => {
  return [0, 1, 2].map((joint) => Array.from(matrices.subarray(16 * joint + 12, 16 * joint + 15)));
};
const at = (joints: number[], ys: number[], x = 0) => {
  const { inverseBindMatrices } = skin(
    joints,
    ys.map((y) => [x, y, 0] as const),
  );
  return { joints, inverseBindMatrices, isWeighted: joints.map(() => 1) };
};

describe('createBindPoseSolver', () => {
  it('finds one bind pose for skins that differ by a factor, the geomBindTransform', () => {
    const solver = createBindPoseSolver(PARENTS, REST, NO_SPACES);
    const first = solver.add(at([0, 1], [0, 1]));
    const second = solver.add(at([1, 2], [1, 2], 5));
    expect([first.pose, second.pose]).toEqual([0, 0]);
    expect(Array.from(first.geomBind.subarray(12, 15))).toEqual([0, 0, 0]);
    expect(Array.from(second.geomBind.subarray(12, 15))).toEqual([-5, 0, 0]);
    expect(solver.finish().map(origins)).toEqual([
      [
        [0, 0, 0],
        [0, 1, 0],
        [0, 2, 0],
      ],
    ]);
  });

  it('finds several bind poses for skins that were bound in different poses', () => {
    const solver = createBindPoseSolver(PARENTS, REST, NO_SPACES);
    const binds = [at([0, 1], [0, 1]), at([0, 1], [0, 3]), at([0, 1, 2], [0, 3, 4])].map(solver.add);
    expect(binds.map(({ pose }) => pose)).toEqual([0, 1, 1]);
    expect(solver.finish().map((matrices) => origins(matrices)[2])).toEqual([
      [0, 2, 0],
      [0, 4, 0],
    ]);
  });

  it('keeps unbound joints at their rest transform relative to bound ones', () => {
    const solver = createBindPoseSolver(PARENTS, REST, NO_SPACES);
    solver.add(at([1], [7]));
    expect(origins(solver.finish()[0]).map(([, y]) => y)).toEqual([6, 7, 8]);
  });

  it('ignores several identity matrices of unweighted joints', () => {
    const solver = createBindPoseSolver(PARENTS, REST, NO_SPACES);
    const { joints, inverseBindMatrices } = at([0, 1, 2], [0, 0, 9]);
    solver.add({ joints, inverseBindMatrices, isWeighted: [0, 0, 1] });
    expect(origins(solver.finish()[0]).map(([, y]) => y)).toEqual([7, 8, 9]);
  });

  it('binds unbound root joints at rest in a candidate space', () => {
    const parents = Int32Array.of(-1, 0, 0, 0, 0);
    const rest = Float64Array.from([5, 1, 2, 3, 4].flatMap((y) => [0, y, 0, 0, 0, 0, 1, 1, 1, 1]));
    // The meshes are ten times as large. Joint 1, the first one below, is not bound at rest.
    const tenth = Float64Array.of(0.1, 0, 0, 0, 0, 0.1, 0, 0, 0, 0, 0.1, 0, 0, 0, 0, 1);
    const inverse = [-9, -7, -8, -9].flatMap((y, j) => [...tenth.subarray(0, 12), j === 0 ? -5 : 0, y, 0, 1]);
    const skin = { joints: [1, 2, 3, 4], isWeighted: [1, 1, 1, 1], inverseBindMatrices: Float64Array.from(inverse) };
    const rootIn = (candidates: Float64Array): number[] => {
      const solver = createBindPoseSolver(parents, rest, candidates);
      solver.add(skin);
      return Array.from(solver.finish()[0].subarray(12, 15), Math.round);
    };
    expect(rootIn(tenth)).toEqual([0, 50, 0]);
    // Without a candidate space, three joints determine the scale.
    expect(rootIn(NO_SPACES)).toEqual([0, 50, 0]);
  });

  it('keeps the identity of a single joint and of weighted joints', () => {
    for (const [ys, isWeighted] of [
      [
        [0, 1, 9],
        [0, 0, 1],
      ],
      [
        [0, 0, 9],
        [1, 1, 1],
      ],
    ]) {
      const solver = createBindPoseSolver(PARENTS, REST, NO_SPACES);
      solver.add({ ...at([0, 1, 2], ys), isWeighted });
      expect(origins(solver.finish()[0]).map(([, y]) => y)).toEqual(ys);
    }
  });

  it('keeps joints between bound ones at rest relative to their parent', () => {
    const solver = createBindPoseSolver(PARENTS, REST, NO_SPACES);
    solver.add(at([0, 2], [5, 9]));
    expect(origins(solver.finish()[0]).map(([, y]) => y)).toEqual([5, 6, 9]);
  });

  it('replaces singular matrices by the identity, and counts them', () => {
    const solver = createBindPoseSolver(PARENTS, REST, NO_SPACES);
    expect(solver.add({ joints: [0], inverseBindMatrices: new Float64Array(16), isWeighted: [1] }).singular).toBe(1);
    expect(Array.from(solver.finish()[0].subarray(0, 16))).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  });
});
