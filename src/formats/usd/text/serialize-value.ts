/** Serializes values. */
import { type NumericValue, type StoredType, TUPLE_WIDTH, type Value } from '../layer/value.ts';
import { serializeDouble, serializeFloat, serializeHalf } from './serialize-number.ts';
import { serializeAssetPath, serializeKey, serializeString } from './serialize-string.ts';

function numberSerializer(type: NumericValue['type']): (value: number | bigint) => string {
  if (type.startsWith('half') || type === 'quath') return (value) => serializeHalf(value as number);
  if (type.startsWith('float') || type === 'quatf') return (value) => serializeFloat(value as number);
  if (/^(?:double|timecode|quatd|matrix)/.test(type)) return (value) => serializeDouble(value as number);
  return String;
}

/** Serializes one value of an array; its numbers begin at `start`. */
function serializeTuple(texts: readonly string[], start: number, type: NumericValue['type']): string {
  const width = TUPLE_WIDTH[type];
  if (width === 1) return texts[start];
  const members = texts.slice(start, start + width);
  // Text has the real part of a quaternion first; layers have it last.
  if (type.startsWith('quat')) return `(${[members[3], ...members.slice(0, 3)].join(', ')})`;
  if (!type.startsWith('matrix')) return `(${members.join(', ')})`;
  const rows = Math.sqrt(width);
  const serialized = Array.from(
    { length: rows },
    (_, row) => `(${members.slice(row * rows, row * rows + rows).join(', ')})`,
  );
  return `( ${serialized.join(', ')} )`;
}

function serializeNumbers({ type, isArray, numbers }: NumericValue): string {
  const serialize = numberSerializer(type);
  const texts = Array.from<number | bigint, string>(numbers, serialize);
  if (!isArray) return serializeTuple(texts, 0, type);
  const width = TUPLE_WIDTH[type];
  if (width === 1) return `[${texts.join(', ')}]`;
  const tuples = Array.from({ length: texts.length / width }, (_, k) => serializeTuple(texts, k * width, type));
  return `[${tuples.join(', ')}]`;
}

/**
 * Serializes a value on one line; dictionaries span lines.
 *
 * @param value - The value.
 * @param indent - Indentation of the closing brace of a dictionary.
 * @returns The text.
 * @throws RangeError if an asset path cannot be written as text.
 */
export function serializeValue(value: Value, indent: string): string {
  if (value.type === 'block') return 'None';
  if (value.type === 'unregistered') return value.text;
  if (value.type === 'dictionary') return serializeDictionary(value.entries, indent);
  if (!('texts' in value)) return serializeNumbers(value);
  const serialize = value.type === 'asset' ? serializeAssetPath : serializeString;
  return value.isArray ? `[${value.texts.map(serialize).join(', ')}]` : serialize(value.texts[0]);
}

/** Returns the type that a dictionary writes before the name of an entry. */
function entryType(value: Value): string {
  if (value.type === 'dictionary') return 'dictionary';
  if (value.type === 'block' || value.type === 'unregistered') return UNKNOWN_TYPE;
  const type: StoredType = value.type;
  return value.isArray ? `${type}[]` : type;
}

/** A type name that no reader knows, for values without a known type. */
const UNKNOWN_TYPE = 'unknown';

/**
 * Serializes a dictionary as `{ type name = value … }`, one entry per line, in order.
 *
 * @param entries - Values by name.
 * @param indent - Indentation of the closing brace.
 * @returns The text.
 * @throws RangeError if an asset path cannot be written as text.
 */
export function serializeDictionary(entries: ReadonlyMap<string, Value>, indent: string): string {
  const inner = `${indent}    `;
  const lines = [...entries].map(
    ([name, value]) => `${inner}${entryType(value)} ${serializeKey(name)} = ${serializeValue(value, inner)}\n`,
  );
  return `{\n${lines.join('')}${indent}}`;
}
