import { encodeBase64 } from '../../../core/text/base64.ts';
import type { FbxProperty, FbxRecord, FbxTree } from './fbx-tree.ts';
import { splitName } from './object-names.ts';

type Emit = (text: string) => void;

/** The array whose float32 numbers are integers with the same bits in text. */
const ATTRIBUTES = 'KeyAttrDataFloat';
/** What only binary files have at the top: the FBX SDK leaves it out of text, and three.js fails at such a record. */
const BINARY_ONLY = new Set(['FileId', 'CreationTime', 'Creator']);
const NUMBERS_PER_LINE = 256;

/**
 * Emits an FBX tree as text: `parseAsciiFbx` reads the same tree. From a binary file, numbers, text and order stay, while type codes do not; names
 * become `Class::Name` and bytes base64, and the file's id, creator and creation time at the top are left out, as in text files of the FBX SDK.
 * `emit` receives the text in pieces, in order.
 */
export function emitAsciiFbx({ encoding, version, records }: FbxTree, emit: Emit): void {
  const [major, minor] = [Math.floor(version / 1000), Math.floor((version % 1000) / 100)];
  emit(`; FBX ${major}.${minor}.0 project file\n; ----------------------------------------------------\n\n`);
  for (const record of records) {
    if (encoding === 'binary' && BINARY_ONLY.has(record.name)) continue;
    emitRecord(record.name === 'FBXHeaderExtension' ? withVersion(record, version) : record, '', emit);
    emit('\n');
  }
}

/** Text files have no other version than that of the header; that of a binary file counts before it. */
function withVersion(header: FbxRecord, version: number): FbxRecord {
  const records = header.records.map((record) =>
    record.name === 'FBXVersion' ? { ...record, properties: [version], types: 'I' } : record,
  );
  return { ...header, records };
}

function emitRecord({ name, properties, types, records, hasEmptyList }: FbxRecord, indent: string, emit: Emit): void {
  emit(`${indent}${/^[\w|.-]+$/.test(name) ? name : quoted(name)}: `);
  properties.forEach((value, k) => {
    // As the SDK does, since three.js reads text line by line: numbers follow without a blank, and an embedded file is below `Content: ,`.
    if (types[k] === 'R') emit(`,\n${indent}\t`);
    else if (k > 0) emit(typeof value === 'string' ? ', ' : ',');
    emitValue(name === ATTRIBUTES && value instanceof Float32Array ? bitsOf(value) : value, types[k], indent, emit);
  });
  if (records.length === 0 && !hasEmptyList) {
    emit('\n');
    return;
  }
  emit(' {\n');
  for (const nested of records) emitRecord(nested, `${indent}\t`, emit);
  emit(`${indent}}\n`);
}

function emitValue(value: FbxProperty, type: string, indent: string, emit: Emit): void {
  if (typeof value === 'string') emit(type === 'C' ? value : quoted(nameInText(value)));
  else if (typeof value === 'boolean') emit(value ? '1' : '0');
  else if (typeof value === 'number' || typeof value === 'bigint') emit(printNumber(value));
  else if (type === 'R') emit(quoted(encodeBase64(value as Uint8Array)));
  else emitArray(value, indent, emit);
}

function emitArray(values: Exclude<FbxProperty, string | boolean | number | bigint>, indent: string, emit: Emit): void {
  emit(`*${values.length} {\n${indent}\ta: `);
  for (let from = 0; from < values.length; from += NUMBERS_PER_LINE) {
    const line = Array.from<number | bigint, string>(values.subarray(from, from + NUMBERS_PER_LINE), printNumber);
    emit(`${from > 0 ? ',\n' : ''}${line.join(',')}`);
  }
  emit(`\n${indent}}`);
}

function bitsOf(floats: Float32Array): Int32Array {
  return new Int32Array(floats.slice().buffer);
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '&quot;').replaceAll('\n', '&lf;').replaceAll('\r', '&cr;')}"`;
}

/** `Hips\0\x01Model` of binary files is `Model::Hips` in text. */
function nameInText(text: string): string {
  if (!text.includes('\0\x01')) return text;
  const { name, className } = splitName(text);
  return `${className}::${name}`;
}

function printNumber(value: number | bigint): string {
  if (typeof value === 'bigint') return String(value);
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  if (Object.is(value, -0)) return '-0';
  // Digits alone would be an integer of 64 bits.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return value.toExponential();
  return String(value);
}
