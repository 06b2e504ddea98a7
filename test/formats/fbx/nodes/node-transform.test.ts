import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as mat4 from '../../../../src/core/math/mat4.ts';
import type { FbxProperty } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import {
  compensateScale,
  type FbxTransform,
  isUniform,
  localPose,
  readTransform,
} from '../../../../src/formats/fbx/nodes/node-transform.ts';
import { trs, vector } from '../../../support/arbitraries.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { expectNear } from '../../../support/near.ts';
import {
  columns,
  localTransform,
  multiplied,
  type NodeValues,
  scaled,
} from '../../../support/reference/fbx-transform.ts';
import { EXACT_CHAIN } from '../../../support/tolerances.ts';

const runs = { seed: 31, numRuns: lawRuns(300) };

const nodeValues: fc.Arbitrary<NodeValues> = fc.record({
  translation: vector(),
  rotation: vector(400),
  scale: vector(3),
  order: fc.nat(5),
  preRotation: vector(180),
  postRotation: vector(180),
  rotationOffset: vector(),
  rotationPivot: vector(),
  scalingOffset: vector(),
  scalingPivot: vector(),
});

function transformOf(values: Record<string, readonly FbxProperty[]>, broken = new Set<string>()): FbxTransform {
  return readTransform({ own: new Map(Object.entries(values)), defaults: new Map() }, broken);
}

function propertiesOf(node: NodeValues): Record<string, readonly FbxProperty[]> {
  return {
    RotationActive: [1],
    RotationOrder: [node.order],
    'Lcl Translation': [...node.translation],
    'Lcl Rotation': [...node.rotation],
    'Lcl Scaling': [...node.scale],
    PreRotation: [...node.preRotation],
    PostRotation: [...node.postRotation],
    RotationOffset: [...node.rotationOffset],
    RotationPivot: [...node.rotationPivot],
    ScalingOffset: [...node.scalingOffset],
    ScalingPivot: [...node.scalingPivot],
  };
}

/** The local transform as a matrix. */
function localMatrix(transform: FbxTransform, { translation, rotation, scale }: NodeValues): Float64Array {
  const pose = new Float64Array(10);
  localPose(pose, 0, transform, translation, rotation, scale);
  const out = new Float64Array(16);
  mat4.compose(out, 0, pose, 0);
  return out;
}

describe('readTransform and localPose', () => {
  it('equal the product of eleven matrices that Autodesk documents, in all six orders', () => {
    fc.assert(
      fc.property(nodeValues, (node) => {
        const transform = transformOf(propertiesOf(node));
        expectNear(
          [...transform.translation, ...transform.rotation, ...transform.scale],
          [node.translation, node.rotation, node.scale].flat(),
          0,
        );
        expectNear(localMatrix(transform, node), columns(localTransform(node)), EXACT_CHAIN);
      }),
      runs,
    );
  });

  it('accept other values of translation, rotation and scale, at any offset', () => {
    fc.assert(
      fc.property(nodeValues, nodeValues, (node, { translation, rotation, scale }) => {
        const out = new Float64Array(24).fill(7);
        localPose(out, 5, transformOf(propertiesOf(node)), translation, rotation, scale);
        const matrix = new Float64Array(16);
        mat4.compose(matrix, 0, out, 5);
        expectNear(matrix, columns(localTransform({ ...node, translation, rotation, scale })), EXACT_CHAIN);
        expect([out[4], out[15]]).toEqual([7, 7]);
        // Scale comes out as it went in, its signs too: a track of it has no jumps.
        expect([...out.subarray(12, 15)]).toEqual(scale);
      }),
      runs,
    );
  });

  it('ignore order, pre- and post-rotation if RotationActive is off or missing', () => {
    fc.assert(
      fc.property(nodeValues, fc.boolean(), (node, isSaid) => {
        const { RotationActive: _, ...silent } = propertiesOf(node);
        const transform = transformOf(isSaid ? { ...silent, RotationActive: [0] } : silent);
        const plain = { ...node, order: 0, preRotation: [0, 0, 0], postRotation: [0, 0, 0] };
        expectNear(localMatrix(transform, node), columns(localTransform(plain)), EXACT_CHAIN);
      }),
      { ...runs, numRuns: lawRuns(100) },
    );
  });

  it('ignore order, pre- and post-rotation if they are for limits only', () => {
    fc.assert(
      fc.property(nodeValues, (node) => {
        const values = propertiesOf(node);
        const limited = transformOf({ ...values, RotationSpaceForLimitOnly: [1] });
        const inactive = transformOf({ ...values, RotationActive: [0] });
        expect(localMatrix(limited, node)).toEqual(localMatrix(inactive, node));
      }),
      runs,
    );
  });

  it('return the identity for a node without properties', () => {
    const transform = transformOf({});
    const out = new Float64Array(10);
    localPose(out, 0, transform, transform.translation, transform.rotation, transform.scale);
    expect([...out]).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    expect(transform).toMatchObject({ order: 'ZYX', isSpheric: false, inheritType: 'RrSs' });
  });

  it('read the inherit types, and read spheric and unknown orders as XYZ', () => {
    const types = [0, 1, 2, 3].map((type) => transformOf({ InheritType: [type] }).inheritType);
    expect(types).toEqual(['RrSs', 'RSrs', 'Rrs', 'RrSs']);
    const orders = [6, 7, -1, 0.5].map((order) => transformOf({ RotationActive: [true], RotationOrder: [order] }));
    expect(orders.map(({ order }) => order)).toEqual(['ZYX', 'ZYX', 'ZYX', 'ZYX']);
    expect(orders.map(({ isSpheric }) => isSpheric)).toEqual([true, false, false, false]);
  });

  it('report invalid properties and use the defaults', () => {
    const broken = new Set<string>();
    const transform = transformOf({ 'Lcl Scaling': [1, 'x', 1], RotationPivot: [Number.NaN, 0, 0] }, broken);
    expect([...broken].sort()).toEqual(['Lcl Scaling', 'RotationPivot']);
    expect(transform.scale).toEqual([1, 1, 1]);
    expect(transform.rotationPivot).toEqual([0, 0, 0]);
  });
});

describe('compensateScale', () => {
  it('is exactly T · Sp⁻¹ · R · S for a uniform parent scale', () => {
    const factor = fc.integer({ min: 1, max: 5000 }).map((n) => n / 1000);
    fc.assert(
      fc.property(trs(), factor, (pose, parent) => {
        const out = Float64Array.from(pose);
        expect(compensateScale(out, 0, [parent, parent, parent], 0)).toBe(true);
        expect([...out.subarray(0, 7)]).toEqual(pose.slice(0, 7));
        expect([...out.subarray(7)]).toEqual(pose.slice(7).map((value) => value / parent));
      }),
      runs,
    );
  });

  it('removes a non-uniform parent scale along the axes of the child', () => {
    const out = new Float64Array([1, 2, 3, 0, 0, 0, 1, 1, 1, 1]);
    const parent = [2, 4, 5];
    expect(compensateScale(out, 0, parent, 0)).toBe(false);
    const matrix = new Float64Array(16);
    mat4.compose(matrix, 0, out, 0);
    const rows = [0, 1, 2, 3].map((row) => [0, 1, 2, 3].map((column) => matrix[4 * column + row]));
    const world = columns(multiplied(scaled(parent), rows));
    // The place is scaled, the axes are not.
    expectNear(world, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 8, 15, 1], EXACT_CHAIN);
  });

  it('returns finite numbers for rotated children of non-uniform parents, and ignores a parent scale of 0', () => {
    const turned = new Float64Array([0, 0, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 1, 1, 1]);
    expect(compensateScale(turned, 0, [2, 4, 5], 0)).toBe(false);
    expectNear(turned.subarray(7), [1 / 4, 1 / 2, 1 / 5], EXACT_CHAIN);
    const before = [...turned];
    expect(compensateScale(turned, 0, [0, 1, 1], 0)).toBe(false);
    expect([...turned]).toEqual(before);
  });

  it('isUniform: accepts a scale that is uniform except for rounding', () => {
    expect(isUniform([1, 1, 1], 0)).toBe(true);
    expect(isUniform([9, 100, 100.00001, 99.99999], 1)).toBe(true);
    expect(isUniform([1, 1, 1.01], 0)).toBe(false);
    expect(isUniform([1, 1, -1], 0)).toBe(false);
    expect(isUniform([0, 0, 0], 0)).toBe(true);
  });
});
