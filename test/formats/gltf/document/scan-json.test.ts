import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkDepth,
  scanItems,
  scanMembers,
  skipBlank,
  skipValue,
  trimBlank,
} from '../../../../src/formats/gltf/document/scan-json.ts';
import { lawRuns } from '../../../support/law-runs.ts';

const blanks = fc.stringMatching(/^[ \n\r\t]{0,3}$/);

describe('skipValue', () => {
  it('ends where JSON.stringify ended, whatever follows', () => {
    const law = fc.property(
      fc.jsonValue(),
      blanks,
      fc.constantFrom('', ',1', ']', '}', ', "x"'),
      (value, blank, rest) => {
        const text = JSON.stringify(value);
        expect(skipValue(text + blank + rest, 0)).toBe(text.length);
      },
    );
    fc.assert(law, { seed: 1, numRuns: lawRuns(500) });
  });

  it('is not misled by quotes, backslashes and brackets inside strings, short and long', () => {
    const piece = fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', 'a', '\n', '\u00e9');
    const law = fc.property(fc.array(piece, { maxLength: 120 }), (pieces) => {
      const text = JSON.stringify(pieces.join(''));
      expect(skipValue(`${text},"tail"`, 0)).toBe(text.length);
    });
    fc.assert(law, { seed: 2, numRuns: lawRuns(1000) });
  });

  it('stops at the end of truncated text', () => {
    for (const text of ['"abc', '"abc\\', '[1,2', '{"a":{', '12', '"' + 'x'.repeat(100), '"' + 'x'.repeat(60) + '\\']) {
      expect(skipValue(text, 0)).toBeLessThanOrEqual(text.length + 1);
    }
  });
});

describe('scanItems and scanMembers', () => {
  it('return the range of every item and member', () => {
    const law = fc.property(fc.array(fc.jsonValue(), { maxLength: 8 }), blanks, blanks, (values, before, after) => {
      const text = `[${values.map((value) => before + JSON.stringify(value) + after).join(',')}]`;
      const found = scanItems(text, 0).map(({ start, end }) => text.slice(start, end));
      expect(found).toEqual(values.map((value) => JSON.stringify(value)));
    });
    fc.assert(law, { seed: 3, numRuns: lawRuns(300) });

    const members = fc.array(fc.tuple(fc.string(), fc.jsonValue()), { maxLength: 8 });
    const memberLaw = fc.property(members, blanks, blanks, (pairs, before, after) => {
      const printed = pairs.map(([key, value]) => [JSON.stringify(key), JSON.stringify(value)]);
      const text = `{${printed.map(([key, value]) => before + key + after + ':' + before + value + after).join(',')}}`;
      const found = scanMembers(text, 0).map((span) => [
        text.slice(span.keyStart, span.keyEnd),
        text.slice(span.start, span.end),
      ]);
      expect(found).toEqual(printed);
    });
    fc.assert(memberLaw, { seed: 4, numRuns: lawRuns(300) });
  });

  it('find nothing in empty containers', () => {
    expect(scanItems('[ \n ]', 0)).toEqual([]);
    expect(scanMembers('{}', 0)).toEqual([]);
  });

  it('return repeated keys separately', () => {
    expect(scanMembers('{"a":1,"a":2}', 0)).toHaveLength(2);
  });
});

describe('skipBlank and trimBlank', () => {
  it('skip whitespace forwards and backwards', () => {
    const text = ' \t\n\rx \n ';
    expect(skipBlank(text, 0)).toBe(4);
    expect(trimBlank(text, text.length)).toBe(5);
    expect(trimBlank(text, 4)).toBe(0);
    expect(skipBlank('  ', 0)).toBe(2);
  });
});

describe('checkDepth', () => {
  const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

  it('counts arrays and objects, not brackets in strings', () => {
    const depthOf = (value: unknown): number =>
      typeof value !== 'object' || value === null
        ? 0
        : 1 + Math.max(0, ...Object.values(value).map((member) => depthOf(member)));
    const law = fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const bytes = utf8(JSON.stringify({ '[[["\\': value, text: '{{{[[[\\"[' }));
      const depth = depthOf(value) + 1;
      expect(() => checkDepth(bytes, depth)).not.toThrow();
      expect(() => checkDepth(bytes, depth - 1)).toThrow(`deeper than ${depth - 1} levels`);
    });
    fc.assert(law, { seed: 5, numRuns: lawRuns(200) });
  });

  it('reports the byte offset in the file', () => {
    expect(() => checkDepth(utf8('{"é":[[[]]]}'), 2, 20)).toThrow(
      expect.objectContaining({ code: 'JSON_INVALID', where: { offset: 27 } }),
    );
  });

  it('handles ten million levels without recursion', () => {
    expect(() => checkDepth(new Uint8Array(10_000_000).fill(0x5b), 512)).toThrow('deeper than 512');
  });
});
