import { FormatError } from '../../core/report/format-error.ts';
import { decodeText } from '../../core/text/decode-text.ts';
import { placeOf } from '../../core/text/place-of.ts';
import { DEEPEST_RECORD } from './limits.ts';
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
import type { FbxProperty, FbxRecord, FbxTree } from './tree.ts';
import { headerNumber, refuseVersion } from './version.ts';

/** Beyond this many characters an integer has more than 64 bits. */
const LONGEST_INTEGER = 20;
const INTEGER = /^[+-]?\d+$/;

/** The value of a word outside an array: a number, a bigint where a number would round, else the word as it stands. */
function wordValue(word: string): FbxProperty {
  const number = toNumber(word);
  if (number === null) return word;
  const isExact = Number.isSafeInteger(number) || !INTEGER.test(word) || word.length > LONGEST_INTEGER;
  return isExact ? number : BigInt(word);
}

/** The name of a record and its colon; null, with the scan where it was, where something else is next. */
function takeName(scan: Scan): string | null {
  const isQuoted = peek(scan) === QUOTE;
  const start = scan.at;
  const name = isQuoted ? takeString(scan) : takeWord(scan);
  if (name !== '' && accept(scan, COLON)) return name;
  scan.at = start;
  return null;
}

/** Numbers that an array has room for before any is read: a count in a text may be anything. */
const FIRST_ROOM = 1024;

/** The numbers of `a: 1,2,3` up to the brace that ends the array. */
function takeNumbers(scan: Scan, expected: number): Float64Array {
  if (accept(scan, CLOSE_BRACE)) return new Float64Array(0);
  let numbers = new Float64Array(Math.min(expected, FIRST_ROOM));
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

/** An array of FBX 7, whose star is next: `*3 { a: 1,2,3 }`. Its count is a hint; the values are what stands there. */
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

/** The values behind the name of a record, up to what is none. */
function takeValues(scan: Scan): FbxProperty[] {
  const values: FbxProperty[] = [];
  // Embedded files are written `Content: , "base64"`.
  let isDue = false;
  accept(scan, COMMA);
  for (;;) {
    const code = peek(scan);
    const start = scan.at;
    if (code === STAR) values.push(takeArray(scan));
    else if (code === QUOTE) values.push(takeString(scan));
    else {
      const word = takeWord(scan);
      if (word !== '') values.push(wordValue(word));
      else if (isDue) throw syntaxError(scan, start, 'a value after the comma');
      else return values;
    }
    // A word with a colon is the name of the next record.
    if (code !== STAR && peek(scan) === COLON) {
      if (isDue) throw syntaxError(scan, start, 'a value after the comma');
      values.pop();
      scan.at = start;
      return values;
    }
    isDue = accept(scan, COMMA);
    if (!isDue) return values;
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
    const record = { name, properties: takeValues(scan), records: [] };
    lists.at(-1)!.push(record);
    if (!accept(scan, OPEN_BRACE)) continue;
    if (lists.length >= DEEPEST_RECORD) {
      const message = `Records nest deeper than ${DEEPEST_RECORD}.`;
      throw new FormatError('FBX_LIMIT', message, placeOf(scan.text, start));
    }
    lists.push(record.records);
  }
}

/** `; FBX 7.4.0 project file`: the version in the comment at the begin of the text. */
const COMMENT = /^(?:\s*;[^\n\r]*[\n\r])*?\s*;\s*FBX\s+(\d)\.(\d)\.\d/;

/** Characters that are searched for that comment. */
const HEAD = 4096;

/**
 * The tree of an FBX text. Integers are numbers where a number holds them exactly, else bigint; words without quotes
 * (`Shading: Y`) are strings; every array is a Float64Array, because the text does not tell its type.
 *
 * Not by fbx-parser, which takes a text apart at line ends and commas, quoted or not, before it looks at anything.
 *
 * @throws FormatError `FBX_SYNTAX` with line and column, `FBX_VERSION`, `FBX_LIMIT`.
 */
export function parseAsciiFbx(bytes: Uint8Array): FbxTree {
  const text = decodeText(bytes, 'FBX_LIMIT');
  const comment = COMMENT.exec(text.slice(0, HEAD));
  const announced = comment === null ? undefined : 1000 * Number(comment[1]) + 100 * Number(comment[2]);
  // Older files have another syntax, so they are told by the comment, before the first record.
  if (announced !== undefined) refuseVersion(announced, { line: 1, column: 1 });
  const records = parseRecords({ text, at: 0 });
  const version = headerNumber(records, 'FBXVersion') ?? announced;
  if (version === undefined) {
    const message = 'The text is no FBX: neither a comment nor FBXHeaderExtension says its version. Export it again.';
    throw new FormatError('FBX_SYNTAX', message, { line: 1, column: 1 });
  }
  refuseVersion(version, { line: 1, column: 1 });
  return { encoding: 'ascii', version, records };
}
