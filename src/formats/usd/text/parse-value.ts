/** Parses values of USD texts: numbers, tuples, arrays, strings, dictionaries. */
import { roundToHalf } from '../layer/half.ts';
import {
  ARRAYS,
  formOf,
  isTextType,
  type Numbers,
  type NumericValue,
  type StoredType,
  type TextValue,
  TUPLE_WIDTH,
  type Value,
} from '../layer/value.ts';
import { isAsset, isNone, isString, readAsset, readNumber, readString, readWhole } from './literals.ts';
import { MAX_NESTING, readList, readTuple, skipValue } from './read-list.ts';
import {
  expectMark,
  isNext,
  peekWord,
  readWord,
  skipSeparators,
  syntaxError,
  type TextCursor,
  takeMark,
  takeWord,
} from './text-cursor.ts';
import { currentTypeName, namedType } from './type-names.ts';

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

function readBool(cursor: TextCursor): number {
  const word = peekWord(cursor);
  if (word === null) return readNumber(cursor, 'true or false') === 0 ? 0 : 1;
  if (!/^(?:true|yes|false|no)$/i.test(word)) throw syntaxError(cursor, 'true or false');
  cursor.at += word.length;
  return /^(?:true|yes)$/i.test(word) ? 1 : 0;
}

function readBig(cursor: TextCursor, type: StoredType): bigint {
  const start = cursor.at;
  const [least, most] = BIG_RANGES[type] as readonly [bigint, bigint];
  const value = readWhole(cursor, `a whole number of type ${type}`);
  if (value < least || value > most) throw syntaxError(cursor, `a number in the range of ${type}`, start);
  return value;
}

/** Collects numbers whose count is not known in advance. */
interface NumberBuffer {
  values: Float64Array;
  count: number;
}

/** Shared first buffer. Most values of a text are short, and a new array for each would be slow. */
const SHORT_BUFFER = new Float64Array(64);

function push(buffer: NumberBuffer, value: number): void {
  if (buffer.count === buffer.values.length) {
    const wider = new Float64Array(buffer.count * 2);
    wider.set(buffer.values);
    buffer.values = wider;
  }
  buffer.values[buffer.count++] = value;
}

function numberReader(type: NumericValue['type']): (cursor: TextCursor) => number {
  if (type === 'bool') return readBool;
  const expected = `a number of type ${type}`;
  const range = RANGES[type.startsWith('int') ? 'int' : type];
  if (range === undefined) return (cursor) => readNumber(cursor, expected);
  const [least, most] = range;
  return (cursor) => {
    const start = cursor.at;
    const whole = Math.trunc(readNumber(cursor, expected));
    if (!(whole >= least && whole <= most)) throw syntaxError(cursor, `a number in the range of ${type}`, start);
    return whole;
  };
}

/** Returns the function that reads one value of a type and appends its numbers in stored order. */
function valueReader(type: NumericValue['type'], buffer: NumberBuffer): (cursor: TextCursor) => void {
  const width = TUPLE_WIDTH[type];
  const read = numberReader(type);
  if (width === 1) return (cursor) => push(buffer, read(cursor));
  if (type.startsWith('matrix')) {
    const rows = Math.sqrt(width);
    return (cursor) => {
      const readMember = (): void => push(buffer, read(cursor));
      readTuple(cursor, rows, type, () => readTuple(cursor, rows, type, readMember));
    };
  }
  const isQuaternion = type.startsWith('quat');
  return (cursor) => {
    readTuple(cursor, width, type, () => push(buffer, read(cursor)));
    // Text has the real part of a quaternion first; layers have it last.
    if (!isQuaternion) return;
    const { values, count } = buffer;
    const real = values[count - 4];
    values.copyWithin(count - 4, count - 3, count);
    values[count - 1] = real;
  };
}

/** Copies numbers into the typed array of their type. Halves are rounded. */
export function toTypedNumbers(
  type: NumericValue['type'],
  values: Float64Array,
  count: number = values.length,
): Numbers {
  const numbers = new ARRAYS[formOf(type)](count) as Exclude<Numbers, BigInt64Array | BigUint64Array>;
  if (type.startsWith('half') || type === 'quath') for (let i = 0; i < count; i++) numbers[i] = roundToHalf(values[i]);
  // Creating a view costs more than copying a few numbers.
  else if (count > SHORT_BUFFER.length) numbers.set(values.subarray(0, count));
  else for (let i = 0; i < count; i++) numbers[i] = values[i];
  return numbers;
}

function readText(cursor: TextCursor, type: TextValue['type']): string {
  if (type !== 'asset') return readString(cursor, `a ${type} in quotes`);
  if (isAsset(cursor)) return readAsset(cursor, 'an asset path');
  if (isString(cursor)) return readString(cursor, 'an asset path');
  throw syntaxError(cursor, 'an asset path like @file.usda@');
}

function parseTyped(cursor: TextCursor, type: StoredType, isArray: boolean): Value {
  if (isTextType(type)) {
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
  const buffer: NumberBuffer = { values: SHORT_BUFFER, count: 0 };
  const read = valueReader(type, buffer);
  if (isArray) readList(cursor, () => read(cursor));
  else read(cursor);
  return { type, isArray, numbers: toTypedNumbers(type, buffer.values, buffer.count) };
}

/** Parses a value by the name of its type, or `None`. */
export function parseValue(cursor: TextCursor, typeName: string): Value {
  if (isNone(cursor)) {
    takeWord(cursor, 'None');
    return { type: 'block' };
  }
  const { stored, isArray } = namedType(typeName);
  return stored === null ? { type: 'unregistered', text: skipValue(cursor) } : parseTyped(cursor, stored, isArray);
}

/** Reads the name of a type: `float`, `int[]`, `dictionary`, `Some::Enum`. */
export function readTypeName(cursor: TextCursor): string {
  let name = readWord(cursor, 'the name of a type');
  while (takeMark(cursor, '::')) name += `::${readWord(cursor, 'the name of a type')}`;
  if (!isNext(cursor, '[')) return currentTypeName(name);
  expectMark(cursor, '[', 'of an array type');
  expectMark(cursor, ']', 'of an array type');
  return currentTypeName(`${name}[]`);
}

export function parseDictionary(cursor: TextCursor, depth = 0): Extract<Value, { type: 'dictionary' }> {
  if (depth > MAX_NESTING) throw syntaxError(cursor, `at most ${MAX_NESTING} levels of nested dictionaries`);
  expectMark(cursor, '{', 'before the entries of a dictionary');
  const entries = new Map<string, Value>();
  skipSeparators(cursor);
  while (!takeMark(cursor, '}')) {
    const typeName = readTypeName(cursor);
    const name = isString(cursor) ? readString(cursor, 'a name') : readWord(cursor, 'the name of an entry');
    expectMark(cursor, '=', `after the entry name ${name}`);
    entries.set(name, typeName === 'dictionary' ? parseDictionary(cursor, depth + 1) : parseValue(cursor, typeName));
    if (!skipSeparators(cursor) && !isNext(cursor, '}')) throw syntaxError(cursor, 'a new line after an entry');
  }
  return { type: 'dictionary', entries };
}
