/** Values of USD texts. */
import { type NumericValue, type StoredType, TUPLE_WIDTH, type Value } from '../layer/value.ts';
import { serializeDouble, serializeFloat, serializeHalf } from './serialize-number.ts';
import { serializeAssetPath, serializeKey, serializeString } from './serialize-string.ts';

function numberSerializer(type: NumericValue['type']): (value: number | bigint) => string {
  if (type.startsWith('half') || type === 'quath') return (value) => serializeHalf(value as number);
  if (type.startsWith('float') || type === 'quatf') return (value) => serializeFloat(value as number);
  if (/^(?:double|timecode|quatd|matrix)/.test(type)) return (value) => serializeDouble(value as number);
  return String;
}

/** One value of an array, by where its numbers start. */
function serializeTuple(texts: readonly string[], start: number, type: NumericValue['type']): string {
  const width = TUPLE_WIDTH[type];
  if (width === 1) return texts[start];
  const members = texts.slice(start, start + width);
  // Text has the real part first.
  if (type.startsWith('quat')) return `(${[members[3], ...members.slice(0, 3)].join(', ')})`;
  if (!type.startsWith('matrix')) return `(${members.join(', ')})`;
  const rows = Math.sqrt(width);
  const printed = Array.from(
    { length: rows },
    (_, row) => `(${members.slice(row * rows, row * rows + rows).join(', ')})`,
  );
  return `( ${printed.join(', ')} )`;
}

function serializeNumbers({ type, isArray, numbers }: NumericValue): string {
  const print = numberSerializer(type);
  const texts = Array.from<number | bigint, string>(numbers, print);
  if (!isArray) return serializeTuple(texts, 0, type);
  const width = TUPLE_WIDTH[type];
  if (width === 1) return `[${texts.join(', ')}]`;
  const tuples = Array.from({ length: texts.length / width }, (_, k) => serializeTuple(texts, k * width, type));
  return `[${tuples.join(', ')}]`;
}

/** A value as one line, dictionaries over lines whose later ones stand at `indent`. */
export function serializeValue(value: Value, indent: string): string {
  if (value.type === 'block') return 'None';
  if (value.type === 'unregistered') return value.text;
  if (value.type === 'dictionary') return serializeDictionary(value.entries, indent);
  if (!('texts' in value)) return serializeNumbers(value);
  const print = value.type === 'asset' ? serializeAssetPath : serializeString;
  return value.isArray ? `[${value.texts.map(print).join(', ')}]` : print(value.texts[0]);
}

/** The type of an entry of a dictionary as it is written before its name. */
function entryType(value: Value): string {
  if (value.type === 'dictionary') return 'dictionary';
  if (value.type === 'block' || value.type === 'unregistered') return UNKNOWN_TYPE;
  const type: StoredType = value.type;
  return value.isArray ? `${type}[]` : type;
}

/** A type that no reader knows, for values whose type was not kept. */
const UNKNOWN_TYPE = 'unknown';

/** `{ type name = value … }` over lines, entries in their order. */
export function serializeDictionary(entries: ReadonlyMap<string, Value>, indent: string): string {
  const inner = `${indent}    `;
  const lines = [...entries].map(
    ([name, value]) => `${inner}${entryType(value)} ${serializeKey(name)} = ${serializeValue(value, inner)}\n`,
  );
  return `{\n${lines.join('')}${indent}}`;
}
