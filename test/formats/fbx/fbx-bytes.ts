import { deflateSync } from 'node:zlib';
import type { FbxProperty, FbxRecord } from '../../../src/formats/fbx/document/fbx-tree.ts';
import { propertyType } from '../../../src/formats/fbx/document/property-type.ts';

/** A file to be written. */
export interface WrittenFbx {
  /** 7400 for FBX 7.4. */
  readonly version: number;
  readonly records: readonly FbxRecord[];
}

/** A record, in short: `rec('Model', [1n, 'Hips\0\x01Model', 'LimbNode'], [rec('Version', [232])])`. */
export function rec(
  name: string,
  properties: readonly FbxProperty[] = [],
  records: readonly FbxRecord[] = [],
): FbxRecord {
  return { name, properties, types: properties.map(propertyType).join(''), records };
}

/** How the binary file is written: what the format leaves open. */
export interface BinaryLayout {
  /** Writes arrays of more than 16 elements as zlib streams, as the SDK does; else none. */
  readonly compresses?: boolean;
  /** Writes the record of zeros also in records that hold none, as the SDK does for some. */
  readonly endsEmptyLists?: boolean;
  /** Writes single letters as one byte (type C), as the SDK does in `Shading: Y`. */
  readonly lettersAsBytes?: boolean;
}

const ARRAY_TYPES: readonly [new (length: number) => object, string][] = [
  [Int32Array, 'i'],
  [BigInt64Array, 'l'],
  [Float32Array, 'f'],
  [Float64Array, 'd'],
];

function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => {
    bytes.writeUInt32LE(value, 4 * i);
  });
  return bytes;
}

function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(9);
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
    bytes.write('D');
    bytes.writeDoubleLE(value, 1);
    return bytes;
  }
  if (value !== (value | 0)) return integerBytes(BigInt(value));
  bytes.write('I');
  bytes.writeInt32LE(value, 1);
  return bytes.subarray(0, 5);
}

function integerBytes(value: bigint): Buffer {
  const bytes = Buffer.alloc(9);
  bytes.write('L');
  bytes.writeBigInt64LE(value, 1);
  return bytes;
}

function propertyBytes(value: FbxProperty, { compresses = true, lettersAsBytes = false }: BinaryLayout): Buffer {
  if (typeof value === 'number') return numberBytes(value);
  if (typeof value === 'bigint') return integerBytes(value);
  if (typeof value === 'boolean') return Buffer.of('C'.charCodeAt(0), value ? 1 : 0);
  if (typeof value === 'string') {
    const text = Buffer.from(value, 'utf8');
    if (lettersAsBytes && /^[A-Za-z]$/.test(value)) return Buffer.concat([Buffer.from('C'), text]);
    return Buffer.concat([Buffer.from('S'), uint32(text.length), text]);
  }
  const plain = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const type = ARRAY_TYPES.find(([kind]) => value instanceof kind)?.[1];
  if (type === undefined) return Buffer.concat([Buffer.from('R'), uint32(plain.length), plain]);
  const isCompressed = compresses && value.length > 16;
  const stored = isCompressed ? deflateSync(plain) : plain;
  return Buffer.concat([Buffer.from(type), uint32(value.length, isCompressed ? 1 : 0, stored.length), stored]);
}

/** The bytes of an FBX file in the binary form; from 7.5 on with offsets of 64 bits. Numbers are int32, int64 or float64. */
export function fbxBinary({ version, records }: WrittenFbx, layout: BinaryLayout = {}): Uint8Array<ArrayBuffer> {
  const isWide = version >= 7500;
  const head = (end: number, count: number, listBytes: number, nameBytes: number): Buffer =>
    Buffer.concat([
      isWide ? uint32(end, 0, count, 0, listBytes, 0) : uint32(end, count, listBytes),
      Buffer.of(nameBytes),
    ]);
  const zeros = head(0, 0, 0, 0);
  const recordBytes = (record: FbxRecord, start: number): Buffer => {
    const name = Buffer.from(record.name, 'utf8');
    const list = Buffer.concat(record.properties.map((value) => propertyBytes(value, layout)));
    const inside: Buffer[] = [];
    let end = start + zeros.length + name.length + list.length;
    for (const child of record.records) {
      const bytes = recordBytes(child, end);
      inside.push(bytes);
      end += bytes.length;
    }
    if (inside.length > 0 || layout.endsEmptyLists) {
      inside.push(zeros);
      end += zeros.length;
    }
    return Buffer.concat([head(end, record.properties.length, list.length, name.length), name, list, ...inside]);
  };
  const parts = [Buffer.from('Kaydara FBX Binary  \0\x1a\0', 'latin1'), uint32(version)];
  let end = 27;
  for (const record of records) {
    const bytes = recordBytes(record, end);
    parts.push(bytes);
    end += bytes.length;
  }
  return new Uint8Array(Buffer.concat([...parts, zeros]));
}
