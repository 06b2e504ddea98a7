import { type FBXData, parseBinary } from 'fbx-parser';
import { FormatError } from '../../core/report/format-error.ts';
import { ENDIAN_AT, elementBytes, FIRST_RECORD_AT, MAGIC, VERSION_AT } from './binary-layout.ts';
import { readPayload } from './payload.ts';
import type { FbxProperty, FbxRecord, FbxTree } from './tree.ts';
import { refuseVersion } from './version.ts';
import { walkBinary } from './walk-binary.ts';

/** Whether the bytes begin as a binary FBX file does, or are a piece of that beginning. */
export function isBinaryFbx(bytes: Uint8Array): boolean {
  const length = Math.min(bytes.length, MAGIC.length);
  for (let i = 0; i < length; i++) if (bytes[i] !== MAGIC.charCodeAt(i)) return false;
  return length > 0;
}

function readVersion(bytes: Uint8Array): number {
  if (bytes.length < FIRST_RECORD_AT) {
    const message = `The header of the FBX file breaks off after ${bytes.length} of ${FIRST_RECORD_AT} bytes. Download it again.`;
    throw new FormatError('FBX_SYNTAX', message, { offset: bytes.length });
  }
  if (bytes[ENDIAN_AT] !== 0) {
    const message = 'The FBX file is big-endian, which is not read. Save it again with a program of today.';
    throw new FormatError('FBX_VERSION', message, { offset: ENDIAN_AT });
  }
  const version = new DataView(bytes.buffer, bytes.byteOffset).getUint32(VERSION_AT, true);
  refuseVersion(version, { offset: VERSION_AT });
  return version;
}

/** Turns a property into an empty array that is as long in the file. Too short a string stays: fbx-parser can read it. */
function emptyPayload(view: DataView, at: number): void {
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
 * A copy of the records for fbx-parser, with empty arrays in place of arrays, strings and bytes; all offsets stay.
 * It would give bytes as arrays of numbers, text as Latin-1 with the halves of names turned around, large integers of
 * arrays rounded; long text overflows its stack, and it expands zlib streams without a limit.
 */
function emptied(bytes: Uint8Array, payloads: readonly number[], end: number): Uint8Array {
  const copy = new Uint8Array(bytes.subarray(0, end));
  const view = new DataView(copy.buffer);
  for (const at of payloads) emptyPayload(view, at);
  return copy;
}

function parseRecords(bytes: Uint8Array): FBXData {
  try {
    return parseBinary(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FormatError('FBX_SYNTAX', `The FBX file cannot be read: ${reason}. Export it again.`);
  }
}

/**
 * The tree of a binary FBX file. Integers of 64 bits are numbers where a number holds them exactly, else bigint; single
 * letters are strings.
 *
 * @throws FormatError `FBX_SYNTAX` with the byte offset, `FBX_VERSION`, `FBX_LIMIT`.
 */
export function parseBinaryFbx(bytes: Uint8Array): FbxTree {
  const version = readVersion(bytes);
  const { payloads, end } = walkBinary(bytes, version);
  const records: FbxRecord[] = [];
  // Open lists of records, the innermost last: payloads come in the order of the file, a record before those inside it.
  const lists = [{ from: parseRecords(emptied(bytes, payloads, end)), at: 0, into: records }];
  let next = 0;
  for (let list = lists.at(-1); list !== undefined; list = lists.at(-1)) {
    if (list.at === list.from.length) {
      lists.pop();
      continue;
    }
    const { name, props, nodes } = list.from[list.at++];
    const properties = props.map(
      (value): FbxProperty =>
        typeof value === 'number' || typeof value === 'bigint' ? value : readPayload(bytes, payloads[next++]),
    );
    const inside: FbxRecord[] = [];
    list.into.push({ name, properties, records: inside });
    lists.push({ from: nodes, at: 0, into: inside });
  }
  return { encoding: 'binary', version, records };
}
