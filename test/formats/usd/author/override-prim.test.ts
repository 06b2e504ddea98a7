import { describe, expect, it } from 'vitest';
import { authorRelationship, definePrim, makeLayer } from '../../../../src/formats/usd/author/author-prims.ts';
import { copyLayer, overridePrim } from '../../../../src/formats/usd/author/override-prim.ts';
import type { Layer } from '../../../../src/formats/usd/layer/layer.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { primAt } from '../../../../src/formats/usd/stage/stage.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { serializeUsda } from '../../../../src/formats/usd/text/serialize-usda.ts';

const layerOf = (text: string) => parseUsda(`#usda 1.0\n${text}`);
const LIB = 'class "Lib" {\n def Xform "Arm" {\n def Mesh "Hand" {}\n }\n}\n';

describe('copyLayer', () => {
  it('returns a copy whose specs can be changed without changing the layer', () => {
    const layer = layerOf('def Xform "A" (kind = "component") {\n int a = 1\n}');
    const before = serializeUsda(layer);
    const copy = copyLayer(layer);
    expect(serializeUsda(copy)).toBe(before);
    copy.specs.get('/A')?.fields.delete('kind');
    authorRelationship(copy, '/A', 'r', ['/A']);
    expect(serializeUsda(copy)).not.toBe(before);
    expect(serializeUsda(layer)).toBe(before);
    expect(copy.specs.get('/A.a')?.fields.get('default')).toBe(layer.specs.get('/A.a')?.fields.get('default'));
  });
});

describe('overridePrim', () => {
  it('returns an existing spec', () => {
    const layer = layerOf('def Xform "A" {}');
    expect(overridePrim(layer, openStage(layer), '/A')).toBe(layer.specs.get('/A'));
    expect(layer.specs.size).toBe(2);
  });

  it('adds over specs for the prim and its ancestors if other layers define the prim', () => {
    const layer = layerOf(`${LIB}def "Hero" (references = </Lib>) {}`);
    const stage = openStage(layer);
    expect(overridePrim(layer, stage, '/Hero/Arm/Hand')).toBe(layer.specs.get('/Hero/Arm/Hand'));
    for (const path of ['/Hero/Arm', '/Hero/Arm/Hand']) {
      expect(layer.specs.get(path)?.fields.get('specifier'), path).toEqual({ type: 'word', word: 'over' });
    }
    const after = openStage(layer);
    expect([...after.primsByPath.keys()]).toEqual([...stage.primsByPath.keys()]);
    expect(primAt(after, '/Hero/Arm/Hand')?.typeName).toBe('Mesh');
  });

  it('makes instances among the ancestors ordinary prims, but not the prim itself', () => {
    const layer = layerOf(`${LIB}def "Hero" (instanceable = true\n references = </Lib>) {}`);
    overridePrim(layer, openStage(layer), '/Hero');
    expect(primAt(openStage(layer), '/Hero')?.isInstance).toBe(true);
    overridePrim(layer, openStage(layer), '/Hero/Arm');
    expect(primAt(openStage(layer), '/Hero')?.isInstance).toBe(false);
  });

  it('throws for a prim that the stage does not have', () => {
    const layer = layerOf('def Xform "A" {}');
    expect(() => overridePrim(layer, openStage(layer), '/B')).toThrow(RangeError);
  });
});

it('copyLayer: prims that are added to a copy, or to the layer later, are in that layer only', () => {
  const layer = makeLayer({});
  definePrim(layer, '/A', 'Xform');
  definePrim(layer, '/B', 'Xform');
  const copy = copyLayer(layer);
  definePrim(copy, '/C', 'Xform');
  definePrim(layer, '/D', 'Xform');
  const namesOf = ({ specs }: Layer): unknown => specs.get('/')?.fields.get('primChildren');
  expect(namesOf(layer)).toEqual({ type: 'names', names: ['A', 'B', 'D'] });
  expect(namesOf(copy)).toEqual({ type: 'names', names: ['A', 'B', 'C'] });
});
