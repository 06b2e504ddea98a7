import { describe, expect, it } from 'vitest';
import type { FieldValue } from '../../../../src/formats/usd/layer/layer.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';

function fields(metadata: string): Record<string, FieldValue> {
  return Object.fromEntries(parseUsda(`#usda 1.0\n(${metadata})\n`).specs.get('/')?.fields ?? []);
}

describe('metadata', () => {
  it('parses each field by its type', () => {
    expect(
      fields(
        '"said"; doc = "d"; upAxis = "Y"; metersPerUnit = 0.01; framePrecision = 3; customLayerData = { int a = 1 }',
      ),
    ).toEqual({
      comment: { type: 'string', isArray: false, texts: ['said'] },
      documentation: { type: 'string', isArray: false, texts: ['d'] },
      upAxis: { type: 'token', isArray: false, texts: ['Y'] },
      metersPerUnit: { type: 'double', isArray: false, numbers: Float64Array.of(0.01) },
      framePrecision: { type: 'int', isArray: false, numbers: Int32Array.of(3) },
      customLayerData: {
        type: 'dictionary',
        entries: new Map([['a', { type: 'int', isArray: false, numbers: Int32Array.of(1) }]]),
      },
    });
  });

  it('reads bare words and empty words where OpenUSD allows them', () => {
    expect(fields('permission = private')).toEqual({ permission: { type: 'word', word: 'private' } });
    expect(fields('displayUnit = mm')).toEqual({ displayUnit: { type: 'word', word: 'mm' } });
    expect(fields('symmetryFunction = mirror')).toMatchObject({ symmetryFunction: { texts: ['mirror'] } });
    expect(fields('symmetryFunction = ')).toMatchObject({ symmetryFunction: { type: 'token', texts: [''] } });
    expect(() => fields('permission = bogus')).toThrow('one of public, private');
    expect(fields('access = foo')).toEqual({ access: { type: 'unregistered', text: 'foo' } });
  });

  it('keeps unknown fields as text, their list ops item by item, and dictionaries', () => {
    expect(fields('mine = (1, [a])')).toEqual({ mine: { type: 'unregistered', text: '(1, [a])' } });
    expect(fields('mine = { int a = 1 }')).toMatchObject({ mine: { type: 'dictionary' } });
    expect(fields('prepend mine = [1, (2, 3)]; delete mine = 4')).toMatchObject({
      mine: { type: 'listOp', of: 'unregistered', explicit: null, prepended: ['1', '(2, 3)'], deleted: ['4'] },
    });
  });

  it('reads substitutions', () => {
    expect(fields('prefixSubstitutions = { "$Left": "Right",\n "a": "b" }')).toEqual({
      prefixSubstitutions: {
        type: 'dictionary',
        entries: new Map([
          ['$Left', { type: 'string', isArray: false, texts: ['Right'] }],
          ['a', { type: 'string', isArray: false, texts: ['b'] }],
        ]),
      },
    });
  });

  it.each([
    'upAxis =\n "Y"',
    'upAxis = Y',
    'a = 1 b = 2',
    'prepend upAxis = "Y"',
    'doc "x"',
    'doc = "x"\n, upAxis = "Y"',
  ])('throws for %j', (text) => {
    expect(() => fields(text)).toThrow(expect.objectContaining({ code: 'USD_SYNTAX' }));
  });
});
