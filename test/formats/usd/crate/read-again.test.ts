/** Binary files can store any value in any field. What is left of them after reading is in USD text that can be read. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import { parseUsdc } from '../../../../src/formats/usd/crate/parse-usdc.ts';
import {
  hasOwnNotation,
  isMetadataReadAgain,
  isPropertyReadAgain,
} from '../../../../src/formats/usd/crate/read-again.ts';
import { serializeUsdc } from '../../../../src/formats/usd/crate/serialize-usdc.ts';
import type { FieldValue, Layer, Spec, SpecType } from '../../../../src/formats/usd/layer/layer.ts';
import { FIELD_TYPES, LIST_OP_FIELDS } from '../../../../src/formats/usd/text/metadata-fields.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { serializeUsda } from '../../../../src/formats/usd/text/serialize-usda.ts';
import { lawRuns } from '../../../law-runs.ts';
import { FIELD } from './layers.ts';

const names = (...all: string[]): FieldValue => ({ type: 'names', names: all });
const token = (text: string): FieldValue => ({ type: 'token', isArray: false, texts: [text] });
const word = (text: string): FieldValue => ({ type: 'word', word: text });
const unregistered = (text: string): FieldValue => ({ type: 'unregistered', text });

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

it('hasOwnNotation: finds values of unknown types at any depth', () => {
  const inner: FieldValue = { type: 'dictionary', entries: new Map([['a', { type: 'unregistered', text: '1' }]]) };
  expect(hasOwnNotation({ type: 'dictionary', entries: new Map([['b', inner]]) })).toBe(true);
  expect(hasOwnNotation({ type: 'timeSamples', times: Float64Array.of(0), values: [inner] })).toBe(true);
  expect(hasOwnNotation(token('a'))).toBe(false);
});

it.each([
  ['variantSelection', { type: 'variantSelections', selections: new Map([['look', 'red']]) }, true],
  ['variantSelection', { type: 'variantSelections', selections: new Map([['look', '`LOOK`']]) }, true],
  ['variantSelection', { type: 'variantSelections', selections: new Map([['look', ';-)']]) }, false],
  ['myField', unregistered('[1, 2]'), true],
  ['myField', unregistered('[1, 2'), false],
  ['myField', unregistered('1) (a = 2'), false],
] as const)('isMetadataReadAgain: of %s with %j returns %j', (name, value, expected) => {
  expect(isMetadataReadAgain(name, value)).toBe(expected);
});

it.each([
  ['</A>', true],
  ['None', true],
  ['1', false],
])('isPropertyReadAgain: of a relationship with the value %s returns %j', (text, expected) => {
  const fields = new Map([['default', unregistered(text)]]);
  expect(isPropertyReadAgain({ type: 'relationship', fields })).toBe(expected);
});
