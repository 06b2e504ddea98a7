import { type NumericValue, type StoredType, TUPLE_WIDTH, type Value } from '../layer/value.ts';
import { isValueText } from './read-list.ts';
import { serializeDouble, serializeFloat, serializeHalf } from './serialize-number.ts';
import { serializeAssetPath, serializeKey, serializeString } from './serialize-string.ts';

// Writes the numbers of arrays as bytes: a string per number would take several times as long.

export const LONGEST_NUMBER = 32;

const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/** The powers of ten that doubles hold exactly. */
const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
/** Sizes of the floats that are written by arithmetic. */
const LEAST_SIZE = 1e-12;
const GREATEST_SIZE = 1e6;
/** Smaller numbers are written with an exponent. */
const LEAST_WITHOUT_EXPONENT = 1e-6;
const FEWEST_DIGITS = 6;
const MOST_DIGITS = 9;
/** A product that is this close to the middle of two integers may have been rounded across it. */
const MIDDLE = 1e-6;

export function writeText(out: Uint8Array, at: number, text: string): number {
  for (let k = 0; k < text.length; k++) out[at + k] = text.charCodeAt(k);
  return at + text.length;
}

/** Writes a positive integer with a point before its last `decimals` digits. */
function writeDecimal(out: Uint8Array, at: number, integer: number, decimals: number): number {
  let rest = integer;
  let left = decimals;
  while (left > 0 && rest % 10 === 0) {
    rest /= 10;
    left--;
  }
  let count = 1;
  while (POWERS_OF_TEN[count] <= rest) count++;
  count = Math.max(count, left + 1);
  const end = at + count + (left > 0 ? 1 : 0);
  for (let k = 0, to = end - 1; k < count; k++) {
    if (k === left && k > 0) out[to--] = POINT;
    const next = Math.floor(rest / 10);
    out[to--] = ZERO + rest - 10 * next;
    rest = next;
  }
  return end;
}

/**
 * Writes a float between {@link LEAST_SIZE} and {@link GREATEST_SIZE} by arithmetic. A decimal of up to 9 digits is an integer divided by a power of
 * ten, both exact, so that the quotient is the double that the decimal reads as. Returns −1 where arithmetic cannot tell.
 */
function writeShortest(out: Uint8Array, at: number, size: number): number {
  // Digits before the point; zeros after the point count as negative.
  let before = 0;
  if (size >= 1) while (size >= POWERS_OF_TEN[before]) before++;
  else while (size * POWERS_OF_TEN[1 - before] < 1) before--;
  for (let digits = FEWEST_DIGITS; digits <= MOST_DIGITS; digits++) {
    const power = POWERS_OF_TEN[digits - before];
    const scaled = size * power;
    const whole = Math.floor(scaled);
    const fraction = scaled - whole;
    if (Math.abs(fraction - 0.5) < MIDDLE) return -1;
    const integer = fraction < 0.5 ? whole : whole + 1;
    const short = integer / power;
    if (Math.fround(short) !== size) continue;
    if (short >= LEAST_WITHOUT_EXPONENT) return writeDecimal(out, at, integer, digits - before);
    // Rounded up to a power of ten, the integer has a digit more.
    const more = integer === POWERS_OF_TEN[digits] ? 1 : 0;
    return writeText(out, writeDecimal(out, at, integer, digits - 1 + more), `e${before - 1 + more}`);
  }
  return -1;
}

/** Writes an integer, or a float of the usual sizes; returns −1 for other numbers. */
function writeUsual(out: Uint8Array, at: number, value: number, isFloat: boolean): number {
  const size = Math.abs(value);
  if (!(size < GREATEST_SIZE)) return -1;
  let to = at;
  if (value < 0 || Object.is(value, -0)) out[to++] = MINUS;
  if (Number.isInteger(size)) return writeDecimal(out, to, size, 0);
  return isFloat && size >= LEAST_SIZE ? writeShortest(out, to, size) : -1;
}

export function writeFloat(out: Uint8Array, at: number, value: number): number {
  const end = writeUsual(out, at, value, true);
  return end >= 0 ? end : writeText(out, at, serializeFloat(value));
}

export function writeDouble(out: Uint8Array, at: number, value: number): number {
  const end = writeUsual(out, at, value, false);
  return end >= 0 ? end : writeText(out, at, serializeDouble(value));
}

type WriteNumber = (out: Uint8Array, at: number, value: number) => number;

function numberWriter(type: NumericValue['type']): WriteNumber {
  if (type.startsWith('half') || type === 'quath') return (out, at, value) => writeText(out, at, serializeHalf(value));
  if (type.startsWith('float') || type === 'quatf') return writeFloat;
  if (type === 'int64' || type === 'uint64') return (out, at, value) => writeText(out, at, String(value));
  return writeDouble;
}

/** Returns the order of the numbers of one value in the text, the marks before each, and the mark after the last. */
function layoutOf(type: NumericValue['type']): {
  readonly order: readonly number[];
  readonly marks: readonly string[];
  readonly end: string;
} {
  const width = TUPLE_WIDTH[type];
  const order = Array.from({ length: width }, (_, k) => k);
  if (width === 1) return { order, marks: [''], end: '' };
  // Text has the real part of a quaternion first; layers have it last.
  if (type.startsWith('quat')) order.unshift(order.pop() as number);
  const size = type.startsWith('matrix') ? Math.sqrt(width) : width;
  const marks = order.map((_, k) => (k % size > 0 ? ', ' : k > 0 ? '), (' : size < width ? '( (' : '('));
  return { order, marks, end: size < width ? ') )' : ')' };
}

/** Bytes that are turned into a string at once. */
const CHUNK = 1 << 16;
/** Bytes of the longest value: a matrix of 16 doubles. */
const LONGEST_VALUE = 16 * (LONGEST_NUMBER + 4) + 4;
const chunk = new Uint8Array(CHUNK);
const ASCII = new TextDecoder();

export type Emit = (text: string) => void;

function emitNumbers({ type, isArray, numbers }: NumericValue, emit: Emit): void {
  const write = numberWriter(type);
  const { order, marks, end } = layoutOf(type);
  const width = order.length;
  let at = 0;
  if (isArray) at = writeText(chunk, at, '[');
  for (let start = 0; start < numbers.length; start += width) {
    if (at > CHUNK - LONGEST_VALUE) {
      emit(ASCII.decode(chunk.subarray(0, at)));
      at = 0;
    }
    if (start > 0) at = writeText(chunk, at, ', ');
    for (let k = 0; k < width; k++) {
      at = writeText(chunk, at, marks[k]);
      // 64-bit integers are written by their text alone.
      at = write(chunk, at, numbers[start + order[k]] as number);
    }
    at = writeText(chunk, at, end);
  }
  if (isArray) at = writeText(chunk, at, ']');
  emit(ASCII.decode(chunk.subarray(0, at)));
}

/** Serializes a value as {@link serializeValue} does, a large array in parts: the whole text of a layer needs several times its size in memory. */
export function emitValue(value: Value, indent: string, emit: Emit): void {
  if ('numbers' in value) emitNumbers(value, emit);
  else emit(serializeValue(value, indent));
}

/** Serializes a value on one line; dictionaries span lines. */
export function serializeValue(value: Value, indent: string): string {
  if (value.type === 'block') return 'None';
  if (value.type === 'unregistered') return serializeUnregistered(value.text);
  if (value.type === 'dictionary') return serializeDictionary(value.entries, indent);
  if (!('texts' in value)) {
    const texts: string[] = [];
    emitNumbers(value, (text) => texts.push(text));
    return texts.join('');
  }
  const serialize = value.type === 'asset' ? serializeAssetPath : serializeString;
  return value.isArray ? `[${value.texts.map(serialize).join(', ')}]` : serialize(value.texts[0]);
}

/** Serializes the text of a value of an unknown type: unchanged, or in quotes where it is not the text of a value. */
export function serializeUnregistered(text: string): string {
  return isValueText(text) ? text : serializeString(text);
}

function entryType(value: Value): string {
  if (value.type === 'dictionary') return 'dictionary';
  if (value.type === 'block' || value.type === 'unregistered') return UNKNOWN_TYPE;
  const type: StoredType = value.type;
  return value.isArray ? `${type}[]` : type;
}

/** A type name that no reader knows, for values without a known type. */
const UNKNOWN_TYPE = 'unknown';

/** Serializes a dictionary as `{ type name = value … }`, one entry per line, in order. */
export function serializeDictionary(entries: ReadonlyMap<string, Value>, indent: string): string {
  const inner = `${indent}    `;
  const lines = [...entries].map(
    ([name, value]) => `${inner}${entryType(value)} ${serializeKey(name)} = ${serializeValue(value, inner)}\n`,
  );
  return `{\n${lines.join('')}${indent}}`;
}
