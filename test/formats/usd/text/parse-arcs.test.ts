import { describe, expect, it } from 'vitest';
import type { FieldValue, Layer } from '../../../../src/formats/usd/layer/layer.ts';
import { explicitListOp } from '../../../../src/formats/usd/layer/list-op.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';

const layer = (metadata: string): Layer => parseUsda(`#usda 1.0\n(${metadata})\n`);
const field = (metadata: string, name: string): FieldValue | undefined => {
  return parseUsda(`#usda 1.0\ndef "A" (${metadata}) {\n}`).specs.get('/A')?.fields.get(name);
};
const reference = { asset: '', path: '', offset: 0, scale: 1, customData: new Map() };

describe('composition arcs', () => {
  it('parse references with layer offsets and custom data', () => {
    const text = 'references = [@a@, </B>, @c@</D> (offset = 1; scale = 2; customData = { int x = 1 })]';
    expect(field(text, 'references')).toEqual(
      explicitListOp('reference', [
        { ...reference, asset: 'a' },
        { ...reference, path: '/B' },
        {
          asset: 'c',
          path: '/D',
          offset: 1,
          scale: 2,
          customData: new Map([['x', { type: 'int', isArray: false, numbers: Int32Array.of(1) }]]),
        },
      ]),
    );
    expect(field('prepend payload = @a@</B>', 'payload')).toMatchObject({
      of: 'payload',
      explicit: null,
      prepended: [{ asset: 'a', path: '/B' }],
    });
    expect(field('references = <>', 'references')).toMatchObject({ explicit: [reference] });
  });

  it('parse inherits with absolute paths, API schemas and variant sets', () => {
    expect(field('inherits = [<../B>, </C>]', 'inheritPaths')).toEqual(explicitListOp('path', ['/B', '/C']));
    expect(field('prepend apiSchemas = ["S"]', 'apiSchemas')).toMatchObject({ of: 'token', prepended: ['S'] });
    expect(field('add variantSets = "v"', 'variantSetNames')).toMatchObject({ of: 'string', added: ['v'] });
    expect(field('inherits = None', 'inheritPaths')).toEqual(explicitListOp('path', []));
  });

  it('combine the list ops of several statements; an explicit list replaces them', () => {
    expect(field('delete inherits = </B>; add inherits = </C>', 'inheritPaths')).toMatchObject({
      explicit: null,
      deleted: ['/B'],
      added: ['/C'],
    });
    expect(field('delete inherits = </B>; inherits = </C>', 'inheritPaths')).toEqual(explicitListOp('path', ['/C']));
    expect(field('inherits = </C>; delete inherits = </B>', 'inheritPaths')).toMatchObject({ explicit: null });
  });

  it('parse sub-layers with layer offsets', () => {
    const { fields } = layer('subLayers = [@a@, @b@ (offset = 3)]').specs.get('/') as {
      fields: Map<string, FieldValue>;
    };
    expect(fields.get('subLayers')).toEqual({ type: 'string', isArray: true, texts: ['a', 'b'] });
    expect(fields.get('subLayerOffsets')).toEqual({
      type: 'layerOffsets',
      offsets: [
        { offset: 0, scale: 1 },
        { offset: 3, scale: 1 },
      ],
    });
    expect(layer('subLayers = [\n]').specs.get('/')?.fields.size).toBe(0);
  });

  it('parse relocates of prims and layers', () => {
    expect(field('relocates = { <B>: <../C>, </D>: <> }', 'relocates')).toEqual({
      type: 'relocates',
      pairs: [
        ['/A/B', '/C'],
        ['/D', ''],
      ],
    });
    expect(layer('relocates = { </B>: </C> }').specs.get('/')?.fields.has('layerRelocates')).toBe(true);
  });

  it('parse variant selections by name or expression', () => {
    expect(field('variants = { string a = "b"; string c = "`X`" }', 'variantSelection')).toEqual({
      type: 'variantSelections',
      selections: new Map([
        ['a', 'b'],
        ['c', '`X`'],
      ]),
    });
  });

  it.each([
    'add inherits = None',
    'delete references = []',
    'references = [</A{b=c}>]',
    'references = <A>',
    'inherits = </A.b>',
    'inherits = <../../A>',
    'payload = @a@ (customData = { })',
    'relocates = { </>: </B> }',
    'relocates = { <>: </B> }',
    'relocates = { </A> </B> }',
    'variants = { string a = "b.c" }',
    'variants = { int a = 1 }',
  ])('throw for %j', (metadata) => {
    expect(() => field(metadata, '')).toThrow(expect.objectContaining({ code: 'USD_SYNTAX' }));
  });

  it('throw for a sub-layer without an asset path', () =>
    expect(() => layer('subLayers = [@@]')).toThrow('the asset path of a layer'));
});
