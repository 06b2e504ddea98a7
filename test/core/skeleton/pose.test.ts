import fc from 'fast-check';
import { Object3D, Quaternion } from 'three';
import { describe, expect, it } from 'vitest';
import type { Floats } from '../../../src/core/math/floats.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import {
  bindPose,
  localToModelMatrices,
  localToModelRotations,
  modelPositions,
  modelToLocalMatrices,
  restPose,
} from '../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { rotation, trs } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { EXACT_CHAIN } from '../../support/tolerances.ts';

const runs = { seed: 11, numRuns: lawRuns(100) };

interface Tree {
  readonly parents: Int32Array;
  readonly local: Float64Array;
}

/** Forests of up to 12 nodes with local poses; scales from 0.5 to 2, equal on all axes when `uniform`. */
function trees(uniform: boolean): fc.Arbitrary<Tree> {
  return fc.array(fc.tuple(fc.nat(), trs()), { minLength: 1, maxLength: 12 }).map((nodes) => ({
    parents: Int32Array.from(nodes, ([n], node) => (n % (node + 1)) - 1),
    local: Float64Array.from(
      nodes.flatMap(([, ten]) => [...ten.slice(0, 7), ...[7, 8, 9].map((c) => 0.5 + ten[uniform ? 7 : c] / 10)]),
    ),
  }));
}

function skeletonOf({ parents, local }: Tree, bind: Floats | null): Skeleton {
  const names = Array.from(parents, (_, node) => `n${node}`);
  return { name: 'test', names, parents, rest: local, bind, joints: new Uint8Array(parents.length) };
}

/** Returns the same tree in three.js, with its world matrices. */
function threeTree({ parents, local }: Tree): Object3D[] {
  const nodes: Object3D[] = [];
  parents.forEach((parent, node) => {
    const object = new Object3D();
    object.position.fromArray(local, 10 * node);
    object.quaternion.fromArray(local, 10 * node + 3);
    object.scale.fromArray(local, 10 * node + 7);
    if (parent >= 0) nodes[parent].add(object);
    nodes.push(object);
  });
  parents.forEach((parent, node) => {
    if (parent < 0) nodes[node].updateMatrixWorld(true);
  });
  return nodes;
}

describe('localToModelMatrices, localToModelRotations and modelToLocalMatrices', () => {
  it('match the world matrices of three.js', () => {
    const property = fc.property(trees(false), (tree) => {
      const count = tree.parents.length;
      const matrices = new Float64Array(16 * count);
      const positions = new Float64Array(3 * count);
      localToModelMatrices(matrices, tree.parents, tree.local);
      modelPositions(positions, matrices);
      const nodes = threeTree(tree);
      const scale = Math.max(1, ...matrices.map(Math.abs));
      expectNear(
        matrices,
        nodes.flatMap((object) => object.matrixWorld.elements),
        EXACT_CHAIN * scale,
      );
      expectNear(
        positions,
        nodes.flatMap((object) => object.matrixWorld.elements.slice(12, 15)),
        EXACT_CHAIN * scale,
      );
    });
    fc.assert(property, runs);
  });

  it('localToModelRotations: multiplies local rotations, for any scale and quaternion length', () => {
    const property = fc.property(trees(false), rotation(), ({ parents, local }, factors) => {
      const out = new Float64Array(4 * parents.length);
      const stretched = local.map((x, c) => (c % 10 >= 3 && c % 10 < 7 ? x * (0.5 + factors[0] ** 2) : x));
      localToModelRotations(out, parents, stretched);
      const products: Quaternion[] = [];
      parents.forEach((parent, node) => {
        const own = new Quaternion().fromArray(local, 10 * node + 3);
        products.push(parent < 0 ? own : products[parent].clone().multiply(own));
        expectNear(out.subarray(4 * node, 4 * node + 4), products[node].toArray(), EXACT_CHAIN);
      });
    });
    fc.assert(property, runs);
  });

  it('modelToLocalMatrices: inverts localToModelMatrices, also in place', () => {
    const property = fc.property(trees(false), ({ parents, local }) => {
      const [model, back, expected] = [0, 0, 0].map(() => new Float64Array(16 * parents.length));
      parents.forEach((_, node) => {
        mat4.compose(expected, 16 * node, local, 10 * node);
      });
      localToModelMatrices(model, parents, local);
      expect(modelToLocalMatrices(back, parents, model)).toBe(true);
      const scale = Math.max(1, ...model.map(Math.abs));
      expectNear(back, expected, EXACT_CHAIN * scale);
      modelToLocalMatrices(model, parents, model);
      expectNear(model, back, 0);
    });
    fc.assert(property, runs);
  });

  it('modelToLocalMatrices: writes the identity below a singular matrix', () => {
    const model = new Float64Array(32);
    mat4.compose(model, 0, [1, 2, 3, 0, 0, 0, 1, 0, 1, 1], 0);
    mat4.compose(model, 16, [1, 2, 3, 0, 0, 0, 1, 1, 1, 1], 0);
    const out = new Float64Array(32);
    expect(modelToLocalMatrices(out, Int32Array.of(-1, 0), model)).toBe(false);
    expect([...out.subarray(16)]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  });

  it('localToModelMatrices: accepts a chain of 100,000 nodes', () => {
    const count = 100_000;
    const parents = Int32Array.from({ length: count }, (_, node) => node - 1);
    const local = new Float64Array(10 * count);
    for (let node = 0; node < count; node++) local.set([0, 1, 0, 0, 0, 0, 1, 1, 1, 1], 10 * node);
    const matrices = new Float64Array(16 * count);
    localToModelMatrices(matrices, parents, local);
    expect(matrices[16 * (count - 1) + 13]).toBe(count);
  });
});

describe('restPose and bindPose', () => {
  it('restPose: returns a copy', () => {
    const rest = Float32Array.of(1, 2, 3, 0, 0, 0, 1, 1, 1, 1);
    const skeleton = skeletonOf({ parents: Int32Array.of(-1), local: new Float64Array(rest) }, null);
    const pose = restPose(skeleton);
    expect([...pose]).toEqual([...rest]);
    pose[0] = 9;
    expect(skeleton.rest[0]).toBe(1);
  });

  it('bindPose: returns the local pose whose model matrices are the bind matrices', () => {
    const property = fc.property(trees(true), (tree) => {
      const bind = new Float64Array(16 * tree.parents.length);
      localToModelMatrices(bind, tree.parents, tree.local);
      const elsewhere = { parents: tree.parents, local: new Float64Array(tree.local.length).fill(7) };
      const pose = bindPose(skeletonOf(elsewhere, bind)) as Float64Array;
      const scale = Math.max(1, ...bind.map(Math.abs));
      tree.parents.forEach((_, node) => {
        const at = 10 * node;
        expectNear(pose.subarray(at, at + 3), tree.local.subarray(at, at + 3), EXACT_CHAIN * scale);
        expectSameRotation(pose.subarray(at + 3, at + 7), tree.local.subarray(at + 3, at + 7), EXACT_CHAIN);
        expectNear(pose.subarray(at + 7, at + 10), tree.local.subarray(at + 7, at + 10), EXACT_CHAIN * scale);
      });
    });
    fc.assert(property, runs);
  });

  it('bindPose: returns null without bind matrices, and keeps the rest pose below a singular one', () => {
    const local = Float64Array.of(0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 5, 6, 7, 0, 0, 0, 1, 1, 1, 1);
    const tree = { parents: Int32Array.of(-1, 0), local };
    expect(bindPose(skeletonOf(tree, null))).toBeNull();
    const flat = new Float64Array(32);
    const pose = bindPose(skeletonOf(tree, flat)) as Float64Array;
    expect([...pose.subarray(10)]).toEqual([...local.subarray(10)]);
  });
});
