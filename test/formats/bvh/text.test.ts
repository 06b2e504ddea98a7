import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { decodeText } from '../../../src/formats/bvh/text.ts';

describe('decodeText', () => {
  it('reads UTF-8, with and without a byte order mark', () => {
    expect(decodeText(Buffer.from('JOINT 首'))).toBe('JOINT 首');
    expect(decodeText(Buffer.from('\ufeffJOINT 首'))).toBe('JOINT 首');
  });

  it('reads UTF-16 of both byte orders by the mark', () => {
    const little = Buffer.from('\ufeffJOINT 首', 'utf16le');
    expect(decodeText(little)).toBe('JOINT 首');
    expect(decodeText(Buffer.from(little).swap16())).toBe('JOINT 首');
  });

  it('reads bytes that are no UTF-8 as Windows-1252', () => {
    expect(decodeText(Buffer.from('JOINT H\u00fcfte', 'latin1'))).toBe('JOINT Hüfte');
  });

  it('refuses more bytes than a string can hold', () => {
    expect(() => decodeText({ length: 2 ** 30 } as Uint8Array)).toThrow(FormatError);
  });
});
