import { type FBXData, parseBinary } from 'fbx-parser';
import { FormatError } from '../../../core/report/format-error.ts';
import { guessEncoding } from '../../../core/text/guess-encoding.ts';
import { ENDIAN_AT, elementBytes, FIRST_RECORD_AT, MAGIC, VERSION_AT } from './binary-layout.ts';
import type { FbxProperty, FbxRecord, FbxTree } from './fbx-tree.ts';
import { assertSupportedVersion } from './fbx-version.ts';
import { readPropertyValue, stringsInLegacyEncoding } from './read-property-value.ts';
import { walkBinary } from './walk-binary.ts';

/** Checks for the magic bytes of a binary FBX file, or the part of them that a shorter file has. */
export function isBinaryFbx(bytes: Uint8Array): boolean {
  const length = Math.min(bytes.length, MAGIC.length);
  for (let i = 0; i < length; i++) if (bytes[i] !== MAGIC.charCodeAt(i)) return false;
  return length > 0;
}

function readVersion(bytes: Uint8Array): number {
  if (bytes.length < FIRST_RECORD_AT) {
    const message = `The FBX file ends after ${bytes.length} bytes, within its header of ${FIRST_RECORD_AT} bytes. Download the file again.`;
    throw new FormatError('FBX_SYNTAX', message, { offset: bytes.length });
  }
  if (bytes[ENDIAN_AT] !== 0) {
    const message =
      'The FBX file is big-endian; anyrig reads little-endian files only. Save it again with a current program.';
    throw new FormatError('FBX_VERSION', message, { offset: ENDIAN_AT });
  }
  const version = new DataView(bytes.buffer, bytes.byteOffset).getUint32(VERSION_AT, true);
  assertSupportedVersion(version, { offset: VERSION_AT });
  return version;
}

/** Replaces a property by an empty array of the same size in bytes. Short strings stay: fbx-parser can read them. */
function emptyProperty(view: DataView, at: number): void {
  const type = String.fromCharCode(view.getUint8(at));
  if (type === 'B' || type === 'Z') view.setUint8(at, 'C'.charCodeAt(0));
  const isArray = elementBytes(type) > 0;
  const isBlock = type === 'S' || type === 'R';
  if (!isArray && !isBlock) return;
  const length = view.getUint32(at + (isArray ? 9 : 1), true);
  if (isBlock && length < 8) return;
  view.setUint8(at, 'i'.charCodeAt(0));
  view.setUint32(at + 1, 0, true);
  view.setUint32(at + 5, 0, true);
  // The header of an array is 8 bytes longer than that of a string.
  view.setUint32(at + 9, isArray ? length : length - 8, true);
}

/**
 * Returns a copy of the records for fbx-parser, with empty arrays instead of arrays, strings and bytes; offsets stay the
 * same. fbx-parser would return bytes as arrays of numbers, text as Latin-1 with swapped name halves, and rounded 64-bit
 * integers. Long text overflows its stack, and it expands zlib streams without a limit.
 */
function withEmptiedProperties(bytes: Uint8Array, offsets: readonly number[], end: number): Uint8Array {
  const copy = new Uint8Array(bytes.subarray(0, end));
  const view = new DataView(copy.buffer);
  for (const at of offsets) emptyProperty(view, at);
  return copy;
}

function parseRecords(bytes: Uint8Array): FBXData {
  try {
    return parseBinary(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FormatError('FBX_SYNTAX', `The records of the FBX file are damaged: ${reason}. Export the file again.`);
  }
}

/**
 * Parses a binary FBX file. 64-bit integers become numbers if that is exact, else bigint. Single letters become
 * strings.
 *
 * @throws FormatError `FBX_SYNTAX` with the byte offset, `FBX_VERSION`, `FBX_LIMIT`.
 */
export function parseBinaryFbx(bytes: Uint8Array): FbxTree {
  const version = readVersion(bytes);
  const { nonNumericOffsets, end } = walkBinary(bytes, version);
  const strings = stringsInLegacyEncoding(bytes, nonNumericOffsets);
  const { name: legacyName, label } = guessEncoding(strings);
  const legacy = new TextDecoder(label);
  const records: FbxRecord[] = [];
  // Open lists of records, the innermost last. Properties follow in the order of the file, those of nested records later.
  const lists = [{ from: parseRecords(withEmptiedProperties(bytes, nonNumericOffsets, end)), at: 0, into: records }];
  let next = 0;
  for (let list = lists.at(-1); list !== undefined; list = lists.at(-1)) {
    if (list.at === list.from.length) {
      lists.pop();
      continue;
    }
    const { name, props, nodes } = list.from[list.at++];
    const properties = props.map(
      (value): FbxProperty =>
        typeof value === 'number' || typeof value === 'bigint'
          ? value
          : readPropertyValue(bytes, nonNumericOffsets[next++], legacy),
    );
    const inside: FbxRecord[] = [];
    list.into.push({ name, properties, records: inside });
    lists.push({ from: nodes, at: 0, into: inside });
  }
  return { encoding: 'binary', version, records, ...(strings.length === 0 ? {} : { legacyEncoding: legacyName }) };
}
