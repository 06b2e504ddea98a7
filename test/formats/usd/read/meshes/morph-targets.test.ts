import { describe, expect, it } from 'vitest';
import {
  type MeshMorphs,
  morphTargetsOf,
  morphWeights,
} from '../../../../../src/formats/usd/read/meshes/morph-targets.ts';
import { boundPrims, stageOf } from '../../skel/scene.ts';

function read(): MeshMorphs {
  const stage = stageOf(`
def SkelRoot "R" {
  def Skeleton "S" {
  }
  def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"]) {
    rel skel:skeleton = </R/S>
    uniform token[] skel:blendShapes = ["smile", "gone", "blink"]
    rel skel:blendShapeTargets = [</R/M/Smile>, </R/M/Gone>, </R/M/Blink>]
    def BlendShape "Blink" (displayName = "eyes shut") {
      uniform vector3f[] offsets = [(1, 0, 0)]
    }
    def BlendShape "Smile" {
      uniform vector3f[] offsets = [(1, 0, 0)]
      uniform vector3f[] inbetweens:wide = [(0, 1, 0)] (weight = 0.75)
      uniform vector3f[] inbetweens:bad = [(0, 1, 0)] (weight = 1)
      uniform vector3f[] inbetweens:half = [(0, 0, 1)] (weight = 0.5)
    }
  }
}`);
  const bound = boundPrims(stage).get('/R/M');
  if (bound === undefined) throw new Error('not bound');
  return morphTargetsOf(stage, bound);
}

describe('morph-targets', () => {
  it('morphTargetsOf: lists the blend shapes, each followed by its valid in-betweens', () => {
    const morphs = read();
    expect(morphs.targets).toEqual([
      { name: 'smile', blendShape: 0, shape: 0 },
      { name: 'smile/wide', blendShape: 0, shape: 1 },
      { name: 'smile/half', blendShape: 0, shape: 3 },
      { name: 'eyes shut', blendShape: 2, shape: 0 },
    ]);
    expect(morphs.blendShapes.map((shape) => shape?.prim ?? null)).toEqual(['/R/M/Smile', null, '/R/M/Blink']);
  });

  it('morphWeights: are piecewise linear in the blend shape weights', () => {
    const morphs = read();
    const at = (smile: number, blink: number): number[] => {
      const out = new Float64Array(5);
      morphWeights(out, 1, morphs, [smile, 0, blink]);
      return [...out.subarray(1)];
    };
    expect(at(0, 0.3)).toEqual([0, 0, 0, 0.3]);
    expect(at(0.25, 0)).toEqual([0, 0, 0.5, 0]);
    expect(at(0.625, 2)).toEqual([0, 0.5, 0.5, 2]);
    expect(at(1, 0)).toEqual([1, 0, 0, 0]);
    expect(at(1.25, 0)).toEqual([2, -1, 0, 0]);
  });
});
