import { describe, expect, it } from 'vitest';
import { localToWorld, localTransform, transformTimes } from '../../../../src/formats/usd/stage/xform-ops.ts';
import { EXACT } from '../../../support/tolerances.ts';
import { stageOf } from './scene.ts';

/** A point through a matrix of row vectors. */
function moved(m: ArrayLike<number>, [x, y, z]: readonly number[]): number[] {
  return [0, 1, 2].map((c) => x * m[c] + y * m[4 + c] + z * m[8 + c] + m[12 + c]);
}

function xform(ops: string, order: string, point: readonly number[], time: number | 'default' = 'default'): number[] {
  const stage = stageOf(`def Xform "A" { ${ops}\n uniform token[] xformOpOrder = [${order}] }`);
  return moved(localTransform(stage, '/A', time).matrix, point);
}

function expectPoint(found: readonly number[], ...expected: number[]): void {
  for (const [i, number] of expected.entries()) expect(Math.abs(found[i] - number), `${found}`).toBeLessThan(EXACT);
}

describe('localTransform', () => {
  it('scales, then rotates, then translates for the order translate, rotate, scale', () => {
    const ops =
      'double3 xformOp:translate = (10, 0, 0)\n float xformOp:rotateZ = 90\n float3 xformOp:scale = (2, 3, 4)';
    expectPoint(xform(ops, '"xformOp:translate", "xformOp:rotateZ", "xformOp:scale"', [1, 1, 1]), 7, 2, 4);
  });

  it('rotates about the axes in the order of their letters', () => {
    // x turns +y to +z; then y turns +z to +x; then z turns +x to +y.
    expectPoint(xform('float3 xformOp:rotateXYZ = (90, 90, 90)', '"xformOp:rotateXYZ"', [0, 1, 0]), 0, 1, 0);
    expectPoint(xform('float3 xformOp:rotateXYZ = (90, 90, 0)', '"xformOp:rotateXYZ"', [0, 1, 0]), 1, 0, 0);
    expectPoint(xform('float3 xformOp:rotateYXZ = (90, 90, 0)', '"xformOp:rotateYXZ"', [0, 1, 0]), 0, 0, 1);
    expectPoint(
      xform('float3 xformOp:rotateZYX = (0, 90, 30)', '"xformOp:rotateZYX"', [1, 0, 0]),
      0,
      0.5,
      -Math.cos(Math.PI / 6),
    );
    expectPoint(xform('float xformOp:rotateX = 30', '"xformOp:rotateX"', [0, 2, 0]), 0, Math.sqrt(3), 1);
    expectPoint(xform('float xformOp:rotateY = -270', '"xformOp:rotateY"', [0, 0, 1]), 1, 0, 0);
  });

  it('supports orient, transform and single axes', () => {
    expectPoint(xform('quatf xformOp:orient = (1, 0, 0, 0)', '"xformOp:orient"', [1, 2, 3]), 1, 2, 3);
    expectPoint(
      xform(`quatd xformOp:orient = (${Math.SQRT1_2}, 0, 0, ${Math.SQRT1_2})`, '"xformOp:orient"', [1, 0, 0]),
      0,
      1,
      0,
    );
    expectPoint(
      xform(
        'matrix4d xformOp:transform = ((0,1,0,0),(-1,0,0,0),(0,0,1,0),(5,6,7,1))',
        '"xformOp:transform"',
        [1, 0, 0],
      ),
      5,
      7,
      7,
    );
    expectPoint(
      xform(
        'double xformOp:translateY = 3\n double xformOp:scaleX = 2',
        '"xformOp:translateY", "xformOp:scaleX"',
        [1, 0, 0],
      ),
      2,
      3,
      0,
    );
  });

  it('rotates about a pivot with an inverse operation', () => {
    const ops = 'float3 xformOp:translate:pivot = (1, 0, 0)\n float xformOp:rotateZ = 180';
    expectPoint(
      xform(ops, '"xformOp:translate:pivot", "xformOp:rotateZ", "!invert!xformOp:translate:pivot"', [3, 0, 0]),
      -1,
      0,
      0,
    );
  });

  it('distinguishes suffixes and ignores missing values, unknown types and singular inverses', () => {
    expectPoint(
      xform(
        'double3 xformOp:translate:a = (1, 0, 0)\n double3 xformOp:translate:b = (0, 1, 0)',
        '"xformOp:translate:a", "xformOp:translate:b"',
        [0, 0, 0],
      ),
      1,
      1,
      0,
    );
    expectPoint(
      xform(
        'double3 xformOp:translate = None\n double3 xformOp:bend = (1, 1, 1)\n float3 xformOp:scale = (0, 1, 1)',
        '"xformOp:translate", "xformOp:bend", "!invert!xformOp:scale", "xformOp:none", "odd"',
        [1, 2, 3],
      ),
      1,
      2,
      3,
    );
    expectPoint(xform('double3 xformOp:translate = (1, 1, 1)', '', [1, 2, 3]), 1, 2, 3);
  });

  it('ignores operations before a reset', () => {
    const stage = stageOf(
      'def Xform "A" { double3 xformOp:translate = (1, 0, 0)\n uniform token[] xformOpOrder = ["xformOp:translate", "!resetXformStack!"] }',
    );
    expect(localTransform(stage, '/A', 0)).toMatchObject({ resetsStack: true });
    expectPoint(moved(localTransform(stage, '/A', 0).matrix, [0, 0, 0]), 0, 0, 0);
  });

  it('is animated if its operations have time samples', () => {
    const ops =
      'double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 10: (10, 0, 0) }\n float xformOp:rotateZ.timeSamples = { 5: 90 }';
    expectPoint(xform(ops, '"xformOp:translate", "xformOp:rotateZ"', [1, 0, 0], 5), 5, 1, 0);
    const stage = stageOf(
      `def "A" { ${ops}\n uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateZ"] }`,
    );
    expect([...transformTimes(stage, '/A')]).toEqual([0, 5, 10]);
  });
});

describe('localToWorld', () => {
  const stage = stageOf(`def Xform "A" { double3 xformOp:translate = (1, 0, 0)
      uniform token[] xformOpOrder = ["xformOp:translate"]
      def Scope "S" { def Xform "B" { float3 xformOp:scale = (2, 2, 2)
          uniform token[] xformOpOrder = ["xformOp:scale"] }
        def Xform "R" { float3 xformOp:translate = (0, 5, 0)
          uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:translate"] } } }`);
  it('multiplies the transforms of all ancestors', () => {
    expectPoint(moved(localToWorld(stage, '/A/S/B', 0), [1, 1, 1]), 3, 2, 2);
    expectPoint(moved(localToWorld(stage, '/', 0), [1, 1, 1]), 1, 1, 1);
  });
  it('stops at a reset of the stack', () => {
    expectPoint(moved(localToWorld(stage, '/A/S/R', 0), [0, 0, 0]), 0, 5, 0);
  });
});
