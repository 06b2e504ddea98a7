import { expect, it } from 'vitest';
import { geometryAt, planPrim } from '../../../../../src/formats/usd/skel/deform/deform-prim.ts';
import { readAnimatedSkeleton } from '../../../../../src/formats/usd/skel/skeleton-sample.ts';
import { boundPrims, stageOf } from '../scene.ts';

function meshOf(points: string) {
  const stage = stageOf(`
    def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"]) {
      rel skel:skeleton = </R/S>
      def Skeleton "S" {
        uniform token[] joints = ["a"]
      }
      def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"]) {
        ${points}
        int[] primvars:skel:jointIndices = [0, 0] (interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1, 1] (interpolation = "vertex")
      }
    }`);
  const skeleton = readAnimatedSkeleton(stage, '/R/S', null).skeleton!;
  return { stage, mesh: planPrim(stage, boundPrims(stage).get('/R/M')!, skeleton) };
}

it('geometryAt: reads constant geometry once, and again at the default time', () => {
  const { stage, mesh } = meshOf('point3f[] points.timeSamples = { 0: [(0,0,0), (1,0,0)] }');
  const first = geometryAt(stage, mesh, 0);
  expect(geometryAt(stage, mesh, 7)).toBe(first);
  expect(geometryAt(stage, mesh, 'default').vertices.positions.length).toBe(0);
  expect([...geometryAt(stage, mesh, 7).vertices.positions]).toEqual([0, 0, 0, 1, 0, 0]);
});

it('geometryAt: reads animated points at each time', () => {
  const { stage, mesh } = meshOf('point3f[] points.timeSamples = { 0: [(0,0,0), (1,0,0)], 2: [(0,0,0), (1,2,0)] }');
  const second = geometryAt(stage, mesh, 1);
  expect([...second.vertices.positions]).toEqual([0, 0, 0, 1, 1, 0]);
  expect(second.plan).not.toBeNull();
  expect(geometryAt(stage, mesh, 1)).toBe(second);
});
