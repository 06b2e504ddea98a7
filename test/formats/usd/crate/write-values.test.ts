import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseUsdc } from '../../../../src/formats/usd/crate/parse-usdc.ts';
import { serializeUsdc } from '../../../../src/formats/usd/crate/serialize-usdc.ts';
import type { FieldValue } from '../../../../src/formats/usd/layer/layer.ts';
import type { Value } from '../../../../src/formats/usd/layer/value.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { fieldsOf, LAYER, layerWith, saidBy } from './layers.ts';

function written(field: string, value: unknown): FieldValue {
  return fieldsOf(parseUsdc(serializeUsdc(layerWith({ [field]: value as FieldValue }))))[field];
}

describe('packValue', () => {
  test('round-trips values of every type', () => {
    fc.assert(
      fc.property(LAYER, (layer) => {
        const again = parseUsdc(serializeUsdc(layer));
        expect(saidBy(again)).toEqual(saidBy(layer));
        expect(again.issues).toEqual([]);
      }),
      { seed: 75, numRuns: lawRuns(400) },
    );
  });

  test('stores words as enumerations of their fields, or as tokens', () => {
    for (const word of ['def', 'over', 'class'])
      expect(written('specifier', { type: 'word', word })).toEqual({ type: 'word', word });
    for (const word of ['uniform', 'config']) {
      expect(written('variability', { type: 'word', word })).toEqual({ type: 'word', word });
    }
    expect(written('permission', { type: 'word', word: 'private' })).toEqual({ type: 'word', word: 'private' });
    expect(written('displayUnit', { type: 'word', word: 'cm' })).toEqual({
      type: 'word',
      word: 'cm',
    });
    expect(() => written('specifier', { type: 'word', word: 'undef' })).toThrow(
      /the word undef, expected one of def, over, class/,
    );
  });

  test('stores sub-layers as a string vector beside their layer offsets', () => {
    const subLayers = { type: 'string', isArray: true, texts: ['a.usda', 'b.usda'] };
    expect(written('subLayers', subLayers)).toEqual(subLayers);
  });

  test('stores equal numbers, texts, lists, dictionaries and samples once', () => {
    const points: Value = {
      type: 'float3',
      isArray: true,
      numbers: Float32Array.from({ length: 3000 }, (_, i) => i / 7),
    };
    const entries = new Map<string, Value>([
      ['points', points],
      ['more', { type: 'dictionary', entries: new Map([['again', points]]) }],
    ]);
    const samples = { type: 'timeSamples', times: Float64Array.of(1, 2, 3), values: [points, points, points] } as const;
    const one = serializeUsdc(layerWith({ a: points })).length;
    const all = {
      a: points,
      b: { ...points, numbers: points.numbers.slice() },
      c: { type: 'dictionary', entries },
      d: samples,
    } as const;
    expect(serializeUsdc(layerWith(all)).length).toBeLessThan(one + 600);
    const twice = serializeUsdc(
      layerWith({ ...all, e: { type: 'dictionary', entries: new Map(entries) }, f: { ...samples } }),
    ).length;
    expect(twice - serializeUsdc(layerWith(all)).length).toBeLessThan(60);
  });

  test('throws for values that do not fit their type', () => {
    const bad: [unknown, RegExp][] = [
      [
        { type: 'float3', isArray: true, numbers: new Float32Array(4) },
        /4 numbers for a value of type float3\[\], expected a multiple of 3/,
      ],
      [
        { type: 'float3', isArray: false, numbers: new Float32Array(6) },
        /6 numbers for a value of type float3, expected 3/,
      ],
      [{ type: 'float', isArray: false, numbers: new Float64Array(1) }, /in a Float64Array, expected a Float32Array/],
      [{ type: 'token', isArray: false, texts: ['a', 'b'] }, /2 texts for a single value of type token/],
      [{ type: 'string', isArray: false, texts: ['a\0b'] }, /NUL/],
      [{ type: 'timeSamples', times: new Float64Array(2), values: [] }, /2 times and 0 values/],
      [{ type: 'paths', paths: ['B'] }, /absolute/],
    ];
    for (const [value, message] of bad) expect(() => written('default', value)).toThrow(message);
    let deep: Value = { type: 'block' };
    for (let k = 0; k < 70; k++) deep = { type: 'dictionary', entries: new Map([['in', deep]]) };
    expect(() => written('default', deep)).toThrow(/nested more than 64 levels deep/);
  });
});
