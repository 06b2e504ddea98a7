/** Binary files can store any value in any field. What is left of them after reading is in USD text that can be read. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import { parseUsdc } from '../../../../src/formats/usd/crate/parse-usdc.ts';
import { serializeUsdc } from '../../../../src/formats/usd/crate/serialize-usdc.ts';
import type { FieldValue, Layer, Spec, SpecType } from '../../../../src/formats/usd/layer/layer.ts';
import type { Value } from '../../../../src/formats/usd/layer/value.ts';
import { FIELD_TYPES, LIST_OP_FIELDS } from '../../../../src/formats/usd/text/metadata-fields.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { serializeString } from '../../../../src/formats/usd/text/serialize-string.ts';
import { serializeUsda } from '../../../../src/formats/usd/text/serialize-usda.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { FIELD } from './layers.ts';

const names = (...all: string[]): FieldValue => ({ type: 'names', names: all });
const token = (text: string): FieldValue => ({ type: 'token', isArray: false, texts: [text] });
const word = (text: string): FieldValue => ({ type: 'word', word: text });
const unregistered = (text: string): Extract<Value, { type: 'unregistered' }> => ({ type: 'unregistered', text });

/** Specs of every type, with the fields that connect them. */
const SPECS: Readonly<Record<string, readonly [SpecType, Readonly<Record<string, FieldValue>>]>> = {
  '/': ['pseudoRoot', { primChildren: names('A') }],
  '/A': ['prim', { specifier: word('def'), properties: names('x', 'r'), variantSetChildren: names('look') }],
  '/A.x': ['attribute', { typeName: token('float') }],
  '/A.r': ['relationship', {}],
  '/A{look=}': ['variantSet', { variantChildren: names('red') }],
  '/A{look=red}': ['variant', { primChildren: names('B'), properties: names('y') }],
  '/A{look=red}B': ['prim', { specifier: word('over') }],
  '/A{look=red}.y': ['attribute', { typeName: token('Some::Enum') }],
};
const FIELDS = [
  ...FIELD_TYPES.keys(),
  ...Object.keys(LIST_OP_FIELDS),
  ...['variantSelection', 'relocates', 'layerRelocates', 'subLayers', 'subLayerOffsets', 'myField'],
  ...['specifier', 'typeName', 'custom', 'variability', 'default', 'timeSamples', 'spline'],
  ...['targetPaths', 'connectionPaths', 'primOrder', 'propertyOrder'],
];
const CHILDREN = ['primChildren', 'properties', 'variantSetChildren', 'variantChildren'];
/** Names of specs, and others. */
const CHILD_NAMES = fc.array(fc.constantFrom('A', 'x', 'r', 'look', 'red', 'B', 'y', '', 'a b'), { maxLength: 4 });
const FIELD_AND_VALUE: fc.Arbitrary<[string, FieldValue]> = fc.oneof(
  { arbitrary: fc.tuple(fc.constantFrom(...FIELDS), FIELD), weight: 9 },
  {
    arbitrary: fc.tuple(
      fc.constantFrom(...CHILDREN),
      fc.oneof(
        CHILD_NAMES.map((all) => names(...all)),
        FIELD,
      ),
    ),
    weight: 1,
  },
);

const CHANGED_LAYER = fc
  .record({
    path: fc.constantFrom(...Object.keys(SPECS)),
    change: FIELD_AND_VALUE,
    type: fc.option(fc.constantFrom<SpecType>('prim', 'attribute', 'relationship', 'variantSet', 'variant'), {
      freq: 5,
    }),
  })
  .map(({ path, change, type }): Layer => {
    const specs = Object.entries(SPECS).map(([at, [known, fields]]): [string, Spec] => {
      if (at !== path) return [at, { type: known, fields: new Map(Object.entries(fields)) }];
      return [at, { type: type ?? known, fields: new Map([...Object.entries(fields), change]) }];
    });
    return { specs: new Map(specs), issues: [] };
  });

it('what is read of a binary file has a text that can be read, whatever value a field has', () => {
  fc.assert(
    fc.property(CHANGED_LAYER, (layer) => {
      let text: string;
      try {
        text = serializeUsda(parseUsdc(serializeUsdc(layer)));
      } catch (error) {
        // Names and types that no text can contain; values that end in an error when they are written.
        if (error instanceof FormatError || error instanceof RangeError) return;
        throw error;
      }
      expect(() => parseUsda(text)).not.toThrow();
    }),
    { numRuns: 5 * lawRuns() },
  );
});

/** The metadata of /A after a layer with it was written to binary, then to text. */
function metadataThroughText(name: string, value: FieldValue): FieldValue | undefined {
  const fields = new Map<string, FieldValue>([
    ['specifier', word('def')],
    [name, value],
  ]);
  const layer: Layer = {
    specs: new Map([
      ['/', { type: 'pseudoRoot', fields: new Map([['primChildren', names('A')]]) }],
      ['/A', { type: 'prim', fields }],
    ]),
    issues: [],
  };
  const read = parseUsdc(serializeUsdc(layer));
  expect(read.issues).toEqual([]);
  return parseUsda(serializeUsda(read)).specs.get('/A')?.fields.get(name);
}

const text = (content: string): Value => ({ type: 'string', isArray: false, texts: [content] });

it.each([
  'Hero',
  '"Hero"',
  "it's",
  'a "b" \'c\'',
  'C:\\new',
  'two\nlines',
  '(1, [',
  'é 漢 🦊',
  '#x',
  '\\x41',
  '',
  '@a@',
])('a displayName of any characters survives: %j', (name) => {
  expect(metadataThroughText('displayName', text(name))).toEqual(text(name));
});

it.each([
  ['"Hero"', 'Hero'],
  ['"say \\"hi\\""', 'say "hi"'],
  ["Hero's arm", "Hero's arm"],
  ['"open', '"open'],
])('a displayName that a program stored as the text %s, because it did not know the field, is %j', (stored, name) => {
  expect(metadataThroughText('displayName', unregistered(stored))).toEqual(text(name));
});

it.each(['customData', 'assetInfo'])('dictionaries of %s survive, whatever they hold', (field) => {
  const inner: Value = { type: 'dictionary', entries: new Map<string, Value>([['a "b"', text('c\nd')]]) };
  const entries = new Map<string, Value>([
    ['identifier', { type: 'asset', isArray: false, texts: ['./hero model.usd'] }],
    ['with space', text('"')],
    ['numbers', { type: 'double', isArray: true, numbers: Float64Array.of(1, Number.NaN, Number.NEGATIVE_INFINITY) }],
    ['inner', inner],
    ['enum', unregistered('Some')],
    ['tuple', unregistered('(1, "a")')],
    ['none', { type: 'block' }],
    ['empty', { type: 'dictionary', entries: new Map() }],
  ]);
  expect(metadataThroughText(field, { type: 'dictionary', entries })).toEqual({ type: 'dictionary', entries });
});

it.each(['1', 'word', '[1, 2]', '"text"', '</A>', '[(1, 2), ["a"]]'])(
  'unknown metadata keeps its text %s',
  (stored) => {
    expect(metadataThroughText('myField', unregistered(stored))).toEqual(unregistered(stored));
  },
);

it.each(['[1, 2', '1) (a = 2', '{ a', 'two words', ''])(
  'unknown metadata whose text %j is no value becomes a string in text files',
  (stored) => {
    expect(metadataThroughText('myField', unregistered(stored))).toEqual(unregistered(serializeString(stored)));
  },
);
