import { describe, expect, it } from 'vitest';
import { expandConstantInfluences } from '../../../../src/core/deform/edit-influences.ts';
import type { Influences } from '../../../../src/core/deform/influences.ts';
import {
  type BoundPrim,
  geomBindTransform,
  hasBlendShapes,
  readInfluences,
} from '../../../../src/formats/usd/skel/bound-prim.ts';
import { influenceMismatch } from '../../../../src/formats/usd/skel/joint-influences.ts';
import type { Stage } from '../../../../src/formats/usd/stage/stage.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { boundPrims, stageOf, stageOfFile } from './scene.ts';

function bind(body: string): { stage: Stage; bound: BoundPrim } {
  const stage = stageOf(`
    def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"]) {
      rel skel:skeleton = </R/S>
      def Skeleton "S" {
      }
      def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"]) {
        ${body}
      }
    }`);
  return { stage, bound: boundPrims(stage).get('/R/M') as BoundPrim };
}

describe('readBoundPrim', () => {
  it('has fallbacks without authored properties', () => {
    const { stage, bound } = bind('');
    expect(bound).toMatchObject({ typeName: 'Mesh', method: 'classicLinear', joints: null, blendShapes: null });
    expect(bound.influences).toEqual({ hasInfluences: false, isRigid: true, jointsPerVertex: 1, reason: null });
    expect([...geomBindTransform(stage, bound, 'default')]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    expect(hasBlendShapes(bound)).toBe(false);
    expect(readInfluences(stage, bound, 'default')).toEqual({ influences: null, reason: null });
  });

  it('is rigid without an authored interpolation: the fallback is constant', () => {
    const { stage, bound } = bind('int[] primvars:skel:jointIndices = [3]\nfloat[] primvars:skel:jointWeights = [1]');
    expect(bound.influences).toMatchObject({ hasInfluences: true, isRigid: true });
    expect(readInfluences(stage, bound, 'default').influences?.kind).toBe('constant');
  });

  it('reads indexed influences', () => {
    const { stage, bound } = bind(`
      int[] primvars:skel:jointIndices = [1, 2, 3, 4] (interpolation = "vertex"
        elementSize = 2)
      int[] primvars:skel:jointIndices:indices = [1, 0, 1]
      float[] primvars:skel:jointWeights = [0.5, 0.5, 1, 0] (interpolation = "vertex"
        elementSize = 2)
      int[] primvars:skel:jointWeights:indices = [0, 1, 0]`);
    const { influences } = readInfluences(stage, bound, 'default');
    expect([...(influences?.indices ?? [])]).toEqual([3, 4, 1, 2, 3, 4]);
    expect([...(influences?.weights ?? [])]).toEqual([0.5, 0.5, 1, 0, 0.5, 0.5]);
  });

  it('has no influences if indices are out of range or arrays have another type', () => {
    const vertex = '(interpolation = "vertex")';
    const beyond = bind(`
      int[] primvars:skel:jointIndices = [1] ${vertex}
      int[] primvars:skel:jointIndices:indices = [1]
      float[] primvars:skel:jointWeights = [1] ${vertex}`);
    expect(readInfluences(beyond.stage, beyond.bound, 'default').influences).toBeNull();
    const typed = bind(
      `string[] primvars:skel:jointIndices = ["1"] ${vertex}\nfloat[] primvars:skel:jointWeights = [1] ${vertex}`,
    );
    expect(readInfluences(typed.stage, typed.bound, 'default').reason).toContain('no value of the expected type');
  });
});

describe.skipIf(!HAS_ASSETS)('readInfluences (testUsdSkelSkinningQuery)', () => {
  const folder = 'conformance/usd/openusd/pxr/usd/usdSkel/testenv/testUsdSkelSkinningQuery';
  const stage = HAS_ASSETS ? stageOfFile(asset(folder, 'jointInfluences.usda')) : stageOf('');
  const prims = HAS_ASSETS ? boundPrims(stage) : new Map<string, BoundPrim>();
  const query = (name: string): { bound: BoundPrim; influences: Influences | null; reason: string | null } => {
    const bound = prims.get(`/JointInfluences/${name}`);
    if (bound === undefined) throw new Error(`${name} is not bound`);
    return { bound, ...readInfluences(stage, bound, 'default') };
  };

  it.each([
    ['MismatchedInterpolation', 'jointIndices is constant, jointWeights vertex; author the same for both'],
    ['InvalidInterpolation1', 'joint influences are uniform, expected constant or vertex'],
    ['InvalidInterpolation2', 'joint influences are varying, expected constant or vertex'],
    ['MismatchedElementSize', 'jointIndices has element size 3, jointWeights 4; author the same for both'],
    ['InvalidElementSize', 'jointIndices has element size -1, expected a positive integer'],
  ])('%s has no influences', (name, reason) => {
    const { bound, influences } = query(`ErrorCases/${name}`);
    expect(bound.influences).toEqual({ hasInfluences: false, isRigid: true, jointsPerVertex: 1, reason });
    expect(influences).toBeNull();
  });

  it.each([
    ['MismatchedArraySize', 'there are 3 joint indices and 1 weights; author as many indices as weights'],
    ['InvalidArraySize1', 'there are 3 influences, expected a multiple of the element size 2'],
    ['InvalidArraySize2', 'there are 4 constant influences, expected the element size 2'],
  ])('%s declares influences, but has invalid arrays', (name, reason) => {
    const { bound, influences, reason: found } = query(`ErrorCases/${name}`);
    expect(bound.influences.hasInfluences).toBe(true);
    expect([influences, found]).toEqual([null, reason]);
  });

  it('RigidWeights are the same for three points, with the fallback method', () => {
    const { bound, influences } = query('RigidWeights');
    expect(bound.influences).toEqual({ hasInfluences: true, isRigid: true, jointsPerVertex: 3, reason: null });
    expect([[...influences!.indices], [...influences!.weights]]).toEqual([
      [1, 2, 3],
      [5, 6, 7],
    ]);
    expect([bound.holders.has('primvars:skel:skinningMethod'), bound.method]).toEqual([false, 'classicLinear']);
    const varying = expandConstantInfluences(influences!, 3);
    expect([[...varying.indices], [...varying.weights]]).toEqual([
      [1, 2, 3, 1, 2, 3, 1, 2, 3],
      [5, 6, 7, 5, 6, 7, 5, 6, 7],
    ]);
  });

  it.each([
    ['NonRigidWeights', 'classicLinear'],
    ['NonRigidWeightsDQ', 'dualQuaternion'],
  ])('%s are read for each of two points, for %s', (name, method) => {
    const { bound, influences } = query(name);
    expect(bound.influences).toEqual({ hasInfluences: true, isRigid: false, jointsPerVertex: 2, reason: null });
    expect([[...influences!.indices], [...influences!.weights]]).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ]);
    expect([bound.holders.get('primvars:skel:skinningMethod'), bound.method]).toEqual([bound.prim, method]);
    expect(expandConstantInfluences(influences!, 2)).toBe(influences);
    expect(influenceMismatch(influences!, 2, 5)).toBeNull();
    expect(influenceMismatch(influences!, 10, 5)).toContain('expected 20');
  });
});
