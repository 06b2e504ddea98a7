import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as mat4 from '../../../src/core/math/mat4.ts';
import { localToModelMatrices } from '../../../src/core/skeleton/pose.ts';
import { extentOf, findUnbound, isUsable, solveBindShape } from '../../../src/core/skeleton/solve-bind.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { LAW_F64 } from '../../support/tolerances.ts';

const COUNT = 24;

/** A tree in which the parent of each joint is a random earlier joint. */
interface Body {
  readonly parents: Int32Array;
  readonly bindPose: Float64Array;
}

const coordinate = fc.double({ min: -1, max: 1, noNaN: true });
const quaternion = fc
  .tuple(coordinate, coordinate, coordinate, coordinate)
  .filter((q) => Math.hypot(...q) > 0.2)
  .map((q) => q.map((c) => c / Math.hypot(...q)));
const offset = fc.tuple(coordinate, coordinate, coordinate).filter((v) => Math.hypot(...v) > 0.3);
const body: fc.Arbitrary<Body> = fc
  .record({
    parents: fc.array(fc.nat(), { minLength: COUNT, maxLength: COUNT }),
    locals: fc.array(fc.tuple(offset, quaternion), { minLength: COUNT, maxLength: COUNT }),
  })
  .map(({ parents, locals }) => ({
    parents: Int32Array.from(parents, (draw, i) => (i === 0 ? -1 : draw % i)),
    bindPose: Float64Array.from(locals.flatMap(([t, q]) => [...t, ...q, 1, 1, 1])),
  }));
/** A similarity transform: rotation, translation and uniform scale. */
const similarity = fc
  .record({ t: offset, q: quaternion, s: fc.constantFrom(0.01, 0.94, 1, 2.54, 100) })
  .map(({ t, q, s }) => {
    const matrix = new Float64Array(16);
    mat4.compose(matrix, 0, [...t, ...q, s, s, s], 0);
    return matrix;
  });

function worldsOf({ parents }: Body, pose: Float64Array): Float64Array {
  const worlds = new Float64Array(COUNT * 16);
  localToModelMatrices(worlds, parents, pose);
  return worlds;
}

/** inv(IBM(j)) = S⁻¹ · W_bind(j) */
function inShape(bind: Float64Array, shape: Float64Array): Float64Array {
  const out = new Float64Array(bind.length);
  const inverse = new Float64Array(16);
  mat4.invertAffine(inverse, 0, shape, 0);
  for (let at = 0; at < bind.length; at += 16) mat4.multiply(out, at, inverse, 0, bind, at);
  return out;
}

function pose({ bindPose }: Body, turns: readonly (readonly number[])[], from: number): Float64Array {
  const posed = bindPose.slice();
  turns.forEach((q, i) => {
    if (i >= from) posed.set(q, i * 10 + 3);
  });
  return posed;
}

function expectMatrix(found: Float64Array, expected: Float64Array): void {
  const size = Math.max(...expected.map(Math.abs));
  found.forEach((value, c) => {
    expect(Math.abs(value - expected[c]) / size).toBeLessThan(LAW_F64);
  });
}

function solve(bodyOf: Body, bind: Float64Array, rest: Float64Array, shape: Float64Array, candidates: Float64Array[]) {
  return solveBindShape({
    bindInShape: inShape(bind, shape),
    expected: rest,
    parents: bodyOf.parents,
    candidates: Float64Array.from(candidates.flatMap((matrix) => Array.from(matrix))),
    extent: extentOf(rest),
  });
}

describe('isUsable', () => {
  it.each([
    ['true for a matrix with an inverse', 0.01, true],
    ['false for a singular matrix', 0, false],
    ['false for numbers that are not finite', Number.NaN, false],
    ['false for numbers beyond 1e9', 1e10, false],
    ['false for a matrix whose inverse is beyond 1e9', 1e-10, false],
  ])('is %s', (_, scale, expected) => {
    const matrix = new Float64Array(16);
    mat4.compose(matrix, 0, [1, 2, 3, 0, 0, 0, 1, scale, 1, 1], 0);
    expect(isUsable(matrix, 0)).toBe(expected);
  });
});

describe('findUnbound', () => {
  const at = (y: number, scale = 1): number[] => {
    const matrix = new Float64Array(16);
    mat4.compose(matrix, 0, [0, y, 0, 0, 0, 0, 1, scale, scale, scale], 0);
    return Array.from(matrix);
  };
  const turned = (y: number): number[] => {
    const matrix = new Float64Array(16);
    mat4.compose(matrix, 0, [0, y, 0, 0, 0, 0.6, 0.8, 1, 1, 1], 0);
    return Array.from(matrix);
  };
  const rest = Float64Array.from([at(0), at(1), at(2), at(2)].flat());

  it.each([
    ['the identity, of several joints', [at(0), at(-1), at(0), at(-2)], [1, 0, 1, 0]],
    ['another matrix, after a change of the space of the vertices', [at(5, 7), at(-1), at(5, 7), at(-2)], [1, 0, 1, 0]],
  ])('finds joints apart that have one matrix: %s', (_, matrices, expected) => {
    expect(Array.from(findUnbound(Float64Array.from(matrices.flat()), rest, 2))).toEqual(expected);
  });

  it.each([
    ['one joint at the origin', [at(0), at(-1), at(-2), at(-3)]],
    ['a twist joint at the place of its parent', [at(3), at(-1), at(-2), at(-2)]],
    ['a control of a hand, apart from it in the pose of the file', [turned(-1), at(-1), turned(-1), at(-3)]],
  ])('takes %s at its word', (_, matrices) => {
    expect(Array.from(findUnbound(Float64Array.from(matrices.flat()), rest, 2))).toEqual([0, 0, 0, 0]);
  });
});

describe('solveBindShape', () => {
  it('finds any bind-shape matrix when the rest pose is the bind pose', () => {
    fc.assert(
      fc.property(body, similarity, (given, shape) => {
        const bind = worldsOf(given, given.bindPose);
        const found = solve(given, bind, bind, shape, []);
        expect(found.kind).toBe('agrees');
        expectMatrix(found.matrix, shape);
      }),
      { seed: 21, numRuns: lawRuns(200) },
    );
  });

  it('finds any bind-shape matrix when less than half of the joints are posed', () => {
    fc.assert(
      fc.property(body, similarity, quaternion, (given, shape, turn) => {
        // Only the last joints and their descendants are posed.
        const bind = worldsOf(given, given.bindPose);
        const rest = worldsOf(given, pose(given, Array(COUNT).fill(turn), COUNT - 6));
        const moved = Array.from({ length: COUNT }, (_, i) => rest.subarray(i * 16, i * 16 + 16)).filter((m, i) =>
          m.some((value, c) => Math.abs(value - bind[i * 16 + c]) > 1e-12),
        );
        fc.pre(moved.length * 2 < COUNT);
        const found = solve(given, bind, rest, shape, []);
        expect(found.kind).toBe('agrees');
        expectMatrix(found.matrix, shape);
      }),
      { seed: 22, numRuns: lawRuns(200) },
    );
  });

  it('uses a candidate of the file when all joints except the root are posed', () => {
    fc.assert(
      fc.property(
        body,
        similarity,
        similarity,
        fc.array(quaternion, { minLength: COUNT, maxLength: COUNT }),
        (given, shape, decoy, turns) => {
          const scaleOf = (m: Float64Array): number => Math.cbrt(mat4.determinant(m, 0));
          fc.pre(Math.abs(scaleOf(decoy) / scaleOf(shape) - 1) > 0.05);
          fc.pre(Math.abs(scaleOf(shape) - 1) > 0.05);
          const bind = worldsOf(given, given.bindPose);
          const rest = worldsOf(given, pose(given, turns, 1));
          const found = solve(given, bind, rest, shape, [decoy, shape]);
          expect(found.kind).toBe('candidate');
          expectMatrix(found.matrix, shape);
        },
      ),
      { seed: 23, numRuns: lawRuns(200) },
    );
  });

  it('prefers the identity for a posed file without another space', () => {
    fc.assert(
      fc.property(body, fc.array(quaternion, { minLength: COUNT, maxLength: COUNT }), (given, turns) => {
        const identity = new Float64Array(16);
        mat4.identity(identity, 0);
        const bind = worldsOf(given, given.bindPose);
        const rest = worldsOf(given, pose(given, turns, 1));
        const found = solve(given, bind, rest, identity, []);
        expect(Array.from(found.matrix)).toEqual(Array.from(identity));
      }),
      { seed: 24, numRuns: lawRuns(200) },
    );
  });

  it('keeps the axes of the file when all joints are posed and a tool moved and scaled the vertices, as quantization does', () => {
    fc.assert(
      fc.property(
        body,
        similarity,
        offset,
        fc.array(quaternion, { minLength: COUNT, maxLength: COUNT }),
        (given, armature, moved, turns) => {
          const dequantize = new Float64Array(16);
          mat4.compose(dequantize, 0, [...moved, 0, 0, 0, 1, 7, 7, 7], 0);
          const shape = new Float64Array(16);
          mat4.multiply(shape, 0, armature, 0, dequantize, 0);
          const size = (m: Float64Array): number => Math.cbrt(mat4.determinant(m, 0));
          fc.pre(Math.abs(size(shape) - 1) > 0.05);
          const bind = worldsOf(given, given.bindPose);
          const rest = worldsOf(given, pose(given, turns, 0));
          const found = solve(given, bind, rest, shape, [armature]);
          expect(found.kind).toBe('guessed');
          // The identity may cost less where the pose is random.
          const axes = (m: Float64Array): number[] => Array.from(m.subarray(0, 12), (value) => value / size(m));
          const identity = mat4.createIdentity();
          const differences = [identity, armature].map((one) =>
            Math.max(...axes(found.matrix).map((value, c) => Math.abs(value - axes(one)[c]))),
          );
          expect(Math.min(...differences)).toBeLessThan(LAW_F64);
          expect(size(found.matrix) / size(shape)).toBeCloseTo(1, 1);
        },
      ),
      { seed: 25, numRuns: lawRuns(100) },
    );
  });

  it('reports `guessed` without a good match', () => {
    const expected = Float64Array.from(
      [...Array(3).keys()].flatMap((i) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, i, i * i, 0, 1]),
    );
    const scattered = expected.map((value, c) => (c % 16 === 12 ? 7 * value : c % 16 === 14 ? 40 - c : value));
    const parents = Int32Array.of(-1, 0, 1);
    const found = solveBindShape({
      bindInShape: scattered,
      expected,
      parents,
      candidates: new Float64Array(0),
      extent: 4,
    });
    expect(found.kind).toBe('guessed');
    expect(isUsable(found.matrix, 0)).toBe(true);
  });

  it('returns finite numbers when expected matrices are not finite', () => {
    const expected = new Float64Array(32).fill(Number.NaN);
    const bindInShape = new Float64Array(32);
    mat4.identity(bindInShape, 0);
    mat4.identity(bindInShape, 16);
    const parents = Int32Array.of(-1, 0);
    const found = solveBindShape({ bindInShape, expected, parents, candidates: new Float64Array(0), extent: 1 });
    expect(found.matrix.every(Number.isFinite)).toBe(true);
  });
});
