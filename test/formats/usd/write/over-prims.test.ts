import { describe, expect, it } from 'vitest';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { primAt } from '../../../../src/formats/usd/stage/stage.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { printUsda } from '../../../../src/formats/usd/text/print-usda.ts';
import { authorRelationship } from '../../../../src/formats/usd/write/author-prims.ts';
import { copyLayer, ensurePrim } from '../../../../src/formats/usd/write/over-prims.ts';

const layerOf = (text: string) => parseUsda(`#usda 1.0\n${text}`);
const LIB = 'class "Lib" {\n def Xform "Arm" {\n def Mesh "Hand" {}\n }\n}\n';

describe('a copy of a layer', () => {
  it('can be changed and leaves the layer as it is', () => {
    const layer = layerOf('def Xform "A" (kind = "component") {\n int a = 1\n}');
    const before = printUsda(layer);
    const copy = copyLayer(layer);
    expect(printUsda(copy)).toBe(before);
    copy.specs.get('/A')?.fields.delete('kind');
    authorRelationship(copy, '/A', 'r', ['/A']);
    expect(printUsda(copy)).not.toBe(before);
    expect(printUsda(layer)).toBe(before);
    expect(copy.specs.get('/A.a')?.fields.get('default')).toBe(layer.specs.get('/A.a')?.fields.get('default'));
  });
});

describe('the spec of a prim in the root layer', () => {
  it('is the one that is there', () => {
    const layer = layerOf('def Xform "A" {}');
    expect(ensurePrim(layer, openStage(layer), '/A')).toBe(layer.specs.get('/A'));
    expect(layer.specs.size).toBe(2);
  });

  it('is added with those above it as over, where other layers define the prim', () => {
    const layer = layerOf(`${LIB}def "Hero" (references = </Lib>) {}`);
    const stage = openStage(layer);
    expect(ensurePrim(layer, stage, '/Hero/Arm/Hand')).toBe(layer.specs.get('/Hero/Arm/Hand'));
    for (const path of ['/Hero/Arm', '/Hero/Arm/Hand']) {
      expect(layer.specs.get(path)?.fields.get('specifier'), path).toEqual({ type: 'word', word: 'over' });
    }
    const after = openStage(layer);
    expect([...after.primsByPath.keys()]).toEqual([...stage.primsByPath.keys()]);
    expect(primAt(after, '/Hero/Arm/Hand')?.typeName).toBe('Mesh');
  });

  it('makes an instance above it an ordinary prim, and leaves one that is meant itself', () => {
    const layer = layerOf(`${LIB}def "Hero" (instanceable = true\n references = </Lib>) {}`);
    ensurePrim(layer, openStage(layer), '/Hero');
    expect(primAt(openStage(layer), '/Hero')?.isInstance).toBe(true);
    ensurePrim(layer, openStage(layer), '/Hero/Arm');
    expect(primAt(openStage(layer), '/Hero')?.isInstance).toBe(false);
  });

  it('is of no use where the stage has no such prim', () => {
    const layer = layerOf('def Xform "A" {}');
    expect(() => ensurePrim(layer, openStage(layer), '/B')).toThrow(RangeError);
  });
});
