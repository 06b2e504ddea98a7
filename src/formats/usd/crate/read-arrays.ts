/** Arrays and single values of plain types in binary USD files. */
import { halfToNumber } from '../layer/half.ts';
import {
  type Numbers,
  type NumericValue,
  type StoredType,
  type TextValue,
  TUPLE_WIDTH,
  type Value,
} from '../layer/value.ts';
import { checkCount, crateError, readUint8, readUint32, readUint64, seek, takeBytes } from './byte-reader.ts';
import { type CrateReader, readIndexedString, readIndexedToken, stringAt, tokenAt } from './crate-reader.ts';
import { readCompressedInt64s, readCompressedInts } from './integer-coding.ts';
import { reserveMemory } from './crate-limits.ts';
import {
  arrayRepAt,
  isAlwaysInlined,
  isCompressedRep,
  isInlinedRep,
  numbersFor,
  offsetOfRep,
  readInlined,
  type ValueRep,
} from './value-rep.ts';
import { FORM_BYTES, formOf, type NumberForm, PLAIN_NUMBERS, VERSION } from './data-types.ts';

/** Arrays with fewer items are not compressed. */
export const MIN_COMPRESSED_COUNT = 16;
/** Marks of how the floats of a compressed array are stored: as whole numbers, or as places in a table. */
export const AS_INTS = 0x69;
export const AS_TABLE = 0x74;

/** What a value takes beside its numbers. */
const VALUE_BYTES = 64;

export function isTextType(type: StoredType): type is TextValue['type'] {
  return type === 'string' || type === 'token' || type === 'asset' || type === 'pathExpression';
}

let halves: Float32Array | null = null;

/** The number of every half, made on first use. */
function halfTable(): Float32Array {
  if (halves === null) {
    halves = new Float32Array(65536);
    for (let bits = 0; bits < 65536; bits++) halves[bits] = halfToNumber(bits);
  }
  return halves;
}

/** The numbers of halves; a function of its own, so that engines compile it while it runs. */
function halvesToNumbers(raw: Uint8Array, out: Float32Array): void {
  const table = halfTable();
  for (let i = 0; i < out.length; i++) out[i] = table[raw[2 * i] | (raw[2 * i + 1] << 8)];
}

/** The numbers that come next, as they are stored: looked at in place where they are aligned. */
export function readNumbers(crate: CrateReader, form: NumberForm, count: number): Numbers {
  const width = FORM_BYTES[form];
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
  switch (form) {
    case 'int32':
      return new Int32Array(buffer, byteOffset, count);
    case 'uint32':
      return new Uint32Array(buffer, byteOffset, count);
    case 'int64':
      return new BigInt64Array(buffer, byteOffset, count);
    case 'uint64':
      return new BigUint64Array(buffer, byteOffset, count);
    case 'float':
      return new Float32Array(buffer, byteOffset, count);
    default:
      return new Float64Array(buffer, byteOffset, count);
  }
}

/** Floats of a compressed array. */
function readCompressedFloats(crate: CrateReader, form: NumberForm, count: number): Numbers {
  const { source, budget } = crate;
  const mark = readUint8(source);
  if (mark !== AS_INTS && mark !== AS_TABLE) {
    throw crateError(`Floats are compressed in an unknown way, ${mark}`, source.at - 1);
  }
  if (mark === AS_INTS) {
    const ints = readCompressedInts(source, count, budget);
    reserveMemory(budget, count * 8);
    return form === 'double' ? Float64Array.from(ints) : Float32Array.from(ints);
  }
  const size = readUint32(source);
  checkCount(source, size, FORM_BYTES[form], 'floats of a table', source.at - 4);
  const table = readNumbers(crate, form, size) as Float32Array | Float64Array;
  const places = readCompressedInts(source, count, budget);
  reserveMemory(budget, count * 8);
  const out = numbersFor(form, count) as Float32Array | Float64Array;
  for (let i = 0; i < count; i++) {
    const place = places[i];
    if (place < 0 || place >= size) throw crateError(`Float ${place} of a table is referred to, of ${size}`, source.at);
    out[i] = table[place];
  }
  return out;
}

/** Whether arrays of a type are compressed in a version, where they are long enough. */
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
  checkCount(source, count, width * FORM_BYTES[form], `items of type ${type}`, source.at);
  return readNumbers(crate, form, count * width);
}

/** An array at the place that its representation says. */
function readStoredArray(crate: CrateReader, type: StoredType, rep: ValueRep): Value {
  const { source, minor } = crate;
  const offset = offsetOfRep(rep);
  if (offset === 0) {
    if (isTextType(type)) return { type, isArray: true, texts: [] };
    return { type, isArray: true, numbers: numbersFor(formOf(type), 0) };
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

/** An array of a plain type; one that was read before is the same again. */
export function readArray(crate: CrateReader, type: StoredType, rep: ValueRep): Value {
  // What else stands in the bits makes no difference.
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

/** A single value of a plain type. */
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
