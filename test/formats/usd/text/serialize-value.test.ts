import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Value } from '../../../../src/formats/usd/layer/value.ts';
import { parseDictionary, parseValue } from '../../../../src/formats/usd/text/parse-value.ts';
import { serializeDictionary, serializeValue } from '../../../../src/formats/usd/text/serialize-value.ts';
import { createTextCursor } from '../../../../src/formats/usd/text/text-cursor.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { randomValue } from './random-layer.ts';

describe('serializeValue', () => {
  it.each<[Value, string]>([
    [{ type: 'block' }, 'None'],
    [{ type: 'unregistered', text: '(a, b)' }, '(a, b)'],
    [{ type: 'bool', isArray: false, numbers: Uint8Array.of(1) }, '1'],
    [{ type: 'float2', isArray: true, numbers: Float32Array.of(0.1, 2, 3, 4) }, '[(0.1, 2), (3, 4)]'],
    [{ type: 'quatd', isArray: false, numbers: Float64Array.of(2, 3, 4, 1) }, '(1, 2, 3, 4)'],
    [{ type: 'matrix2d', isArray: false, numbers: Float64Array.of(1, 2, 3, 4) }, '( (1, 2), (3, 4) )'],
    [{ type: 'int64', isArray: true, numbers: BigInt64Array.of(-(2n ** 63n)) }, '[-9223372036854775808]'],
    [{ type: 'asset', isArray: true, texts: ['a', 'b@c'] }, '[@a@, @@@b@c@@@]'],
    [{ type: 'token', isArray: true, texts: [] }, '[]'],
  ])('writes values like OpenUSD (%#)', (value, text) => expect(serializeValue(value, '')).toBe(text));

  it('round-trips random values', () => {
    fc.assert(
      fc.property(randomValue, (value) => {
        const { type, isArray } = value as Extract<Value, { texts: readonly string[] }>;
        expect(parseValue(createTextCursor(serializeValue(value, '')), `${type}${isArray ? '[]' : ''}`)).toEqual(value);
      }),
      { seed: 2, numRuns: lawRuns(1000) },
    );
  });

  it('writes dictionaries over several lines with typed entries', () => {
    const entries = new Map<string, Value>([
      ['a', { type: 'int', isArray: true, numbers: Int32Array.of(1) }],
      ['b:c', { type: 'dictionary', entries: new Map() }],
    ]);
    const text = serializeDictionary(entries, '  ');
    expect(text).toBe('{\n      int[] a = [1]\n      dictionary "b:c" = {\n      }\n  }');
    expect(parseDictionary(createTextCursor(text)).entries).toEqual(entries);
  });
});
