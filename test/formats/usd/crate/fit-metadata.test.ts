import { expect, it } from 'vitest';
import { fitsField } from '../../../../src/formats/usd/crate/fit-metadata.ts';
import type { FieldValue } from '../../../../src/formats/usd/layer/layer.ts';

const word = (text: string): FieldValue => ({ type: 'word', word: text });
const token = (text: string): FieldValue => ({ type: 'token', isArray: false, texts: [text] });
const int = (value: number): FieldValue =>
  ({ type: 'int', isArray: false, numbers: Int32Array.of(value) }) as FieldValue;
const selection = (name: string): FieldValue => ({ type: 'variantSelections', selections: new Map([['look', name]]) });
const paths: FieldValue = {
  type: 'listOp',
  of: 'path',
  explicit: ['/A'],
  added: [],
  prepended: [],
  appended: [],
  deleted: [],
  ordered: [],
};

it('fitsField: words belong to the fields that know them', () => {
  expect(fitsField('variability', word('uniform'))).toBe(true);
  expect(fitsField('permission', word('private'))).toBe(true);
  expect(fitsField('permission', word('uniform'))).toBe(false);
  expect(fitsField('permission', token('private'))).toBe(false);
  expect(fitsField('varjability', word('uniform'))).toBe(false);
});

it('fitsField: known fields have values of their type, integers also where numbers are expected', () => {
  expect(fitsField('kind', token('component'))).toBe(true);
  expect(fitsField('kind', { type: 'string', isArray: false, texts: ['component'] })).toBe(true);
  expect(fitsField('kind', int(1))).toBe(false);
  expect(fitsField('metersPerUnit', int(1))).toBe(true);
  expect(fitsField('active', token('true'))).toBe(false);
  expect(fitsField('allowedTokens', { type: 'names', names: ['a'] })).toBe(true);
  expect(fitsField('customData', { type: 'dictionary', entries: new Map() })).toBe(true);
  expect(fitsField('customData', token('a'))).toBe(false);
});

it('fitsField: arcs, selections and substitutions have values of their own types', () => {
  expect(fitsField('inheritPaths', paths)).toBe(true);
  expect(fitsField('references', paths)).toBe(false);
  expect(fitsField('variantSelection', { type: 'variantSelections', selections: new Map() })).toBe(true);
  expect(fitsField('variantSelection', { type: 'dictionary', entries: new Map() })).toBe(false);
  expect(fitsField('variantSelection', selection('red'))).toBe(true);
  expect(fitsField('variantSelection', selection(';-)'))).toBe(false);
  const substitutions = (to: FieldValue): FieldValue =>
    ({ type: 'dictionary', entries: new Map([['a', to]]) }) as FieldValue;
  expect(fitsField('prefixSubstitutions', substitutions({ type: 'string', isArray: false, texts: ['b'] }))).toBe(true);
  expect(fitsField('prefixSubstitutions', substitutions(int(1)))).toBe(false);
});

it('fitsField: fields that the format does not know have any other value', () => {
  expect(fitsField('myField', int(1))).toBe(true);
  expect(fitsField('myField', paths)).toBe(true);
});
