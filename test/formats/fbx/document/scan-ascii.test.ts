import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accept,
  COLON,
  COMMA,
  peek,
  syntaxError,
  takeString,
  takeWord,
  toNumber,
} from '../../../../src/formats/fbx/document/scan-ascii.ts';

const over = (text: string): { text: string; at: number } => ({ text, at: 0 });

describe('peek', () => {
  it('skips white space, control characters and comments with any line end', () => {
    const scan = over(' \t\0;a\r;b\n;c\r\n:');
    expect(peek(scan)).toBe(COLON);
    expect(scan.at).toBe(scan.text.length - 1);
  });

  it('returns NaN at the end of the text, even inside a comment', () => {
    expect(peek(over(''))).toBeNaN();
    expect(peek(over('  ; end'))).toBeNaN();
  });
});

describe('accept', () => {
  it('consumes the character if it is next, after optional white space', () => {
    const scan = over(' , :');
    expect([accept(scan, COLON), accept(scan, COMMA), accept(scan, COLON), accept(scan, COLON)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

describe('takeWord', () => {
  it('ends at white space and punctuation', () => {
    for (const end of ['', ' ', '\n', '"', '*', ',', ':', ';', '{', '}']) {
      const scan = over(`Name-1(a)#.5|é${end}x`);
      expect(takeWord(scan)).toBe(end === '' ? 'Name-1(a)#.5|éx' : 'Name-1(a)#.5|é');
    }
    expect(takeWord(over(' a'))).toBe('');
  });
});

describe('takeString', () => {
  it('ends at the next quote and moves past it', () => {
    const scan = over('"a\\"b"');
    expect(takeString(scan)).toBe('a\\');
    expect(scan.text.slice(scan.at)).toBe('b"');
  });
});

describe('toNumber', () => {
  it('reads any number that JavaScript prints', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        expect(toNumber(String(value))).toBe(Object.is(value, -0) ? 0 : value);
      }),
      { seed: 5 },
    );
  });

  it.each(['', '-', '.', 'e5', '1e', '1.2.3', '0x10', '1-2', 'Infinityx', 'nano', '12a', '1_000', 'L'])(
    'gives null for %j',
    (word) => {
      expect(toNumber(word)).toBeNull();
    },
  );
});

describe('syntaxError', () => {
  it('shows at most 40 characters of the text', () => {
    expect(syntaxError(over('y'.repeat(1000)), 0, 'a colon').message.length).toBeLessThan(200);
  });
});
