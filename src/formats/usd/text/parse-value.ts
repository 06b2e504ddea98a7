/** Values of USD texts: numbers, tuples, arrays, strings, dictionaries. */
import { roundToHalf } from '../layer/half.ts';
import { type Numbers, type NumericValue, type StoredType, TUPLE_WIDTH, type Value } from '../layer/value.ts';
import {
  type Cursor,
  expectMark,
  isNext,
  peekWord,
  readWord,
  skipLines,
  skipSeparators,
  syntaxError,
  take,
  takeWord,
} from './cursor.ts';
import { isAsset, isNone, isString, numberOf, readAsset, readPath, readString, takeNumber } from './literals.ts';
import { namedType } from './value-types.ts';

/** Dictionaries inside of dictionaries, brackets inside of brackets: more is an attack. */
const MAX_DEPTH = 64;

const TEXTS = ['string', 'token', 'asset', 'pathExpression'] as const;
type TextType = (typeof TEXTS)[number];

function isText(type: StoredType): type is TextType {
  return (TEXTS as readonly string[]).includes(type);
}

/** Ranges of the integer types. */
const RANGES: Readonly<Partial<Record<StoredType, readonly [number, number]>>> = {
  uchar: [0, 255],
  int: [-(2 ** 31), 2 ** 31 - 1],
  uint: [0, 2 ** 32 - 1],
};
const BIG_RANGES: Readonly<Partial<Record<StoredType, readonly [bigint, bigint]>>> = {
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

function readBool(cursor: Cursor): number {
  const word = peekWord(cursor);
  if (word !== null && /^(?:true|yes|false|no)$/i.test(word)) {
    cursor.at += word.length;
    return /^(?:true|yes)$/i.test(word) ? 1 : 0;
  }
  const digits = takeNumber(cursor);
  if (digits === null) throw syntaxError(cursor, 'true or false');
  return numberOf(digits) === 0 ? 0 : 1;
}

function readBig(cursor: Cursor, type: StoredType): bigint {
  const start = cursor.at;
  const digits = takeNumber(cursor);
  const [least, most] = BIG_RANGES[type] as readonly [bigint, bigint];
  if (digits === null || !/^[+-]?\d+$/.test(digits)) throw syntaxError(cursor, `a whole number of type ${type}`, start);
  const value = BigInt(digits.replace('+', ''));
  if (value < least || value > most) throw syntaxError(cursor, `a number that ${type} can hold`, start);
  return value;
}

/** One number of a scalar type or of a tuple of it. */
function readNumber(cursor: Cursor, type: StoredType): number {
  if (type === 'bool') return readBool(cursor);
  const start = cursor.at;
  const digits = takeNumber(cursor);
  if (digits === null) throw syntaxError(cursor, `a number of type ${type}`);
  const value = numberOf(digits);
  const range = RANGES[type.startsWith('int') ? 'int' : type];
  if (range === undefined) return value;
  const whole = Math.trunc(value);
  if (!(whole >= range[0] && whole <= range[1])) throw syntaxError(cursor, `a number that ${type} can hold`, start);
  return whole;
}

/** Numbers of one value, appended in stored order. */
function readTuple(cursor: Cursor, type: NumericValue['type'], out: number[]): void {
  const width = TUPLE_WIDTH[type];
  if (width === 1) {
    out.push(readNumber(cursor, type));
    return;
  }
  if (type.startsWith('matrix')) {
    const rows = Math.sqrt(width);
    readGroup(cursor, rows, type, () => readGroup(cursor, rows, type, () => out.push(readNumber(cursor, 'double'))));
    return;
  }
  const start = out.length;
  readGroup(cursor, width, type, () => out.push(readNumber(cursor, type)));
  // Text has the real part first.
  if (type.startsWith('quat')) out.push(...out.splice(start, 1));
}

/** `( … , … )` with so many members. */
function readGroup(cursor: Cursor, count: number, type: string, readMember: () => void): void {
  expectMark(cursor, '(', `around the ${count} members of a ${type}`);
  for (let k = 0; k < count; k++) {
    skipLines(cursor);
    readMember();
    skipLines(cursor);
    if (k < count - 1) expectMark(cursor, ',', `between the ${count} members of a ${type}`);
  }
  take(cursor, ',');
  skipLines(cursor);
  expectMark(cursor, ')', `behind the ${count} members of a ${type}`);
}

/** Members between brackets, with commas, one may follow the last. */
export function readList(cursor: Cursor, readMember: () => void): void {
  expectMark(cursor, '[', 'before a list');
  skipLines(cursor);
  while (!take(cursor, ']')) {
    readMember();
    skipLines(cursor);
    if (take(cursor, ',')) {
      skipLines(cursor);
      continue;
    }
    expectMark(cursor, ']', 'or a comma behind a member of a list');
    return;
  }
}

/** Numbers in the array that fits their type. */
export function numbersOf(type: NumericValue['type'], values: readonly number[]): Numbers {
  if (type === 'bool' || type === 'uchar') return Uint8Array.from(values);
  if (type.startsWith('int')) return Int32Array.from(values);
  if (type === 'uint') return Uint32Array.from(values);
  if (type === 'double' || type === 'timecode' || type.endsWith('d') || type.startsWith('double'))
    return Float64Array.from(values);
  const isHalf = type.startsWith('half') || type === 'quath';
  return Float32Array.from(values, isHalf ? roundToHalf : (value) => value);
}

function readText(cursor: Cursor, type: TextType): string {
  if (type !== 'asset') return readString(cursor, `a ${type} in quotes`);
  if (isAsset(cursor)) return readAsset(cursor, 'an asset path');
  throw syntaxError(cursor, 'an asset path like @file.usda@');
}

/** A value of a type that is known. */
export function parseTyped(cursor: Cursor, type: StoredType, isArray: boolean): Value {
  if (isText(type)) {
    const texts: string[] = [];
    if (isArray) readList(cursor, () => texts.push(readText(cursor, type)));
    else texts.push(readText(cursor, type));
    return { type, isArray, texts };
  }
  if (type === 'int64' || type === 'uint64') {
    const values: bigint[] = [];
    if (isArray) readList(cursor, () => values.push(readBig(cursor, type)));
    else values.push(readBig(cursor, type));
    return { type, isArray, numbers: type === 'int64' ? BigInt64Array.from(values) : BigUint64Array.from(values) };
  }
  const values: number[] = [];
  if (isArray) readList(cursor, () => readTuple(cursor, type, values));
  else readTuple(cursor, type, values);
  return { type, isArray, numbers: numbersOf(type, values) };
}

/** Passes a value of which only the brackets are understood, and gives its text. */
export function skipValue(cursor: Cursor): string {
  skipLines(cursor);
  const start = cursor.at;
  const open: string[] = [];
  do {
    skipLines(cursor);
    const mark = cursor.text[cursor.at];
    if (mark === undefined) throw syntaxError(cursor, 'a value', start);
    if (mark === '(' || mark === '[' || mark === '{') {
      open.push(mark === '(' ? ')' : mark === '[' ? ']' : '}');
      cursor.at++;
    } else if (mark === open[open.length - 1]) {
      open.pop();
      cursor.at++;
    } else if (isString(cursor)) readString(cursor, 'a string');
    else if (isAsset(cursor)) readAsset(cursor, 'an asset path');
    else if (mark === '<') readPath(cursor, 'a path');
    else if (open.length > 0 && /[,:;=]/.test(mark)) cursor.at++;
    else if (takeNumber(cursor) === null) readWord(cursor, 'a value');
    if (open.length > MAX_DEPTH) throw syntaxError(cursor, `at most ${MAX_DEPTH} brackets inside of each other`, start);
  } while (open.length > 0);
  return cursor.text.slice(start, cursor.at);
}

/** A value of a type by its name, or `None`; of unknown types the text is kept. */
export function parseValue(cursor: Cursor, typeName: string): Value {
  skipLines(cursor);
  if (isNone(cursor)) {
    takeWord(cursor, 'None');
    return { type: 'block' };
  }
  const { stored, isArray } = namedType(typeName);
  return stored === null ? { type: 'unregistered', text: skipValue(cursor) } : parseTyped(cursor, stored, isArray);
}

/** The name of a type in a dictionary or before an attribute: `float`, `int[]`, `dictionary`. */
export function readTypeName(cursor: Cursor): string {
  const name = readWord(cursor, 'the name of a type');
  if (!isNext(cursor, '[')) return name;
  expectMark(cursor, '[', 'of an array type');
  expectMark(cursor, ']', 'of an array type');
  return `${name}[]`;
}

/** `{ type name = value … }`. */
export function parseDictionary(cursor: Cursor, depth = 0): Extract<Value, { type: 'dictionary' }> {
  if (depth > MAX_DEPTH) throw syntaxError(cursor, `at most ${MAX_DEPTH} dictionaries inside of each other`);
  expectMark(cursor, '{', 'before the entries of a dictionary');
  const entries = new Map<string, Value>();
  skipSeparators(cursor);
  while (!take(cursor, '}')) {
    const typeName = readTypeName(cursor);
    const name = isString(cursor) ? readString(cursor, 'a name') : readWord(cursor, 'the name of an entry');
    expectMark(cursor, '=', `behind the name ${name} of an entry`);
    skipLines(cursor);
    entries.set(name, typeName === 'dictionary' ? parseDictionary(cursor, depth + 1) : parseValue(cursor, typeName));
    if (!skipSeparators(cursor) && !isNext(cursor, '}')) throw syntaxError(cursor, 'a new line behind an entry');
  }
  return { type: 'dictionary', entries };
}
