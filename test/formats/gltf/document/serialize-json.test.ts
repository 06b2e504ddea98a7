import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonLayout, serializeJson } from '../../../../src/formats/gltf/document/serialize-json.ts';
import { lawRuns } from '../../../support/law-runs.ts';

const PRETTY: JsonLayout = { open: '\n  ', between: ',\n  ', close: '\n', colon: ': ', unit: '  ' };

describe('printJson', () => {
  it('matches JSON.stringify, compact and indented', () => {
    // jsonValue generates −0, which JSON.stringify writes as 0.
    const law = fc.property(fc.jsonValue(), (made) => {
      const value: unknown = JSON.parse(JSON.stringify(made));
      expect(serializeJson(value)).toBe(JSON.stringify(value));
      expect(serializeJson(value, PRETTY)).toBe(JSON.stringify(value, null, 2));
    });
    fc.assert(law, { seed: 1, numRuns: lawRuns(500) });
  });

  it('keeps every float32 and float64, −0 and infinities included', () => {
    const law = fc.property(fc.double({ noNaN: true }), fc.float({ noNaN: true }), (double, float) => {
      expect(JSON.parse(serializeJson([double, float]))).toStrictEqual([double, float]);
    });
    fc.assert(law, { seed: 2, numRuns: lawRuns(500), examples: [[-0, Infinity]] });
  });

  it('keeps a member called __proto__', () => {
    expect(serializeJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });

  it('omits undefined members and writes undefined items as null', () => {
    expect(serializeJson({ a: undefined, b: [undefined, 1] })).toBe('{"b":[null,1]}');
  });

  it('throws for values that JSON cannot express', () => {
    expect(() => serializeJson({ min: [Number.NaN] })).toThrow(TypeError);
    expect(() => serializeJson({ min: new Float32Array(3) })).toThrow('Array.from');
    expect(() => serializeJson(1n)).toThrow(TypeError);
    const loop: unknown[] = [];
    loop.push(loop);
    expect(() => serializeJson(loop)).toThrow(RangeError);
  });
});
