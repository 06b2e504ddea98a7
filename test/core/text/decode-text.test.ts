import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { decodeText } from '../../../src/core/text/decode-text.ts';

describe('decodeText', () => {
  it('reads UTF-8, with and without a byte order mark', () => {
    expect(decodeText(Buffer.from('JOINT 首'), 'BVH_SYNTAX').text).toBe('JOINT 首');
    expect(decodeText(Buffer.from('\ufeffJOINT 首'), 'BVH_SYNTAX').text).toBe('JOINT 首');
  });

  it('reads UTF-16 of both byte orders from the byte order mark', () => {
    const little = Buffer.from('\ufeffJOINT 首', 'utf16le');
    expect(decodeText(little, 'BVH_SYNTAX').text).toBe('JOINT 首');
    expect(decodeText(Buffer.from(little).swap16(), 'BVH_SYNTAX').text).toBe('JOINT 首');
  });

  it('reads invalid UTF-8 as Windows-1252', () => {
    expect(decodeText(Buffer.from('JOINT H\u00fcfte', 'latin1'), 'BVH_SYNTAX').text).toBe('JOINT Hüfte');
  });

  it('decodes lines in UTF-8 as such beside lines in an older encoding', () => {
    const bytes = Buffer.concat([
      Buffer.from('JOINT 首\nJOINT '),
      Buffer.from([0x8d, 0xb6, 0x98, 0x72]),
      Buffer.from('\n{'),
    ]);
    expect(decodeText(bytes, 'BVH_SYNTAX')).toEqual({ text: 'JOINT 首\nJOINT 左腕\n{', legacyEncoding: 'Shift-JIS' });
  });

  it('throws for more bytes than a string can have', () => {
    expect(() => decodeText({ length: 2 ** 30 } as Uint8Array, 'BVH_SYNTAX')).toThrow(FormatError);
  });
});
