/**
 * Value reps: 64 bits with the type of a value and its offset in the file, or the value itself if it is small. Bit 63: array; 62: inlined;
 * 61: compressed; 48 to 55: type number; the lowest 48: byte offset, or the inlined value in the lowest 32.
 */
import { halfToNumber } from '../layer/half.ts';
import { ARRAYS, formOf, type NumberForm, type Numbers, type NumericValue, TUPLE_WIDTH } from '../layer/value.ts';

const ARRAY = 0x80000000;
const INLINED = 0x40000000;
const COMPRESSED = 0x20000000;

/** A value rep as two unsigned halves of 32 bits. */
export interface ValueRep {
  readonly low: number;
  readonly high: number;
}

export function typeOfRep({ high }: ValueRep): number {
  return (high >>> 16) & 0xff;
}

export function isArrayRep({ high }: ValueRep): boolean {
  return (high & ARRAY) !== 0;
}

export function isInlinedRep({ high }: ValueRep): boolean {
  return (high & INLINED) !== 0;
}

export function isCompressedRep({ high }: ValueRep): boolean {
  return (high & COMPRESSED) !== 0;
}

/** Returns the lowest 48 bits. */
export function offsetOfRep({ low, high }: ValueRep): number {
  return (high & 0xffff) * 2 ** 32 + low;
}

/** Creates the value rep of a scalar or structured value in the file. */
export function repAt(type: number, offset: number): ValueRep {
  return { low: offset >>> 0, high: ((type << 16) | Math.floor(offset / 2 ** 32)) >>> 0 };
}

export function arrayRepAt(type: number, offset: number, compressed: boolean): ValueRep {
  const { low, high } = repAt(type, offset);
  return { low, high: (high | ARRAY | (compressed ? COMPRESSED : 0)) >>> 0 };
}

export function inlinedRep(type: number, bits: number): ValueRep {
  return { low: bits >>> 0, high: ((type << 16) | INLINED) >>> 0 };
}

const SCRATCH = new DataView(new ArrayBuffer(4));

function isMatrix(type: NumericValue['type']): boolean {
  return type.startsWith('matrix');
}

/** Tests whether a type has at most four bytes; such values are always inlined unchanged. */
function isSmall(type: NumericValue['type'], form: NumberForm): boolean {
  return type === 'half2' || (TUPLE_WIDTH[type] === 1 && form !== 'double' && form !== 'int64' && form !== 'uint64');
}

export function isAlwaysInlined(type: NumericValue['type']): boolean {
  return isSmall(type, formOf(type));
}

export function readInlined(type: NumericValue['type'], bits: number): Numbers {
  const form = formOf(type);
  const width = TUPLE_WIDTH[type];
  SCRATCH.setUint32(0, bits, true);
  if (isSmall(type, form)) {
    if (form === 'half') {
      return Float32Array.from({ length: width }, (_, k) => halfToNumber(SCRATCH.getUint16(2 * k, true)));
    }
    if (form === 'float') return Float32Array.of(SCRATCH.getFloat32(0, true));
    if (form === 'uint8') return Uint8Array.of(type === 'bool' ? Number((bits & 0xff) !== 0) : bits & 0xff);
    return form === 'uint32' ? Uint32Array.of(bits) : Int32Array.of(bits);
  }
  if (form === 'int64') return BigInt64Array.of(BigInt(SCRATCH.getInt32(0, true)));
  if (form === 'uint64') return BigUint64Array.of(BigInt(bits));
  if (width === 1) return Float64Array.of(SCRATCH.getFloat32(0, true));
  const out = new ARRAYS[form](width) as Float32Array | Float64Array | Int32Array;
  const diagonal = isMatrix(type) ? Math.sqrt(width) + 1 : 1;
  for (let k = 0; k * diagonal < width; k++) out[k * diagonal] = SCRATCH.getInt8(k);
  return out;
}

/** Packs numbers that are all integers of one byte; null if one is not. Minus zero is not an integer here. */
function bitsOfBytes(numbers: ArrayLike<number>, diagonal: number): number | null {
  for (let k = 0; k < numbers.length; k++) {
    const value = numbers[k];
    const isByte = Number.isInteger(value) && value >= -128 && value <= 127 && !Object.is(value, -0);
    if (!isByte || (k % diagonal !== 0 && value !== 0)) return null;
    if (k % diagonal === 0) SCRATCH.setInt8(k / diagonal, value);
  }
  return SCRATCH.getUint32(0, true);
}

/**
 * Encodes a value in 32 bits if that is lossless. `halves`: the numbers as 16-bit halves; null for types that are not halves. Returns the 32 bits;
 * null if the value does not fit.
 */
export function inlineNumbers(type: NumericValue['type'], numbers: Numbers, halves: Uint16Array | null): number | null {
  const form = formOf(type);
  SCRATCH.setUint32(0, 0);
  if (isSmall(type, form)) {
    if (halves !== null) for (let k = 0; k < halves.length; k++) SCRATCH.setUint16(2 * k, halves[k], true);
    else if (form === 'float')
      new Uint8Array(SCRATCH.buffer).set(new Uint8Array(numbers.buffer, numbers.byteOffset, 4));
    else return Number(numbers[0]) >>> 0;
    return SCRATCH.getUint32(0, true);
  }
  const first = numbers[0];
  if (typeof first === 'bigint') {
    if (form === 'uint64') return first < 2n ** 32n ? Number(first) : null;
    return first === BigInt.asIntN(32, first) ? Number(first) >>> 0 : null;
  }
  if (type === 'double') {
    // Like OpenUSD, infinities and NaN are not inlined.
    if (!Number.isFinite(first) || Math.fround(first) !== first) return null;
    SCRATCH.setFloat32(0, first, true);
    return SCRATCH.getUint32(0, true);
  }
  if (type === 'timecode' || type.startsWith('quat')) return null;
  return bitsOfBytes(numbers as Float64Array, isMatrix(type) ? Math.sqrt(numbers.length) + 1 : 1);
}
