import { describe, expect, it } from 'vitest';
import {
  type BoundPrim,
  geomBindTransform,
  hasBlendShapes,
  readInfluences,
} from '../../../../src/formats/usd/skel/bound-prim.ts';
import type { Stage } from '../../../../src/formats/usd/stage/stage.ts';
import { boundPrims, stageOf } from './scene.ts';

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

describe('what a bound prim says', () => {
  it('is little when nothing is said', () => {
    const { stage, bound } = bind('');
    expect(bound).toMatchObject({ typeName: 'Mesh', method: 'classicLinear', joints: null, blendShapes: null });
    expect(bound.influences).toEqual({ hasInfluences: false, isRigid: true, jointsPerVertex: 1, reason: null });
    expect([...geomBindTransform(stage, bound, 'default')]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    expect(hasBlendShapes(bound)).toBe(false);
    expect(readInfluences(stage, bound, 'default')).toEqual({ influences: null, reason: null });
  });

  it('is rigid without an interpolation: that of a primvar is constant', () => {
    const { stage, bound } = bind('int[] primvars:skel:jointIndices = [3]\nfloat[] primvars:skel:jointWeights = [1]');
    expect(bound.influences).toMatchObject({ hasInfluences: true, isRigid: true });
    expect(readInfluences(stage, bound, 'default').influences?.kind).toBe('constant');
  });

  it('may have indexed influences', () => {
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

  it('has no influences where indices are beyond the values or arrays are of another type', () => {
    const vertex = '(interpolation = "vertex")';
    const beyond = bind(`
      int[] primvars:skel:jointIndices = [1] ${vertex}
      int[] primvars:skel:jointIndices:indices = [1]
      float[] primvars:skel:jointWeights = [1] ${vertex}`);
    expect(readInfluences(beyond.stage, beyond.bound, 'default').influences).toBeNull();
    const typed = bind(
      `string[] primvars:skel:jointIndices = ["1"] ${vertex}\nfloat[] primvars:skel:jointWeights = [1] ${vertex}`,
    );
    expect(readInfluences(typed.stage, typed.bound, 'default').reason).toContain('no values of their type');
  });
});
