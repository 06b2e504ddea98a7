/** Parses `.npy`: a header that is the text of a Python dict, followed by the elements. */
import { FormatError } from '../../../core/report/format-error.ts';
import { checkSize, countOf, type ElementType, parseElementType } from './numpy-array.ts';

const MAGIC = '\x93NUMPY';
/** NumPy itself refuses longer headers. */
const LONGEST_HEADER = 10_000;
/** Bytes that are enough for any header. */
export const HEAD_BYTES: number = LONGEST_HEADER + 16;

interface NpyHeader {
  readonly type: ElementType;
  readonly shape: readonly number[];
  readonly isFortran: boolean;
  readonly start: number;
}

function invalid(name: string, message: string): FormatError {
  return new FormatError('NPZ_INVALID', `${name}: ${message}`);
}

export function isNpy(bytes: Uint8Array): boolean {
  return bytes.length >= 10 && String.fromCharCode(...bytes.subarray(0, 6)) === MAGIC;
}

/** Parses `(150, 30, 3)`; Python 2 writes `150L`. */
function parseShape(text: string): number[] | null {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.at(-1) === '') parts.pop();
  if (!parts.every((part) => /^\d{1,15}L?$/.test(part))) return null;
  const shape = parts.map((part) => Number.parseInt(part, 10));
  return Number.isSafeInteger(countOf(shape)) ? shape : null;
}

/**
 * Parses the header of a `.npy` file. `head` has at least the first {@link HEAD_BYTES} bytes, or the whole file. Throws FormatError `NPZ_INVALID`
 * when the header is damaged, or describes records instead of an array.
 */
export function parseNpyHeader(head: Uint8Array, name: string): NpyHeader {
  if (!isNpy(head)) throw invalid(name, 'it does not start with the magic string of .npy; save it with numpy.save');
  const [major] = head.subarray(6, 7);
  if (major < 1 || major > 3) throw invalid(name, `it has version ${major} of .npy; anyrig reads versions 1 to 3`);
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const from = major === 1 ? 10 : 12;
  const length = major === 1 ? view.getUint16(8, true) : head.length < 12 ? Infinity : view.getUint32(8, true);
  const start = from + length;
  if (length > LONGEST_HEADER)
    throw invalid(name, `its header has ${length} bytes, expected at most ${LONGEST_HEADER}`);
  if (start > head.length) throw invalid(name, 'it ends within its header; get the file again');
  const text = new TextDecoder(major === 3 ? 'utf-8' : 'latin1').decode(head.subarray(from, start));
  if (/['"]descr['"]\s*:\s*\[/.test(text))
    throw invalid(name, 'its elements are records with named fields; save one plain array per field');
  const code = /['"]descr['"]\s*:\s*['"]([^'"]*)['"]/.exec(text)?.[1];
  const order = /['"]fortran_order['"]\s*:\s*(True|False)/.exec(text)?.[1];
  const shape = parseShape(/['"]shape['"]\s*:\s*\(([^()]*)\)/.exec(text)?.[1] ?? '?');
  if (code === undefined || order === undefined || shape === null)
    throw invalid(
      name,
      `its header is ${JSON.stringify(text.slice(0, 100).trim())}, without descr, fortran_order and shape`,
    );
  return { type: parseElementType(code), shape, isFortran: order === 'True', start };
}

/** Returns the bytes of the elements. Throws FormatError `NPZ_INVALID` when there are fewer than the header says, or more than anyrig reads. */
export function npyElements({ type, shape, start }: NpyHeader, bytes: Uint8Array, name: string): Uint8Array {
  const size = checkSize(type, shape, name);
  if (start + size <= bytes.length) return bytes.subarray(start, start + size);
  throw invalid(name, `it has ${bytes.length - start} bytes of elements, expected ${size}; get the file again`);
}
