/** The objects of a pickle that are data: arrays and types of NumPy, and containers of Python. All others keep their name only. Nothing is ever called. */
import { FormatError } from '../../../core/report/format-error.ts';
import {
  checkSize,
  type ElementType,
  type NumpyArray,
  parseElementType,
  readNumbers,
  readTexts,
} from './numpy-array.ts';

/** An array whose content follows. */
interface ArrayObject extends NumpyArray {
  type: ElementType;
  shape: readonly number[];
  isFortran: boolean;
  bytes: () => Uint8Array;
  items?: readonly unknown[];
}

/** An array of joblib, whose elements follow its description in the stream. */
interface JoblibArray {
  readonly kind: 'joblib';
}

type PickleObject =
  | {
      readonly kind: 'foreign';
      /** Module and name of its class or function: `torch.Tensor`. */
      readonly name: string;
    }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'dtype'; code: string }
  | ArrayObject
  | JoblibArray;

function isKind<Kind extends PickleObject['kind']>(
  value: unknown,
  kind: Kind,
): value is Extract<PickleObject, { kind: Kind }> {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === kind;
}

export function isArray(value: unknown): value is NumpyArray {
  return isKind(value, 'array');
}

export function isJoblibArray(value: unknown): value is JoblibArray {
  return isKind(value, 'joblib');
}

export function itemsOf(array: NumpyArray): readonly unknown[] | null {
  return (array as ArrayObject).items ?? null;
}

function broken(message: string): FormatError {
  return new FormatError('NPZ_INVALID', `The pickle is damaged: ${message}`);
}

const NO_BYTES = (): Uint8Array => new Uint8Array(0);

function shapeOf(value: unknown): number[] {
  const isLength = (one: unknown): boolean => typeof one === 'number' && Number.isSafeInteger(one) && one >= 0;
  if (!Array.isArray(value) || !value.every(isLength)) throw broken('an array has no valid shape');
  return value;
}

function arrayOf(code: string, shape: readonly number[], isFortran: boolean, data: Uint8Array): ArrayObject {
  const type = parseElementType(code);
  const size = checkSize(type, shape, 'An array of the pickle');
  if (data.length < size) throw broken(`an array has ${data.length} bytes, expected ${size}`);
  return { kind: 'array', type, shape, isFortran, bytes: () => data.subarray(0, size) };
}

function codeOf(dtype: unknown): string {
  return isKind(dtype, 'dtype') ? dtype.code : '?';
}

/** Counts the bytes of copies, and throws for too many: a pickle can ask for copies of one object again and again. */
type CountCopy = (bytes: number) => void;

function bytesOf(value: unknown, countCopy: CountCopy): Uint8Array | null {
  if (value instanceof Uint8Array) return value;
  if (typeof value !== 'string') return null;
  // Python 2 has bytes as text, a character each.
  countCopy(value.length);
  const bytes = new Uint8Array(value.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = value.charCodeAt(k);
  return bytes;
}

/** Makes the value of a NumPy scalar: a number or text. */
function scalarOf(dtype: unknown, data: unknown, countCopy: CountCopy): unknown {
  const bytes = bytesOf(data, countCopy);
  if (bytes === null) return null;
  const array = arrayOf(codeOf(dtype), [1], false, bytes);
  if (array.type.kind === 'U' || array.type.kind === 'S') return readTexts(array)[0];
  return array.type.size === 0 ? null : readNumbers(array)[0];
}

/** Bytes of an entry of a map, about. */
const ENTRY_BYTES = 64;

function mapOf(entries: unknown, countCopy: CountCopy): Map<unknown, unknown> {
  if (entries instanceof Map) return entries;
  const list: readonly unknown[] = Array.isArray(entries) ? entries : [];
  countCopy(ENTRY_BYTES * list.length);
  return new Map(list.filter((entry): entry is [unknown, unknown] => Array.isArray(entry) && entry.length === 2));
}

/** The names of the modules of NumPy: `numpy.core` is `numpy._core` since version 2. */
const NUMPY = /^numpy\.(?:_?core\.)?(?:multiarray\.|numeric\.)?/;

/**
 * Makes the object that a pickle describes as the result of a call. The calls by which NumPy and Python write data are known by name; the result of
 * any other is an object with that name. `countCopy`: counts the bytes that the object takes beside those of the pickle.
 */
export function objectOfCall(callee: unknown, args: unknown, countCopy: CountCopy): unknown {
  const name = isKind(callee, 'name') || isKind(callee, 'foreign') ? callee.name : 'an unknown object';
  const list: readonly unknown[] = Array.isArray(args) ? args : [];
  switch (name.replace(NUMPY, 'numpy.')) {
    case 'numpy._reconstruct':
      return { kind: 'array', type: parseElementType('?'), shape: [0], isFortran: false, bytes: NO_BYTES };
    case 'numpy.dtype':
      return { kind: 'dtype', code: typeof list[0] === 'string' ? list[0] : '?' };
    case 'numpy.scalar':
      return scalarOf(list[0], list[1], countCopy);
    case 'numpy._frombuffer': {
      const data = bytesOf(list[0], countCopy);
      if (data === null) break;
      return arrayOf(codeOf(list[1]), shapeOf(list[2]), list[3] === 'F', data);
    }
    case '_codecs.encode':
      return bytesOf(list[0], countCopy);
    case 'collections.OrderedDict':
    case 'builtins.dict':
    case '__builtin__.dict':
      return mapOf(list[0], countCopy);
    case 'collections.defaultdict':
      return new Map();
    case 'builtins.set':
    case '__builtin__.set':
    case 'builtins.frozenset':
    case '__builtin__.frozenset':
      return Array.isArray(list[0]) ? list[0] : [];
    case 'builtins.bytearray':
    case '__builtin__.bytearray':
      return bytesOf(list[0], countCopy) ?? new Uint8Array(0);
    case 'joblib.numpy_pickle.NumpyArrayWrapper':
    case 'sklearn.externals.joblib.numpy_pickle.NumpyArrayWrapper':
      return { kind: 'joblib' };
  }
  return { kind: 'foreign', name };
}

/** Gives an object its state. Objects that are not data ignore it. */
export function setState(object: unknown, state: unknown, countCopy: CountCopy): void {
  const list: readonly unknown[] = Array.isArray(state) ? state : [];
  if (isKind(object, 'dtype')) {
    // Version, byte order, and the fields of records.
    if (list[3] !== null && list[3] !== undefined) object.code = '?';
    else if (typeof list[1] === 'string' && /^[<>|=]$/.test(list[1])) object.code = list[1] + object.code;
    return;
  }
  if (!isKind(object, 'array')) return;
  const [, shape, dtype, isFortran, data] = list;
  const code = codeOf(dtype);
  if (Array.isArray(data)) {
    Object.assign(object, { type: parseElementType('O'), shape: shapeOf(shape), items: data });
    return;
  }
  const bytes = bytesOf(data, countCopy);
  if (bytes === null) throw broken('an array has no elements');
  Object.assign(object, arrayOf(code, shapeOf(shape), isFortran === true, bytes));
}

/** Bytes in the stream that belong to an array of joblib. */
interface JoblibElements {
  /** Whether a byte with the length of padding, and the padding, come before them. */
  readonly isPadded: boolean;
  readonly size: number;
  readonly fill: (data: Uint8Array) => void;
}

export function joblibElements(object: JoblibArray, state: unknown): JoblibElements {
  const fields: ReadonlyMap<unknown, unknown> = state instanceof Map ? state : new Map();
  const code = codeOf(fields.get('dtype'));
  const shape = shapeOf(fields.get('shape'));
  const type = parseElementType(code);
  if (type.size === 0)
    throw new FormatError(
      'NPZ_INVALID',
      `The file has an array of joblib with the type ${code}, which is not read; load it with joblib.load and save the arrays with numpy.savez`,
    );
  const padding = fields.get('numpy_array_alignment_bytes');
  return {
    isPadded: padding !== undefined && padding !== null,
    size: checkSize(type, shape, 'An array of joblib'),
    fill: (data) => Object.assign(object, arrayOf(code, shape, fields.get('order') === 'F', data)),
  };
}
