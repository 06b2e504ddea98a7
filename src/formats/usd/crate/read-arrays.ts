/** Reads arrays and scalars of plain types from binary USD files. */
import { halfToNumber } from '../layer/half.ts';
import {
  ARRAYS,
  formOf,
  isTextType,
  type NumberForm,
  type Numbers,
  type NumericValue,
  type StoredType,
  TUPLE_WIDTH,
  type Value,
} from '../layer/value.ts';
import { checkCount, crateError, readUint8, readUint32, readUint64, seek, takeBytes } from './byte-reader.ts';
import { reserveMemory } from './crate-limits.ts';
import { type CrateReader, readIndexedString, readIndexedToken, stringAt, tokenAt } from './crate-reader.ts';
import { bytesOfForm, PLAIN_NUMBERS, VERSION } from './data-types.ts';
import { readCompressedInt64s, readCompressedInts } from './integer-coding.ts';
import {
  arrayRepAt,
  isAlwaysInlined,
  isCompressedRep,
  isInlinedRep,
  offsetOfRep,
  readInlined,
  type ValueRep,
} from './value-rep.ts';

/** Arrays with fewer items are not compressed. */
export const MIN_COMPRESSED_COUNT = 16;
/** Marks a compressed float array that stores integers. */
export const AS_INTS = 0x69;
/** Marks a compressed float array that stores a table of values and indices into it. */
export const AS_TABLE = 0x74;

/** Memory of a value besides its numbers. */
const VALUE_BYTES = 64;

let halves: Float32Array | null = null;

/** Returns the number of every half; created on first use. */
function halfTable(): Float32Array {
  if (halves === null) {
    halves = new Float32Array(65536);
    for (let bits = 0; bits < 65536; bits++) halves[bits] = halfToNumber(bits);
  }
  return halves;
}

/** Converts halves to floats. A separate function, so that engines can compile it while it runs. */
function halvesToNumbers(raw: Uint8Array, out: Float32Array): void {
  const table = halfTable();
  for (let i = 0; i < out.length; i++) out[i] = table[raw[2 * i] | (raw[2 * i + 1] << 8)];
}

/** Reads uncompressed numbers. Aligned numbers are views of the file, halves are converted to floats. */
export function readNumbers(crate: CrateReader, form: NumberForm, count: number): Numbers {
  const width = bytesOfForm(form);
  const raw = takeBytes(crate.source, count * width);
  if (form === 'half') {
    reserveMemory(crate.budget, count * 4);
    const out = new Float32Array(count);
    halvesToNumbers(raw, out);
    return out;
  }
  if (form === 'uint8') return raw;
  let { buffer, byteOffset } = raw;
  if (byteOffset % width !== 0) {
    reserveMemory(crate.budget, count * width);
    ({ buffer, byteOffset } = raw.slice());
  }
  return new ARRAYS[form](buffer as ArrayBuffer, byteOffset, count);
}

function readCompressedFloats(crate: CrateReader, form: NumberForm, count: number): Numbers {
  const { source, budget } = crate;
  const mark = readUint8(source);
  if (mark !== AS_INTS && mark !== AS_TABLE) {
    throw crateError(
      `Found the unknown float compression ${mark}, expected ${AS_INTS} (integers) or ${AS_TABLE} (table)`,
      source.at - 1,
    );
  }
  if (mark === AS_INTS) {
    const ints = readCompressedInts(source, count, budget);
    reserveMemory(budget, count * 8);
    return form === 'double' ? Float64Array.from(ints) : Float32Array.from(ints);
  }
  const size = readUint32(source);
  checkCount(source, size, bytesOfForm(form), 'table entries', source.at - 4);
  const table = readNumbers(crate, form, size) as Float32Array | Float64Array;
  const entries = readCompressedInts(source, count, budget);
  reserveMemory(budget, count * 8);
  const out = new ARRAYS[form](count) as Float32Array | Float64Array;
  for (let i = 0; i < count; i++) {
    const entry = entries[i];
    if (entry < 0 || entry >= size)
      throw crateError(`Found a reference to table entry ${entry}, but the table has ${size} entries`, source.at);
    out[i] = table[entry];
  }
  return out;
}

/** Tests whether a version compresses arrays of a type if they are long enough. */
export function isCompressible(type: NumericValue['type'], form: NumberForm, minor: number): boolean {
  if (TUPLE_WIDTH[type] !== 1 || form === 'uint8' || type === 'timecode') return false;
  const isFloat = form === 'half' || form === 'float' || form === 'double';
  return minor >= (isFloat ? VERSION.compressedFloats : VERSION.compressedInts);
}

function readNumberArray(crate: CrateReader, type: NumericValue['type'], count: number, compressed: boolean): Numbers {
  const { source, minor, budget } = crate;
  const form = formOf(type);
  if (compressed && count >= MIN_COMPRESSED_COUNT && isCompressible(type, form, minor)) {
    if (form === 'int32') return readCompressedInts(source, count, budget);
    if (form === 'uint32') return new Uint32Array(readCompressedInts(source, count, budget).buffer);
    if (form === 'int64') return readCompressedInt64s(source, count, budget);
    if (form === 'uint64') return new BigUint64Array(readCompressedInt64s(source, count, budget).buffer);
    return readCompressedFloats(crate, form, count);
  }
  const width = TUPLE_WIDTH[type];
  checkCount(source, count, width * bytesOfForm(form), `items of type ${type}`, source.at);
  return readNumbers(crate, form, count * width);
}

/** Reads an array at the offset of its value rep. */
function readStoredArray(crate: CrateReader, type: StoredType, rep: ValueRep): Value {
  const { source, minor } = crate;
  const offset = offsetOfRep(rep);
  if (offset === 0) {
    if (isTextType(type)) return { type, isArray: true, texts: [] };
    return { type, isArray: true, numbers: new ARRAYS[formOf(type)](0) };
  }
  seek(source, offset, `An array of type ${type}`);
  // The number of dimensions, always 1.
  if (minor < VERSION.compressedInts) readUint32(source);
  const count = minor < VERSION.longArrays ? readUint32(source) : readUint64(source);
  if (!isTextType(type)) {
    return { type, isArray: true, numbers: readNumberArray(crate, type, count, isCompressedRep(rep)) };
  }
  checkCount(source, count, 4, `items of type ${type}`, source.at);
  reserveMemory(crate.budget, 8 * count);
  const read = type === 'token' ? readIndexedToken : readIndexedString;
  const texts = new Array<string>(count);
  for (let i = 0; i < count; i++) texts[i] = read(crate);
  return { type, isArray: true, texts };
}

/** Reads an array of a plain type; arrays that were read before are returned again. */
export function readArray(crate: CrateReader, type: StoredType, rep: ValueRep): Value {
  // Other bits of the value rep do not matter.
  const { low, high } = arrayRepAt(PLAIN_NUMBERS.get(type) as number, offsetOfRep(rep), isCompressedRep(rep));
  let known = crate.arrays.get(high);
  if (known === undefined) {
    known = new Map();
    crate.arrays.set(high, known);
  }
  const before = known.get(low);
  if (before !== undefined) return before;
  reserveMemory(crate.budget, VALUE_BYTES);
  const array = readStoredArray(crate, type, rep);
  known.set(low, array);
  return array;
}

/** Reads a single value of a plain type. */
export function readScalar(crate: CrateReader, type: StoredType, rep: ValueRep): Value {
  const { source } = crate;
  reserveMemory(crate.budget, VALUE_BYTES);
  if (type === 'token' || type === 'asset') return { type, isArray: false, texts: [tokenAt(crate, rep.low)] };
  if (type === 'string') return { type, isArray: false, texts: [stringAt(crate, rep.low)] };
  if (isTextType(type)) {
    seek(source, offsetOfRep(rep), 'A path expression');
    return { type, isArray: false, texts: [readIndexedString(crate)] };
  }
  if (isInlinedRep(rep) || isAlwaysInlined(type)) {
    return { type, isArray: false, numbers: readInlined(type, rep.low) };
  }
  seek(source, offsetOfRep(rep), `A value of type ${type}`);
  return { type, isArray: false, numbers: readNumbers(crate, formOf(type), TUPLE_WIDTH[type]) };
}
