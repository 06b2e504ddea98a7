import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import type { FbxRecord } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { parseAsciiFbx } from '../../../../src/formats/fbx/document/parse-ascii.ts';
import { rec } from '../fbx-bytes.ts';

const HEAD = '; FBX 7.4.0 project file\n';

function parse(text: string): readonly FbxRecord[] {
  return parseAsciiFbx(new TextEncoder().encode(HEAD + text)).records;
}

function refusal(text: string): string {
  try {
    parse(text);
  } catch (error) {
    expect(error).toBeInstanceOf(FormatError);
    const { code, message, where } = error as FormatError;
    expect(code).toBe('FBX_SYNTAX');
    return `${message.slice(0, message.indexOf(' was expected'))} (${where.line}:${where.column})`;
  }
  throw new Error('nothing was refused');
}

describe('parseAsciiFbx', () => {
  it('reads records inside records, on one line or on many', () => {
    const tree = [rec('Objects', [], [rec('Model', ['Model::a', 'Null'], [rec('Version', [232])]), rec('Empty')])];
    expect(parse('Objects:  {\n\tModel: "Model::a", "Null" {\n\t\tVersion: 232\n\t}\n\tEmpty: \n}\n')).toEqual(tree);
    expect(parse('Objects:{Model:"Model::a","Null"{Version:232}Empty:}')).toEqual(tree);
    expect(parse('Objects\r:\r{Model\r:\r"Model::a"\r,"Null"\r{Version:232}Empty:}')).toEqual(tree);
    expect(parse('Empty:{ }')).toEqual([{ ...rec('Empty'), hasEmptyList: true }]);
  });

  it('keeps commas, colons, braces, semicolons and line ends inside quotes', () => {
    expect(parse('P: "a, b: {c}; d\n*3 {e", "C:\\new\\", ""')).toEqual([
      rec('P', ['a, b: {c}; d\n*3 {e', 'C:\\new\\', '']),
    ]);
  });

  it('resolves the three escapes of the format and no others', () => {
    expect(parse('P: "&quot;a&quot;&lf;b&cr;", "R&D &amp; &quot"')).toEqual([
      rec('P', ['"a"\nb\r', 'R&D &amp; &quot']),
    ]);
  });

  it('skips comments wherever white space is allowed', () => {
    expect(parse('; one {\nP: 1, ; two "\n 2 ; three\n; four }\nQ: {;five\n}')).toEqual([
      rec('P', [1, 2]),
      { ...rec('Q'), hasEmptyList: true },
    ]);
  });

  it('reads all notations of numbers', () => {
    expect(parse('P: 1,-2,+3,1.5,-.5,5.,1e-05,1E+3,-0,0.10000000149011612')).toEqual([
      rec('P', [1, -2, 3, 1.5, -0.5, 5, 1e-5, 1000, -0, 0.10000000149011612]),
    ]);
    expect(parse('P: nan,-nan(ind),1.#QNAN,-1.#IND,inf,-inf,1.#INF00,-1.#INF')).toEqual([
      rec('P', [...new Array(4).fill(Number.NaN), Infinity, -Infinity, Infinity, -Infinity]),
    ]);
  });

  it('keeps integers of 64 bits exactly', () => {
    expect(parse('P: 9007199254740991,9007199254740993,-9223372036854775808,9223372036854775807')).toEqual([
      rec('P', [9007199254740991, 9007199254740993n, -9223372036854775808n, 9223372036854775807n]),
    ]);
    expect(parse(`P: ${'9'.repeat(400)}`)).toEqual([rec('P', [Infinity])]);
  });

  it('returns unquoted words as text', () => {
    expect(parse('Shading: Y\nCulling: T\nKey: 0,1,L,46186158,2,U,s,0,n')).toEqual([
      { ...rec('Shading', ['Y']), types: 'C' },
      { ...rec('Culling', ['T']), types: 'C' },
      { ...rec('Key', [0, 1, 'L', 46186158, 2, 'U', 's', 0, 'n']), types: 'IICIICCIC' },
    ]);
  });

  it('reads lists of values over several lines, the comma before or after the line end', () => {
    expect(parse('Vertices: 1,2,\n 3\n ,4\nNext: 5')).toEqual([rec('Vertices', [1, 2, 3, 4]), rec('Next', [5])]);
    expect(parse('Key: \n   0,1\nNext: 5')).toEqual([rec('Key', [0, 1]), rec('Next', [5])]);
  });

  it('reads arrays as one value', () => {
    expect(parse('Vertices: *3 {\n\ta: 1,-2.5,\n3e2\n} \nFlags: *1 {a: 5}\nNone: *0 {\n}\nNil: *0 {a: }')).toEqual([
      rec('Vertices', [Float64Array.of(1, -2.5, 300)]),
      rec('Flags', [Float64Array.of(5)]),
      rec('None', [new Float64Array(0)]),
      rec('Nil', [new Float64Array(0)]),
    ]);
  });

  it('reads all numbers of an array, whatever its declared count is', () => {
    const values = Array.from({ length: 5000 }, (_, i) => i / 4);
    for (const count of [0, 1, 5000, 99999999]) {
      expect(parse(`P: *${count} {a: ${values.join(',')}}`)).toEqual([rec('P', [Float64Array.from(values)])]);
    }
  });

  it('reads embedded files, whose values begin with a comma', () => {
    expect(parse('Content: , "aGk="\nContent: ,\n"aGk=",\n"aGk="\nContent: ,\nNext: 1')).toEqual([
      rec('Content', ['aGk=']),
      rec('Content', ['aGk=', 'aGk=']),
      rec('Content'),
      rec('Next', [1]),
    ]);
  });

  it('reads quoted names, also after a record without values', () => {
    expect(parse('"Transport Tool Settings": {A-b(c): 1}\nNone: \n"Other Settings": 2')).toEqual([
      rec('Transport Tool Settings', [], [rec('A-b(c)', [1])]),
      rec('None'),
      rec('Other Settings', [2]),
    ]);
  });

  it('reads text in Windows-1252 and in UTF-16', () => {
    const text = `${HEAD}Model: "Hüfte"`;
    const expected = [rec('Model', ['Hüfte'])];
    expect(parseAsciiFbx(Buffer.from(text, 'latin1')).records).toEqual(expected);
    expect(parseAsciiFbx(Buffer.from(`\ufeff${text}`, 'utf16le')).records).toEqual(expected);
    expect(parseAsciiFbx(Buffer.from(`\ufeff${text}`)).records).toEqual(expected);
  });

  it('reads the version from the header, else from the comment', () => {
    const version = (text: string): number => parseAsciiFbx(new TextEncoder().encode(text)).version;
    expect(version('; made by me\r\n;  FBX 6.1.0 project file\r\nA: 1')).toBe(6100);
    expect(version('; FBX 7.1.0 project file\nFBXHeaderExtension: {FBXVersion: 7700}')).toBe(7700);
    expect(version('FBXHeaderExtension: {FBXVersion: 7300}')).toBe(7300);
  });

  it.each([
    ['A: 1\nB {', 'Found "B" where the name of a record and a colon (3:1)'],
    ['B {', 'Found "B" where the first record of an FBX file (2:1)'],
    ['A: 1 2', 'Found "2" where the name of a record and a colon (2:6)'],
    ['A: 1,\n}', 'Found "}" where a value after the comma (3:1)'],
    ['A: 1,\nB: 2', 'Found "B" where a value after the comma (3:1)'],
    ['A: 1,', 'The text ends where a value after the comma (2:6)'],
    ['A: {\n B: 1', 'The text ends where the brace that closes a record (3:6)'],
    ['A: 1\n}', 'Found "}" where the name of a record and a colon (3:1)'],
    ['A: "abc\n', 'The text ends where the quote that ends this string (2:4)'],
    ['A: *x {a: 1}', 'Found "x" where the number of elements of an array (2:5)'],
    ['A: *1 a: 1', 'Found "a" where the brace that opens an array (2:7)'],
    ['A: *1 {b: 1}', 'Found "b" where "a:" (2:8)'],
    ['A: *1 {a: x}', 'Found "x" where a number of an array (2:11)'],
    ['A: *2 {a: 1,}', 'Found "}" where a number of an array (2:13)'],
    ['A: *2 {a: 1,2', 'The text ends where a comma or the end of an array (2:14)'],
    ['A: *2 {a: 1 b: 2}', 'Found "b" where a comma or the end of an array (2:13)'],
    ['"": 1', 'Found "\\"" where the first record of an FBX file (2:1)'],
  ])('refuses %j, saying what and where', (text, message) => {
    expect(refusal(text)).toBe(message);
  });
});
