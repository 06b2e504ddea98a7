import { FormatError } from '../../../core/report/format-error.ts';
import { decodeText } from '../../../core/text/decode-text.ts';
import { locationOf } from '../../../core/text/location-of.ts';
import { MAX_RECORD_DEPTH } from './fbx-limits.ts';
import type { FbxProperty, FbxRecord, FbxTree } from './fbx-tree.ts';
import { assertSupportedVersion, headerNumber } from './fbx-version.ts';
import { propertyType } from './property-type.ts';
import {
  accept,
  CLOSE_BRACE,
  COLON,
  COMMA,
  OPEN_BRACE,
  peek,
  QUOTE,
  type Scan,
  STAR,
  syntaxError,
  takeString,
  takeWord,
  toNumber,
} from './scan-ascii.ts';

/** An integer with more characters has more than 64 bits. */
const LONGEST_INTEGER = 20;
const INTEGER = /^[+-]?\d+$/;

/** Converts a word outside an array: to a number, to a bigint if a number would round, else to a string. */
function wordValue(word: string): [value: FbxProperty, type: string] {
  const number = toNumber(word);
  // Binary files have such words as single letters: `Shading: Y`.
  if (number === null) return [word, word.length === 1 ? 'C' : 'S'];
  const isExact = Number.isSafeInteger(number) || !INTEGER.test(word) || word.length > LONGEST_INTEGER;
  const value = isExact ? number : BigInt(word);
  return [value, propertyType(value)];
}

/** Consumes the name of a record and its colon. Returns null and consumes nothing if something else is next. */
function takeName(scan: Scan): string | null {
  const isQuoted = peek(scan) === QUOTE;
  const start = scan.at;
  const name = isQuoted ? takeString(scan) : takeWord(scan);
  if (name !== '' && accept(scan, COLON)) return name;
  scan.at = start;
  return null;
}

/** Limit for the initial capacity of an array, because the declared count can be anything. */
const INITIAL_CAPACITY = 1024;

/** Consumes the numbers of `a: 1,2,3` and the brace that ends the array. */
function takeNumbers(scan: Scan, expected: number): Float64Array {
  if (accept(scan, CLOSE_BRACE)) return new Float64Array(0);
  let numbers = new Float64Array(Math.min(expected, INITIAL_CAPACITY));
  let length = 0;
  for (;;) {
    peek(scan);
    const start = scan.at;
    const number = toNumber(takeWord(scan));
    if (number === null) throw syntaxError(scan, start, 'a number of an array');
    if (length === numbers.length) {
      const longer = new Float64Array(2 * length + 16);
      longer.set(numbers);
      numbers = longer;
    }
    numbers[length++] = number;
    if (accept(scan, COMMA)) continue;
    if (!accept(scan, CLOSE_BRACE)) throw syntaxError(scan, scan.at, 'a comma or the end of an array');
    return length === numbers.length ? numbers : numbers.slice(0, length);
  }
}

/** Consumes an array of FBX 7, whose star is next: `*3 { a: 1,2,3 }`. The count is only a hint; the values decide. */
function takeArray(scan: Scan): Float64Array {
  scan.at++;
  const start = scan.at;
  const word = takeWord(scan);
  if (!INTEGER.test(word)) throw syntaxError(scan, start, 'the number of elements of an array');
  if (!accept(scan, OPEN_BRACE)) throw syntaxError(scan, scan.at, 'the brace that opens an array');
  if (accept(scan, CLOSE_BRACE)) return new Float64Array(0);
  const inside = scan.at;
  if (takeName(scan) !== 'a') throw syntaxError(scan, inside, '"a:"');
  return takeNumbers(scan, Math.max(0, Number(word)));
}

/** Consumes the values after the name of a record, up to the first token that is not a value. */
function takeValues(scan: Scan): { values: FbxProperty[]; types: string } {
  const values: FbxProperty[] = [];
  let types = '';
  const add = (value: FbxProperty, type: string): void => {
    values.push(value);
    types += type;
  };
  // Embedded files are written as `Content: , "base64"`.
  let isDue = false;
  accept(scan, COMMA);
  for (;;) {
    const code = peek(scan);
    const start = scan.at;
    if (code === STAR) add(takeArray(scan), 'd');
    else if (code === QUOTE) add(takeString(scan), 'S');
    else {
      const word = takeWord(scan);
      if (word !== '') add(...wordValue(word));
      else if (isDue) throw syntaxError(scan, start, 'a value after the comma');
      else return { values, types };
    }
    // A word with a colon is the name of the next record.
    if (code !== STAR && peek(scan) === COLON) {
      if (isDue) throw syntaxError(scan, start, 'a value after the comma');
      values.pop();
      scan.at = start;
      return { values, types: types.slice(0, -1) };
    }
    isDue = accept(scan, COMMA);
    if (!isDue) return { values, types };
  }
}

function parseRecords(scan: Scan): FbxRecord[] {
  const records: FbxRecord[] = [];
  const lists = [records];
  for (;;) {
    const code = peek(scan);
    if (Number.isNaN(code)) {
      if (lists.length > 1) throw syntaxError(scan, scan.at, 'the brace that closes a record');
      return records;
    }
    if (code === CLOSE_BRACE && lists.length > 1) {
      scan.at++;
      lists.pop();
      continue;
    }
    const start = scan.at;
    const name = takeName(scan);
    if (name === null) {
      const isFirst = records.length === 0;
      throw syntaxError(scan, start, isFirst ? 'the first record of an FBX file' : 'the name of a record and a colon');
    }
    const { values, types } = takeValues(scan);
    const nested: FbxRecord[] = [];
    const hasList = accept(scan, OPEN_BRACE);
    const isEmpty = hasList && peek(scan) === CLOSE_BRACE;
    lists
      .at(-1)!
      .push({ name, properties: values, types, records: nested, ...(isEmpty ? { hasEmptyList: true } : {}) });
    if (!hasList) continue;
    if (lists.length >= MAX_RECORD_DEPTH) {
      const message = `Records nest deeper than ${MAX_RECORD_DEPTH} levels, the limit of anyrig. Export the file again.`;
      throw new FormatError('FBX_LIMIT', message, locationOf(scan.text, start));
    }
    lists.push(nested);
  }
}

/** `; FBX 7.4.0 project file`: the version in the comment at the start of the text. */
const COMMENT = /^(?:\s*;[^\n\r]*[\n\r])*?\s*;\s*FBX\s+(\d)\.(\d)\.\d/;

/** Number of characters searched for that comment. */
const HEAD = 4096;

/**
 * Parses an FBX text. Integers become numbers if that is exact, else bigint. Words without quotes (`Shading: Y`) become strings. Every array
 * becomes a Float64Array, because the text does not declare its type. Throws FormatError `FBX_SYNTAX` with line and column, `FBX_VERSION`,
 * `FBX_LIMIT`.
 */
export function parseAsciiFbx(bytes: Uint8Array): FbxTree {
  const { text, legacyEncoding } = decodeText(bytes, 'FBX_LIMIT');
  const comment = COMMENT.exec(text.slice(0, HEAD));
  const announced = comment === null ? undefined : 1000 * Number(comment[1]) + 100 * Number(comment[2]);
  // Older files have another syntax, so the version in the comment is checked before the first record is parsed.
  if (announced !== undefined) assertSupportedVersion(announced, { line: 1, column: 1 });
  const records = parseRecords({ text, at: 0 });
  const version = headerNumber(records, 'FBXVersion') ?? announced;
  if (version === undefined) {
    const message =
      'The text declares no FBX version, neither in its first comment nor in FBXHeaderExtension. Export the file again as FBX.';
    throw new FormatError('FBX_SYNTAX', message, { line: 1, column: 1 });
  }
  assertSupportedVersion(version, { line: 1, column: 1 });
  return { encoding: 'ascii', version, records, ...(legacyEncoding === null ? {} : { legacyEncoding }) };
}
