/** Arrays of NumPy: their type and shape, and their values on demand. */
import { FormatError } from '../../../core/report/format-error.ts';

/** Most bytes of an array that is read: 15 minutes of SMPL-H at 120 frames per second in float64. */
const MOST_BYTES = 2 ** 27;

export interface ElementType {
  /** Kind as NumPy writes it: float, integer, unsigned, boolean, Unicode text, bytes, objects; `?` for others. */
  readonly kind: 'f' | 'i' | 'u' | 'b' | 'U' | 'S' | 'O' | '?';
  /** Bytes per element; 0 for objects. */
  readonly size: number;
  readonly isBigEndian: boolean;
  readonly code: string;
}

/** An array of numbers or text. Its bytes are expanded when they are asked for. */
export interface NumpyArray {
  readonly kind: 'array';
  readonly type: ElementType;
  readonly shape: readonly number[];
  /** Whether the first index varies fastest. */
  readonly isFortran: boolean;
  readonly bytes: () => Uint8Array;
}

/** Parses a `dtype`: `<f4`, `|b1`, `<U9`. */
export function parseElementType(code: string): ElementType {
  const [, order, letter, digits] = /^([<>|=]?)([a-zA-Z?])(\d*)$/.exec(code) ?? [];
  const count = Number(digits || 1);
  const other: ElementType = { kind: '?', size: 0, isBigEndian: order === '>', code };
  if (letter === undefined || count > MOST_BYTES) return other;
  switch (letter) {
    case 'f':
      return count === 2 || count === 4 || count === 8 ? { ...other, kind: 'f', size: count } : other;
    case 'i':
    case 'u':
      return [1, 2, 4, 8].includes(count) ? { ...other, kind: letter, size: count } : other;
    case 'b':
    case '?':
      return { ...other, kind: 'b', size: 1 };
    case 'U':
      return { ...other, kind: 'U', size: 4 * count };
    case 'S':
    case 'a':
      return { ...other, kind: 'S', size: count };
    case 'O':
      return { ...other, kind: 'O' };
    default:
      return other;
  }
}

export function countOf(shape: readonly number[]): number {
  return shape.reduce((count, length) => count * length, 1);
}

/**
 * Checks that an array is small enough to be read. Returns its number of bytes. Throws FormatError `NPZ_INVALID` for more than {@link MOST_BYTES}.
 */
export function checkSize({ size, code }: ElementType, shape: readonly number[], name: string): number {
  const bytes = size * countOf(shape);
  if (bytes <= MOST_BYTES) return bytes;
  const message = `${name} has the shape (${shape.join(', ')}) and the type ${code}: ${bytes} bytes, anyrig reads at most ${MOST_BYTES}; save the motion in parts`;
  throw new FormatError('NPZ_INVALID', message);
}

/** Decodes a float of 16 bits. */
function fromHalf(half: number): number {
  const sign = half >= 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function elementReader(view: DataView, { kind, size, isBigEndian }: ElementType): (at: number) => number {
  const little = !isBigEndian;
  switch (`${kind}${size}`) {
    case 'f2':
      return (at) => fromHalf(view.getUint16(at, little));
    case 'f4':
      return (at) => view.getFloat32(at, little);
    case 'f8':
      return (at) => view.getFloat64(at, little);
    case 'i1':
      return (at) => view.getInt8(at);
    case 'i2':
      return (at) => view.getInt16(at, little);
    case 'i4':
      return (at) => view.getInt32(at, little);
    case 'i8':
      return (at) => Number(view.getBigInt64(at, little));
    case 'u2':
      return (at) => view.getUint16(at, little);
    case 'u4':
      return (at) => view.getUint32(at, little);
    case 'u8':
      return (at) => Number(view.getBigUint64(at, little));
    default:
      return (at) => view.getUint8(at);
  }
}

export function isNumeric({ type }: NumpyArray): boolean {
  return type.kind === 'f' || type.kind === 'i' || type.kind === 'u' || type.kind === 'b';
}

/** Reads the values of an array of numbers in C order, the last index fastest. Booleans are 0 and 1. {@link isNumeric} must hold. */
export function readNumbers({ type, shape, isFortran, bytes }: NumpyArray): Float64Array {
  const data = bytes();
  const read = elementReader(new DataView(data.buffer, data.byteOffset, data.byteLength), type);
  const out = new Float64Array(countOf(shape));
  if (!isFortran || shape.length < 2) {
    for (let i = 0; i < out.length; i++) out[i] = read(i * type.size);
    return out;
  }
  // Steps through the file in its order, and counts the indices with the first one fastest.
  const strides = new Array<number>(shape.length).fill(1);
  for (let axis = shape.length - 2; axis >= 0; axis--) strides[axis] = strides[axis + 1] * shape[axis + 1];
  const index = new Array<number>(shape.length).fill(0);
  let at = 0;
  for (let i = 0; i < out.length; i++) {
    out[at] = read(i * type.size);
    for (let axis = 0; axis < shape.length; axis++) {
      at += strides[axis];
      if (++index[axis] < shape[axis]) break;
      at -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return out;
}

/** Reads the values of an array of text; bytes are read as Latin-1. Padding zeros at the end are removed. */
export function readTexts({ type, shape, bytes }: NumpyArray): string[] {
  const data = bytes();
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const width = type.kind === 'U' ? 4 : 1;
  return Array.from({ length: countOf(shape) }, (_, i) => {
    let text = '';
    for (let at = i * type.size; at < (i + 1) * type.size; at += width) {
      const code = width === 4 ? view.getUint32(at, !type.isBigEndian) : view.getUint8(at);
      text += code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
    }
    return text.replace(/\0+$/, '');
  });
}
