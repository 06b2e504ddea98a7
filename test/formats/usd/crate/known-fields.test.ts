import { describe, expect, it } from 'vitest';
import { parseUsdc } from '../../../../src/formats/usd/crate/parse-usdc.ts';
import { serializeUsdc } from '../../../../src/formats/usd/crate/serialize-usdc.ts';
import type { FieldValue } from '../../../../src/formats/usd/layer/layer.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { serializeUsda } from '../../../../src/formats/usd/text/serialize-usda.ts';

/** Text of a binary layer whose prim stores a value in a field, and how many issues reading it has. */
function textOf(field: string, value: FieldValue): { text: string; issues: number } {
  const layer = parseUsda('#usda 1.0\ndef "A" {}\n');
  layer.specs.get('/A')!.fields.set(field, value);
  const read = parseUsdc(serializeUsdc(layer));
  return { text: serializeUsda(read), issues: read.issues.length };
}

describe('parseUsdc: known fields in another type', () => {
  it.each([
    ['displayName', '"Ｈｅｒｏ 1"'],
    ['autoPlay', 'false'],
    ['playbackMode', '"loop"'],
  ])('keeps %s as OpenUSD stores it where it does not know the field', (field, text) => {
    expect(textOf(field, { type: 'unregistered', text })).toEqual({
      text: expect.stringContaining(`${field} = ${text}`),
      issues: 0,
    });
  });

  it('names a field whose text is of another type', () => {
    expect(textOf('autoPlay', { type: 'unregistered', text: '(1, 2)' }).issues).toBe(1);
  });

  it('reads variant selections from a dictionary', () => {
    const entries = new Map([['look', { type: 'string', isArray: false, texts: ['red'] } as const]]);
    const { text, issues } = textOf('variantSelection', { type: 'dictionary', entries });
    expect(text).toContain('string look = "red"');
    expect(issues).toBe(0);
  });

  it('keeps bare words of unknown fields of a text', () => {
    const text = '#usda 1.0\n\ndef "A" (\n    aa = a\n)\n{\n}\n';
    expect(serializeUsda(parseUsdc(serializeUsdc(parseUsda(text))))).toContain('aa = a\n');
  });
});
