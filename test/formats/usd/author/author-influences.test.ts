import { describe, expect, it } from 'vitest';
import type { Influences } from '../../../../src/core/deform/influences.ts';
import { applyBindingApi, setInfluences } from '../../../../src/formats/usd/author/author-influences.ts';
import { readInfluences } from '../../../../src/formats/usd/skel/bound-prim.ts';
import { propertyMetadata } from '../../../../src/formats/usd/stage/composed-metadata.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { serializeUsda } from '../../../../src/formats/usd/text/serialize-usda.ts';
import { boundPrims } from '../skel/scene.ts';

const TEXT = `#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    def Skeleton "S" {
    }
    def Mesh "M" (apiSchemas = ["OtherAPI"]) {
    }
    def Mesh "N" {
    }
}`;

describe('setInfluences (testUsdSkelBindingAPI)', () => {
  it('authors influences with interpolation and element size, also repeatedly', () => {
    const layer = parseUsda(TEXT);
    const many: Influences = {
      kind: 'vertex',
      jointsPerVertex: 3,
      indices: Uint16Array.of(0, 1, 2, 3, 4, 5),
      weights: Float64Array.of(0.5, 0.25, 0.25, 1, 0, 0),
    };
    setInfluences(layer, '/R/M', many);
    const read = (): unknown => {
      const stage = openStage(parseUsda(serializeUsda(layer)));
      const bound = boundPrims(stage).get('/R/M');
      return bound && readInfluences(stage, bound, 'default').influences;
    };
    expect(read()).toEqual({ ...many, weights: Float32Array.from(many.weights) });
    const rigid: Influences = {
      kind: 'constant',
      jointsPerVertex: 1,
      indices: Uint16Array.of(10),
      weights: Float32Array.of(0.5),
    };
    setInfluences(layer, '/R/M', rigid);
    expect(read()).toEqual(rigid);
    setInfluences(layer, '/R/M', many);
    expect(read()).toEqual({ ...many, weights: Float32Array.from(many.weights) });
    const stage = openStage(layer);
    for (const name of ['primvars:skel:jointIndices', 'primvars:skel:jointWeights']) {
      const said = ['interpolation', 'elementSize'].map((field) => propertyMetadata(stage, '/R/M', name, field));
      expect(said).toMatchObject([{ texts: ['vertex'] }, { numbers: Int32Array.of(3) }]);
    }
  });

  it('applies SkelBindingAPI once, next to other applied schemas', () => {
    const layer = parseUsda(TEXT);
    for (const prim of ['/R', '/R/M', '/R/N', '/R/N']) applyBindingApi(layer, prim);
    const prims = openStage(layer).primsByPath;
    expect(['/R', '/R/M', '/R/N'].map((prim) => prims.get(prim)?.apiSchemas)).toEqual([
      ['SkelBindingAPI'],
      ['OtherAPI', 'SkelBindingAPI'],
      ['SkelBindingAPI'],
    ]);
    expect(() => applyBindingApi(layer, '/X')).toThrow(RangeError);
  });
});
