import { expect, it } from 'vitest';
import { fitField, fitTargets, fitValues } from '../../../../src/formats/usd/crate/fit-values.ts';
import type { FieldValue, Spec } from '../../../../src/formats/usd/layer/layer.ts';
import { emptyListOp, explicitListOp } from '../../../../src/formats/usd/layer/list-op.ts';
import type { Value } from '../../../../src/formats/usd/layer/value.ts';

const number = (type: 'float' | 'float3' | 'double3' | 'quatf' | 'float4' | 'int', isArray: boolean): Value => {
  return { type, isArray, numbers: new Float32Array(4) };
};
const text = (type: 'string' | 'token' | 'asset'): Value => ({ type, isArray: false, texts: ['a'] });
const block: Value = { type: 'block' };

function attribute(typeName: string, fields: Record<string, FieldValue>): Spec {
  const type: FieldValue = { type: 'token', isArray: false, texts: [typeName] };
  return { type: 'attribute', fields: new Map([['typeName', type], ...Object.entries(fields)]) };
}

it.each([
  ['point3f[]', number('float3', true)],
  ['point3f[]', number('double3', true)],
  ['point3f[]', block],
  ['string', text('token')],
  ['Some::Enum', number('float', true)],
])('fitValues: keeps a value that text files can contain for %s', (typeName, value) => {
  const spec = attribute(typeName, { default: value });
  expect(fitValues(spec)).toBeNull();
  expect(spec.fields.get('default')).toBe(value);
});

it.each([
  ['point3f[]', number('float3', false)],
  ['point3f', number('float3', true)],
  ['float4', number('quatf', false)],
  ['int', number('float', false)],
  ['string', text('asset')],
  ['float', text('token')],
])('fitValues: leaves out a value of another type than %s', (typeName, value) => {
  const spec = attribute(typeName, { default: value });
  expect(fitValues(spec)).toBe(value.type);
  expect(spec.fields.has('default')).toBe(false);
});

it('fitValues: leaves out single time samples, and all of them where none is left', () => {
  const [good, bad] = [number('float', false), text('token')];
  const samples = (...values: Value[]): FieldValue => {
    return { type: 'timeSamples', times: Float64Array.from(values.keys()), values };
  };
  const spec = attribute('float', { timeSamples: samples(good, bad, block) });
  expect(fitValues(spec)).toBe('token');
  expect(spec.fields.get('timeSamples')).toEqual({
    type: 'timeSamples',
    times: Float64Array.of(0, 2),
    values: [good, block],
  });
  const empty = attribute('float', { timeSamples: samples(bad) });
  fitValues(empty);
  expect(empty.fields.has('timeSamples')).toBe(false);
});

it('fitValues: leaves out values of a relationship other than paths', () => {
  const value = number('quatf', true);
  const samples: FieldValue = { type: 'timeSamples', times: Float64Array.of(0), values: [value] };
  const spec: Spec = { type: 'relationship', fields: new Map([['timeSamples', samples]]) };
  expect(fitValues(spec)).toBe('quatf');
  expect(spec.fields.size).toBe(0);
});

it('fitValues: keeps text of an unknown type, of any form', () => {
  const spec = attribute('Some::Enum', { default: { type: 'unregistered', text: '(1' } });
  expect(fitValues(spec)).toBeNull();
});

it.each([
  ['</A>', null],
  ['[</A>, </B>]', null],
  ['1', 'unregistered'],
])('fitValues: of a relationship with the value %s leaves out %j', (content, expected) => {
  const fields = new Map<string, FieldValue>([['default', { type: 'unregistered', text: content }]]);
  expect(fitValues({ type: 'relationship', fields })).toBe(expected);
});

const names = (...all: string[]): FieldValue => ({ type: 'names', names: all });
const word = (content: string): FieldValue => ({ type: 'word', word: content });
const token = (content: string): FieldValue => ({ type: 'token', isArray: false, texts: [content] });
const int = (value: number): Value => ({ type: 'int', isArray: false, numbers: Int32Array.of(value) });
const paths = explicitListOp<string>('path', ['/A']);

it.each([
  ['primChildren', names('A', 'a:b', '', 'A'), names('A')],
  ['properties', names('x', 'a:b', '', 'x', 'a b'), names('x', 'a:b')],
  ['variantSetChildren', names('look', '1'), names('look')],
  ['variantChildren', names('red', '.a', '1', '', ';-)'), names('red', '.a', '1')],
])('fitField: leaves out invalid and repeated names of %s', (field, value, expected) => {
  expect(fitField(field, value)).toEqual(expected);
});

it.each([
  ['primChildren', names('A', 'B')],
  ['allowedTokens', names('', '')],
  ['variability', word('uniform')],
  ['permission', word('private')],
  ['kind', token('component')],
  ['kind', { type: 'string', isArray: false, texts: ['component'] }],
  ['metersPerUnit', int(1)],
  ['customData', { type: 'dictionary', entries: new Map() }],
  ['inheritPaths', paths],
  ['variantSelection', { type: 'variantSelections', selections: new Map([['look', '`LOOK`']]) }],
  ['prefixSubstitutions', { type: 'dictionary', entries: new Map([['a', text('string')]]) }],
  ['myField', int(1)],
  ['myField', paths],
] as [string, FieldValue][])('fitField: %s keeps %j', (field, value) => {
  expect(fitField(field, value)).toBe(value);
});

it.each([
  ['permission', word('uniform')],
  ['permission', token('private')],
  ['varjability', word('uniform')],
  ['kind', int(1)],
  ['active', token('true')],
  ['customData', token('a')],
  ['references', paths],
  ['variantSelection', { type: 'dictionary', entries: new Map() }],
  ['prefixSubstitutions', { type: 'dictionary', entries: new Map([['a', int(1)]]) }],
  ['symmetryFunction', token('a b')],
] as [string, FieldValue][])('fitField: %s cannot have %j', (field, value) => {
  expect(fitField(field, value)).toBeNull();
});

it('fitField: leaves out single arcs, relocates and selections that no text can contain', () => {
  const list = (...items: string[]): FieldValue => explicitListOp<string>('path', items) as FieldValue;
  expect(fitField('inheritPaths', list('/A', '/A.x', '/A{look=red}B'))).toEqual(list('/A'));
  const selections = (...all: [string, string][]): FieldValue => ({
    type: 'variantSelections',
    selections: new Map(all),
  });
  expect(fitField('variantSelection', selections(['a', 'red'], ['b', ';-)']))).toEqual(selections(['a', 'red']));
  const relocates = (...pairs: [string, string][]): FieldValue => ({ type: 'relocates', pairs });
  expect(fitField('relocates', relocates(['/A', ''], ['', '/B'], ['/A.x', '/B']))).toEqual(relocates(['/A', '']));
});

const relationship = (targets: FieldValue): Spec => ({
  type: 'relationship',
  fields: new Map([['targetPaths', targets]]),
});

it('fitTargets: keeps targets that text files can contain', () => {
  const targets = { ...emptyListOp<string>('path'), prepended: ['/A', '/B.x'], deleted: ['/A'] };
  const spec = relationship(targets);
  expect(fitTargets(spec)).toBe(false);
  expect(spec.fields.get('targetPaths')).toBe(targets);
});

it('fitTargets: leaves out targets that are empty, in a variant or repeated', () => {
  const spec = relationship(explicitListOp<string>('path', ['/A', '', '/A{look=red}B', '/A']));
  expect(fitTargets(spec)).toBe(true);
  expect(spec.fields.get('targetPaths')).toEqual(explicitListOp<string>('path', ['/A']));
});
