/** Parses files of NumPy: `.npz` (also under the name `.smpl`), `.npy` and pickles. */
import { FormatError } from '../../../core/report/format-error.ts';
import { checkSize, countOf, type NumpyArray } from './numpy-array.ts';
import { HEAD_BYTES, isNpy, npyElements, parseNpyHeader } from './parse-npy.ts';
import { isArray, itemsOf } from './pickle-objects.ts';
import { isPickle, readPickle } from './read-pickle.ts';
import { readZip, type ZipMember } from './read-zip.ts';

/**
 * A value of a file: a number, text, boolean or null, an array of numbers or text, a list or tuple (as array), a dict (as map), bytes, or an object of
 * which only the name was read.
 */
type NumpyValue = unknown;

/** The content of a file: arrays by name; a bare array has the name ''. */
export type NumpyValues = ReadonlyMap<string, NumpyValue>;

/** Bytes after the elements that are no fault: some programs align members. */
const SLACK = 64;

/** Replaces an array of objects without dimensions by its object, as `.item()` does. */
function itemOf(value: NumpyValue): NumpyValue {
  if (!isArray(value)) return value;
  const items = itemsOf(value);
  if (items === null) return value;
  return value.shape.length === 0 ? items[0] : items;
}

/** Reads the array of a member. Only its header is expanded, until its elements are asked for. */
function readMember(member: ZipMember): NumpyValue {
  const head = member.head(HEAD_BYTES);
  const shown = JSON.stringify(member.name);
  const header = parseNpyHeader(head, shown);
  const { type, shape, isFortran, start } = header;
  if (type.kind === 'O') return itemOf(readPickle(member.bytes().subarray(start)));
  const size = start + type.size * countOf(shape);
  const bytes = (): Uint8Array => {
    checkSize(type, shape, shown);
    return npyElements(header, member.bytes(), shown);
  };
  if (type.size > 0 && member.size > size + SLACK) {
    const message = `${shown} has ${member.size} bytes, expected ${size} from its header; get the file again`;
    throw new FormatError('NPZ_INVALID', message);
  }
  return { kind: 'array', type, shape, isFortran, bytes } satisfies NumpyArray;
}

function parseArchive(bytes: Uint8Array): NumpyValues {
  const members = readZip(bytes);
  if (members.some(({ name }) => /(?:^|\/)data\.pkl$/.test(name))) {
    const message =
      'The file is an archive of PyTorch, whatever its name is; load it in Python with torch.load, convert its tensors with .numpy() and save the arrays with numpy.savez';
    throw new FormatError('NPZ_INVALID', message);
  }
  const arrays = members.filter(({ name }) => name.endsWith('.npy'));
  return new Map(arrays.map((member) => [member.name.slice(0, -'.npy'.length), readMember(member)]));
}

/** Names the items of a dict; keys that are numbers, such as those of people, become text. */
export function namedItems(value: ReadonlyMap<unknown, unknown>): Map<string, NumpyValue> {
  const items = [...value].filter(([key]) => typeof key === 'string' || typeof key === 'number');
  return new Map(items.map(([key, item]) => [String(key), itemOf(item)]));
}

function valuesOf(value: NumpyValue): NumpyValues {
  const item = itemOf(value);
  return item instanceof Map ? namedItems(item) : new Map([['', item]]);
}

/**
 * Parses a file of NumPy: arrays and, from pickles, containers with arrays. Nothing in it is executed; objects that are not data keep their name
 * only. Throws FormatError `NPZ_INVALID` when it is damaged, or is a file of PyTorch.
 */
export function parseNumpy(bytes: Uint8Array): NumpyValues {
  if (isNpy(bytes)) {
    const header = parseNpyHeader(bytes.subarray(0, HEAD_BYTES), 'The array');
    const { type, shape, isFortran, start } = header;
    if (type.kind === 'O') return valuesOf(readPickle(bytes.subarray(start)));
    const array: NumpyArray = {
      kind: 'array',
      type,
      shape,
      isFortran,
      bytes: () => npyElements(header, bytes, 'The array'),
    };
    return new Map([['', array]]);
  }
  if (isPickle(String.fromCharCode(...bytes.subarray(0, 16)))) return valuesOf(readPickle(bytes));
  return parseArchive(bytes);
}
