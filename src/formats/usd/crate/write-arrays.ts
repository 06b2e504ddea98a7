/** Writes arrays and scalars of plain types to binary USD files. */
import { halfBits } from '../layer/half.ts';
import { ARRAYS, formOf, type NumberForm, type NumericValue, type TextValue, TUPLE_WIDTH } from '../layer/value.ts';
import { alignTo8, bytesOf, putBytes, putInt32, putInt64, putUint8 } from './byte-writer.ts';
import {
  addString,
  addToken,
  type CrateWriter,
  putString,
  requireVersion,
  storeOnce,
  writeOnce,
} from './crate-writer.ts';
import { bytesOfForm, PLAIN_NUMBERS, VERSION } from './data-types.ts';
import { compressInt64s, compressInts } from './integer-coding.ts';
import { AS_INTS, AS_TABLE, isCompressible, MIN_COMPRESSED_COUNT } from './read-arrays.ts';
import { arrayRepAt, inlinedRep, inlineNumbers, repAt, type ValueRep } from './value-rep.ts';

/** Numbers as stored in the file. */
type Stored = NumericValue['numbers'] | Uint16Array;

/** Validates the numbers of a value and returns them as stored; halves as 16 bits. */
function storedNumbers({ type, isArray, numbers }: NumericValue, form: NumberForm): Stored {
  const width = TUPLE_WIDTH[type];
  const isWhole = isArray ? numbers.length % width === 0 : numbers.length === width;
  if (!isWhole)
    throw new RangeError(
      `Found ${numbers.length} numbers for a value of type ${type}${isArray ? '[]' : ''}, expected ${isArray ? 'a multiple of ' : ''}${width}`,
    );
  if (!(numbers instanceof ARRAYS[form])) {
    throw new TypeError(
      `Found numbers of type ${type} in a ${numbers.constructor.name}, expected a ${ARRAYS[form].name}`,
    );
  }
  if (form !== 'half') return numbers;
  return Uint16Array.from(numbers as Float32Array, halfBits);
}

/** Converts numbers to 32-bit integers; null if one is not an integer. */
function asInts(numbers: ArrayLike<number>): Int32Array | null {
  for (let i = 0; i < numbers.length; i++) {
    const value = numbers[i];
    if ((value | 0) !== value || Object.is(value, -0)) return null;
  }
  return Int32Array.from(numbers);
}

/** Converts numbers to a table of the distinct ones and indices into it; null if too many are distinct. */
function asTable(
  stored: Uint16Array | Float32Array | Float64Array,
): { table: Uint8Array; indices: Uint32Array } | null {
  const width = stored.BYTES_PER_ELEMENT;
  const most = Math.min(Math.floor(stored.length / 4), 1024);
  // Compare bits, not numbers: there are two zeros and many NaN.
  const bits =
    width === 2
      ? (stored as Uint16Array)
      : width === 4
        ? new Uint32Array(stored.buffer, stored.byteOffset, stored.length)
        : new BigUint64Array(stored.buffer, stored.byteOffset, stored.length);
  const known = new Map<number | bigint, number>();
  const indices = new Uint32Array(stored.length);
  const firsts: number[] = [];
  for (let i = 0; i < stored.length; i++) {
    let index = known.get(bits[i]);
    if (index === undefined) {
      if (firsts.length === most) return null;
      index = firsts.length;
      known.set(bits[i], index);
      firsts.push(i);
    }
    indices[i] = index;
  }
  const all = bytesOf(stored);
  const table = new Uint8Array(firsts.length * width);
  firsts.forEach((i, index) => {
    table.set(all.subarray(i * width, (i + 1) * width), index * width);
  });
  return { table, indices };
}

function putCoded(writer: CrateWriter, coded: Uint8Array): void {
  putInt64(writer.out, coded.length);
  putBytes(writer.out, coded);
}

/** Writes the numbers of a long array in compressed form; returns false if compression does not pay off. */
function putCompressed(writer: CrateWriter, value: NumericValue, stored: Stored, count: number): boolean {
  const { out } = writer;
  if (stored instanceof BigInt64Array || stored instanceof BigUint64Array) {
    putInt64(out, count);
    putCoded(writer, compressInt64s(stored));
    return true;
  }
  if (stored instanceof Int32Array || stored instanceof Uint32Array) {
    putInt64(out, count);
    putCoded(writer, compressInts(stored));
    return true;
  }
  const ints = asInts(value.numbers as Float64Array);
  if (ints !== null) {
    putInt64(out, count);
    putUint8(out, AS_INTS);
    putCoded(writer, compressInts(ints));
    return true;
  }
  const lookup = asTable(stored as Float64Array);
  if (lookup === null) return false;
  putInt64(out, count);
  putUint8(out, AS_TABLE);
  putInt32(out, lookup.table.length / bytesOfForm(formOf(value.type)));
  putBytes(out, lookup.table);
  putCoded(writer, compressInts(lookup.indices));
  return true;
}

/** Writes an uncompressed array at a multiple of 8 bytes, so that readers can use it in index. */
function putPlainArray(writer: CrateWriter, type: number, count: number, bytes: Uint8Array): ValueRep {
  alignTo8(writer.out);
  const rep = arrayRepAt(type, writer.out.at, false);
  putInt64(writer.out, count);
  putBytes(writer.out, bytes);
  return rep;
}

function arrayKind(type: number): number {
  return arrayRepAt(type, 0, false).high >>> 16;
}

function packNumberArray(writer: CrateWriter, value: NumericValue): ValueRep {
  const form = formOf(value.type);
  const type = PLAIN_NUMBERS.get(value.type) as number;
  const stored = storedNumbers(value, form);
  if (stored.length === 0) return arrayRepAt(type, 0, false);
  const count = stored.length / TUPLE_WIDTH[value.type];
  return storeOnce(writer, arrayKind(type), stored, (bytes) => {
    const { at } = writer.out;
    const isLong = count >= MIN_COMPRESSED_COUNT && isCompressible(value.type, form, writer.minor);
    if (isLong && putCompressed(writer, value, stored, count)) return arrayRepAt(type, at, true);
    return putPlainArray(writer, type, count, bytes);
  });
}

export function packNumbers(writer: CrateWriter, value: NumericValue): ValueRep {
  if (value.type === 'timecode') requireVersion(writer, VERSION.timecodes);
  if (value.isArray) return packNumberArray(writer, value);
  const type = PLAIN_NUMBERS.get(value.type) as number;
  const stored = storedNumbers(value, formOf(value.type));
  const bits = inlineNumbers(value.type, value.numbers, stored instanceof Uint16Array ? stored : null);
  if (bits !== null) return inlinedRep(type, bits);
  return storeOnce(writer, type, stored, (bytes) => {
    const rep = repAt(type, writer.out.at);
    putBytes(writer.out, bytes);
    return rep;
  });
}

/** Writes a text or an array of texts. Asset arrays store strings, single assets are tokens. */
export function packTexts(writer: CrateWriter, { type: name, isArray, texts }: TextValue): ValueRep {
  const type = PLAIN_NUMBERS.get(name) as number;
  if (name === 'pathExpression') requireVersion(writer, VERSION.pathExpressions);
  if (isArray) {
    if (texts.length === 0) return arrayRepAt(type, 0, false);
    const add = name === 'token' ? addToken : addString;
    const indexes = Uint32Array.from(texts, (text) => add(writer, text));
    return storeOnce(writer, arrayKind(type), indexes, (bytes) => putPlainArray(writer, type, texts.length, bytes));
  }
  if (texts.length !== 1)
    throw new RangeError(`Found ${texts.length} texts for a single value of type ${name}, expected 1`);
  if (name === 'string') return inlinedRep(type, addString(writer, texts[0]));
  if (name !== 'pathExpression') return inlinedRep(type, addToken(writer, texts[0]));
  return writeOnce(
    writer,
    (offset) => repAt(type, offset),
    () => putString(writer, texts[0]),
  );
}
