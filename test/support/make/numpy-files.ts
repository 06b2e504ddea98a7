/** Files of NumPy for tests: arrays, archives and pickles, as numpy and pickle write them. */
import { crc32, deflateRawSync } from 'node:zlib';

/** An array to write. */
export interface MakeArray {
  readonly shape: readonly number[];
  readonly values: ArrayLike<number> | readonly string[];
  readonly descr?: string;
  readonly fortran?: boolean;
  readonly version?: 1 | 2 | 3;
}

/** Writes values of a type, in the order that they have. */
export function elementBytes(descr: string, values: MakeArray['values']): Uint8Array {
  const little = descr[0] !== '>';
  const kind = descr.replace(/^[<>|=]/, '');
  const size = kind[0] === 'U' ? 4 * Number(kind.slice(1)) : Number(kind.slice(1));
  const out = new Uint8Array(size * values.length);
  const view = new DataView(out.buffer);
  for (let i = 0; i < values.length; i++) {
    const at = i * size;
    const value = values[i];
    if (typeof value === 'string') {
      const width = kind[0] === 'U' ? 4 : 1;
      for (const [k, letter] of [...value].entries()) {
        if (width === 4) view.setUint32(at + 4 * k, letter.codePointAt(0) as number, little);
        else view.setUint8(at + k, letter.charCodeAt(0));
      }
    } else if (kind === 'f8') view.setFloat64(at, value, little);
    else if (kind === 'f4') view.setFloat32(at, value, little);
    else if (kind === 'f2') view.setUint16(at, value, little);
    else if (kind === 'i8') view.setBigInt64(at, BigInt(value), little);
    else if (kind === 'i4') view.setInt32(at, value, little);
    else if (kind === 'i2' || kind === 'u2') view.setUint16(at, value, little);
    else view.setUint8(at, value);
  }
  return out;
}

/** Writes the header of a `.npy`. */
export function npyHeader(
  descr: string,
  shape: readonly number[],
  fortran = false,
  version: 1 | 2 | 3 = 1,
): Uint8Array {
  const dims = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
  const text = `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': ${dims}, }`;
  const from = version === 1 ? 10 : 12;
  const length = 64 * Math.ceil((from + text.length + 1) / 64) - from;
  const out = new Uint8Array(from + length);
  out.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0]);
  const view = new DataView(out.buffer);
  if (version === 1) view.setUint16(8, length, true);
  else view.setUint32(8, length, true);
  out.set(new TextEncoder().encode(`${text.padEnd(length - 1)}\n`), from);
  return out;
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** Writes a `.npy`. Values are in the order of the file. */
export function makeNpy({ shape, values, descr = '<f4', fortran = false, version = 1 }: MakeArray): Uint8Array {
  return join(npyHeader(descr, shape, fortran, version), elementBytes(descr, values));
}

/** How an archive is written. */
export interface MakeZip {
  readonly deflate?: boolean;
  /** Local sizes 0xFFFFFFFF with a ZIP64 field, as numpy writes them in small files too. */
  readonly zip64?: boolean;
}

/** Writes a ZIP archive. */
export function makeZip(
  files: Readonly<Record<string, Uint8Array>>,
  { deflate = false, zip64 = false }: MakeZip = {},
): Uint8Array {
  const locals: Uint8Array[] = [];
  const records: Uint8Array[] = [];
  let start = 0;
  for (const [name, bytes] of Object.entries(files)) {
    const data = deflate ? new Uint8Array(deflateRawSync(bytes)) : bytes;
    const encoded = new TextEncoder().encode(name);
    const extra = new Uint8Array(zip64 ? 20 : 0);
    const local = new Uint8Array(30);
    const view = new DataView(local.buffer);
    view.setUint32(0, 0x04034b50, true);
    view.setUint16(8, deflate ? 8 : 0, true);
    view.setUint32(14, crc32(bytes), true);
    view.setUint32(18, zip64 ? 0xffffffff : data.length, true);
    view.setUint32(22, zip64 ? 0xffffffff : bytes.length, true);
    view.setUint16(26, encoded.length, true);
    view.setUint16(28, extra.length, true);
    if (zip64) {
      const field = new DataView(extra.buffer);
      field.setUint16(0, 1, true);
      field.setUint16(2, 16, true);
      field.setBigUint64(4, BigInt(bytes.length), true);
      field.setBigUint64(12, BigInt(data.length), true);
    }
    const record = new Uint8Array(46);
    const central = new DataView(record.buffer);
    central.setUint32(0, 0x02014b50, true);
    central.setUint16(10, deflate ? 8 : 0, true);
    central.setUint32(16, crc32(bytes), true);
    central.setUint32(20, data.length, true);
    central.setUint32(24, bytes.length, true);
    central.setUint16(28, encoded.length, true);
    central.setUint32(42, start, true);
    locals.push(local, encoded, extra, data);
    records.push(record, encoded);
    start += 30 + encoded.length + extra.length + data.length;
  }
  const directory = join(...records);
  const end = new Uint8Array(22);
  const view = new DataView(end.buffer);
  view.setUint32(0, 0x06054b50, true);
  view.setUint16(8, records.length / 2, true);
  view.setUint16(10, records.length / 2, true);
  view.setUint32(12, directory.length, true);
  view.setUint32(16, start, true);
  return join(...locals, directory, end);
}

/** Writes an NPZ of arrays. */
export function makeNpz(arrays: Readonly<Record<string, MakeArray>>, how: MakeZip = {}): Uint8Array {
  return makeZip(Object.fromEntries(Object.entries(arrays).map(([key, array]) => [`${key}.npy`, makeNpy(array)])), how);
}

const text = (value: string): number[] => {
  const bytes = [...new TextEncoder().encode(value)];
  return [0x58, bytes.length & 0xff, bytes.length >> 8, 0, 0, ...bytes];
};

const uint32 = (value: number): number[] => [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24];

/** A Python object to pickle: numbers, text, null, booleans, dicts and lists of them, and arrays. */
export type MakeObject =
  | number
  | string
  | boolean
  | null
  | readonly MakeObject[]
  | { readonly array: MakeArray }
  | { readonly opcodes: readonly number[] }
  | { readonly dict: Readonly<Record<string, MakeObject>> };

const global = (module: string, name: string): number[] => [...new TextEncoder().encode(`c${module}\n${name}\n`)];

function arrayOpcodes({ shape, values, descr = '<f4', fortran = false }: MakeArray): number[] {
  const tuple = (items: readonly number[][]): number[] => [0x28, ...items.flat(), 0x74];
  const int = (value: number): number[] => [0x4a, ...uint32(value)];
  const data = elementBytes(descr, values);
  return [
    ...global('numpy.core.multiarray', '_reconstruct'),
    ...tuple([global('numpy', 'ndarray'), tuple([int(0)]), [0x43, 1, 0x62]]),
    0x52,
    ...tuple([
      int(1),
      tuple(shape.map(int)),
      [
        ...global('numpy', 'dtype'),
        ...tuple([text(descr.replace(/^[<>|=]/, '')), int(0), int(1)]),
        0x52,
        ...tuple([int(3), text(descr[0]), [0x4e], [0x4e], [0x4e], int(-1), int(-1), int(0)]),
        0x62,
      ],
      [fortran ? 0x88 : 0x89],
      [0x42, ...uint32(data.length), ...data],
    ]),
    0x62,
  ];
}

function opcodesOf(value: MakeObject): number[] {
  if (value === null) return [0x4e];
  if (typeof value === 'boolean') return [value ? 0x88 : 0x89];
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number')
    return Number.isInteger(value) ? [0x4a, ...uint32(value)] : [0x47, ...elementBytes('>f8', [value])];
  if (Array.isArray(value)) return [0x5d, 0x28, ...(value as readonly MakeObject[]).flatMap(opcodesOf), 0x65];
  const object = value as Exclude<MakeObject, number | string | boolean | null | readonly MakeObject[]>;
  if ('array' in object) return arrayOpcodes(object.array);
  if ('opcodes' in object) return [...object.opcodes];
  const items = Object.entries(object.dict).flatMap(([key, item]) => [...text(key), ...opcodesOf(item)]);
  return [0x7d, 0x28, ...items, 0x75];
}

/** Writes a pickle. */
export function makePickle(value: MakeObject): Uint8Array {
  return Uint8Array.from([0x80, 2, ...opcodesOf(value), 0x2e]);
}

/** Writes a `.npy` whose only element is a Python object. */
export function makeObjectNpy(value: MakeObject): Uint8Array {
  const pickle = makePickle({
    opcodes: [
      ...global('numpy.core.multiarray', '_reconstruct'),
      ...[0x28, ...global('numpy', 'ndarray'), 0x28, 0x4b, 0, 0x74, 0x43, 1, 0x62, 0x74, 0x52],
      ...[0x28, 0x4b, 1, 0x29, ...global('numpy', 'dtype'), 0x28, ...text('O8'), 0x4b, 0, 0x4b, 1, 0x74, 0x52, 0x89],
      ...[0x5d, ...opcodesOf(value), 0x61, 0x74, 0x62],
    ],
  });
  return join(npyHeader('|O', []), pickle);
}
