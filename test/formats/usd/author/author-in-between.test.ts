import { describe, expect, it } from 'vitest';
import { inBetweensOf, setInBetween } from '../../../../src/formats/usd/author/author-in-between.ts';
import type { Layer } from '../../../../src/formats/usd/layer/layer.ts';
import { readBlendShape } from '../../../../src/formats/usd/skel/deform/blend-shape.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { serializeUsda } from '../../../../src/formats/usd/text/serialize-usda.ts';

const layerOf = (body: string): Layer => parseUsda(`#usda 1.0\ndef BlendShape "S" {\n${body}\n}`);

describe('setInBetween (testUsdSkelBlendShape)', () => {
  it('authors weight and offsets, which are read back, also from a serialized file', () => {
    const layer = layerOf('');
    expect(inBetweensOf(layer, '/S')).toEqual([]);
    setInBetween(layer, '/S', 'subShape', { weight: 0.5, offsets: [1, 1, 1] });
    expect(inBetweensOf(layer, '/S')).toEqual([{ name: 'subShape', weight: 0.5 }]);
    setInBetween(layer, '/S', 'subShape', { weight: 0.5, offsets: [1, 1, 1], normalOffsets: [1, 2, 3] });
    const shape = readBlendShape(openStage(parseUsda(serializeUsda(layer))), '/S');
    expect(shape.inBetweens).toEqual(['subShape']);
    expect([...shape.plan.weights]).toEqual([0, 0.5, 1]);
    expect([...(shape.shapes[1].positions ?? [])]).toEqual([1, 1, 1]);
    expect([...(shape.shapes[1].normals ?? [])]).toEqual([1, 2, 3]);
  });
});

describe('setInBetween', () => {
  const body = `
    uniform int[] pointIndices = [4, 5]
    uniform vector3f[] inbetweens:half = [(0, 0, 0), (0, 0, 0)] (weight = 0.5)`;
  const two = [0, 0, 1, 0, 0, 2];

  it('replaces an in-between of the same name, including its normal offsets', () => {
    const layer = layerOf(body);
    setInBetween(layer, '/S', 'half', { weight: 0.5, offsets: two, normalOffsets: two });
    setInBetween(layer, '/S', 'half', { weight: -3, offsets: two });
    expect(inBetweensOf(layer, '/S')).toEqual([{ name: 'half', weight: -3 }]);
    expect(readBlendShape(openStage(layer), '/S').shapes[1].normals).toBeNull();
  });

  it.each([
    ['a', { weight: 0, offsets: two }, 'the weight of the null shape'],
    ['a', { weight: 1 + 1e-7, offsets: two }, 'the weight of the primary shape'],
    ['a', { weight: 0.5, offsets: two }, 'the weight of half'],
    ['a', { weight: Number.NaN, offsets: two }, 'expected a finite number'],
    ['a', { weight: 2, offsets: [1, 2, 3] }, 'has 1 offsets; expected 2'],
    ['a', { weight: 2, offsets: two, normalOffsets: [1, 2, 3] }, 'has 1 normal offsets; expected 2'],
    ['1a', { weight: 2, offsets: two }, 'expected ASCII letters, digits and _'],
    ['a:b', { weight: 2, offsets: two }, 'expected ASCII letters, digits and _'],
    ['normalOffsets', { weight: 2, offsets: two }, 'expected ASCII letters, digits and _'],
  ])('throws for %j with %j and leaves the layer unchanged', (name, inBetween, message) => {
    const layer = layerOf(body);
    const before = serializeUsda(layer);
    expect(() => setInBetween(layer, '/S', name, inBetween)).toThrow(RangeError);
    expect(() => setInBetween(layer, '/S', name, inBetween)).toThrow(message);
    expect(serializeUsda(layer)).toBe(before);
  });

  it('throws for a missing prim', () => {
    expect(() => setInBetween(layerOf(''), '/T', 'a', { weight: 2, offsets: [] })).toThrow(
      'has no spec of the prim /T',
    );
  });
});
