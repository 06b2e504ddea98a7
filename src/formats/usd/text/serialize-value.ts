import { type NumericValue, type StoredType, TUPLE_WIDTH, type Value } from '../layer/value.ts';
import { isValueText } from './read-list.ts';
import { serializeHalf } from './serialize-number.ts';
import { serializeAssetPath, serializeKey, serializeString } from './serialize-string.ts';
import { LONGEST_NUMBER, writeDouble, writeFloat, writeText } from './write-number.ts';

function numberWriter(type: NumericValue['type']): (out: Uint8Array, at: number, value: number) => number {
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
