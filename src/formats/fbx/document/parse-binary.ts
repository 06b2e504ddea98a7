import { FormatError } from '../../../core/report/format-error.ts';
import { guessEncoding } from '../../../core/text/guess-encoding.ts';
import { ENDIAN_AT, FIRST_RECORD_AT, FOOTER_ID_BYTES, MAGIC, VERSION_AT } from './binary-layout.ts';
import type { FbxRecord, FbxTree } from './fbx-tree.ts';
import { assertSupportedVersion } from './fbx-version.ts';
import { isUtf8, readPropertyValue, stringAt, valueSource } from './read-property-value.ts';
import { type WalkedRecord, walkBinary } from './walk-binary.ts';

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

/** Lists texts that are not UTF-8 by their bytes, each once: names of records and values. */
function legacyTexts(bytes: Uint8Array, records: readonly WalkedRecord[]): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out = new Map<string, Uint8Array>();
  const add = (text: Uint8Array): void => {
    if (!isUtf8(text)) out.set(text.join(), text);
  };
  const remaining = [...records];
  for (let record = remaining.pop(); record !== undefined; record = remaining.pop()) {
    add(bytes.subarray(...record.name));
    for (const at of record.properties) if (bytes[at] === STRING) add(stringAt({ bytes, view }, at));
    for (const nested of record.records ?? []) remaining.push(nested);
  }
  return [...out.values()];
}

/** Records without nested ones share an empty list. */
const NO_RECORDS: readonly FbxRecord[] = [];
const STRING = 'S'.charCodeAt(0);

/** Returns the first bytes of the footer; undefined if the file ends before. */
function readFooterId(bytes: Uint8Array, at: number): Uint8Array | undefined {
  return at + FOOTER_ID_BYTES <= bytes.length ? new Uint8Array(bytes.subarray(at, at + FOOTER_ID_BYTES)) : undefined;
}

/**
 * Parses a binary FBX file. 64-bit integers become numbers if that is exact, else bigint. Single letters become strings. Throws FormatError
 * `FBX_SYNTAX` with the byte offset, `FBX_VERSION`, `FBX_LIMIT`.
 */
export function parseBinaryFbx(bytes: Uint8Array): FbxTree {
  const version = readVersion(bytes);
  const walk = walkBinary(bytes, version);
  const texts = legacyTexts(bytes, walk.records);
  const { name: legacyEncoding, label } = guessEncoding(texts);
  const source = valueSource(bytes, new TextDecoder(label));
  const readRecord = ({ name, properties, records }: WalkedRecord): FbxRecord => {
    const read = {
      name: source.textOf(bytes.subarray(...name)),
      properties: properties.map((at) => readPropertyValue(source, at)),
      types: properties.map((at) => String.fromCharCode(bytes[at])).join(''),
      records: records === null || records.length === 0 ? NO_RECORDS : records.map(readRecord),
    };
    return records?.length === 0 ? { ...read, hasEmptyList: true } : read;
  };
  const footerId = readFooterId(bytes, walk.end);
  return {
    encoding: 'binary',
    version,
    records: walk.records.map(readRecord),
    ...(footerId === undefined ? {} : { footerId }),
    ...(texts.length === 0
      ? {}
      : {
          legacyEncoding,
          legacyBytes: new Map(texts.map((text) => [source.textOf(text), new Uint8Array(text)])),
        }),
  };
}
