import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonLayout, printJson } from '../../../src/formats/gltf/print-json.ts';

const PRETTY: JsonLayout = { open: '\n  ', between: ',\n  ', close: '\n', colon: ': ', unit: '  ' };

describe('printJson', () => {
  it('prints what JSON.stringify prints, compact and indented', () => {
    // jsonValue makes −0, which JSON.stringify drops.
    const law = fc.property(fc.jsonValue(), (made) => {
      const value: unknown = JSON.parse(JSON.stringify(made));
      expect(printJson(value)).toBe(JSON.stringify(value));
      expect(printJson(value, PRETTY)).toBe(JSON.stringify(value, null, 2));
    });
    fc.assert(law, { seed: 1, numRuns: 500 });
  });

  it('keeps every float32 and float64, −0 and infinities included', () => {
    const law = fc.property(fc.double({ noNaN: true }), fc.float({ noNaN: true }), (double, float) => {
      expect(JSON.parse(printJson([double, float]))).toStrictEqual([double, float]);
    });
    fc.assert(law, { seed: 2, numRuns: 500, examples: [[-0, Infinity]] });
  });

  it('keeps a member called __proto__', () => {
    expect(printJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });

  it('leaves out undefined members and makes undefined items null', () => {
    expect(printJson({ a: undefined, b: [undefined, 1] })).toBe('{"b":[null,1]}');
  });

  it('refuses what JSON has no form for', () => {
    expect(() => printJson({ min: [Number.NaN] })).toThrow(TypeError);
    expect(() => printJson({ min: new Float32Array(3) })).toThrow('Array.from');
    expect(() => printJson(1n)).toThrow(TypeError);
    const loop: unknown[] = [];
    loop.push(loop);
    expect(() => printJson(loop)).toThrow(RangeError);
  });
});
