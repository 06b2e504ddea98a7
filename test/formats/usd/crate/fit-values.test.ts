import { expect, it } from 'vitest';
import { fitValues } from '../../../../src/formats/usd/crate/fit-values.ts';
import type { FieldValue, Spec } from '../../../../src/formats/usd/layer/layer.ts';
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
  expect(fitValues(spec)).toBe('timeSamples');
  expect(spec.fields.size).toBe(0);
});

it('fitValues: leaves out text of an unknown type that cannot be read as a value', () => {
  const spec = attribute('Some::Enum', { default: { type: 'unregistered', text: '(1' } });
  expect(fitValues(spec)).toBe('unregistered');
  expect(spec.fields.has('default')).toBe(false);
});
