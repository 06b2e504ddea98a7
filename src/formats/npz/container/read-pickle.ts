/**
 * Reads Python pickles (protocols 0 to 5) as data. A pickle is a program for a machine with a stack, which can call any function; this reader has the
 * instructions for numbers, text, containers and arrays, and calls nothing.
 *
 * @see https://github.com/python/cpython/blob/main/Lib/pickletools.py
 */
import { FormatError } from '../../../core/report/format-error.ts';
import { isJoblibArray, joblibElements, objectOfCall, setState } from './pickle-objects.ts';

/** Most objects of a pickle. Results of 1,000 clips with text have about 10,000; a byte of a hostile file could make an object of 200 bytes. */
const MOST_OBJECTS = 1_000_000;

/** Most bytes of copies that objects hold beside the bytes of the pickle. */
const MOST_COPIED = 2 ** 26;

/** Marks the start of a list of arguments on the stack. */
const MARK = Symbol('mark');

const LATIN1 = new TextDecoder('latin1');
const UTF8 = new TextDecoder();

function broken(message: string, offset: number): FormatError {
  return new FormatError('NPZ_INVALID', `The pickle is damaged: ${message}; get the file again`, { offset });
}

function decodeEscapes(text: string): string {
  const named: Record<string, string> = { n: '\n', r: '\r', t: '\t', '\\': '\\', "'": "'", '"': '"' };
  return text.replace(/\\(?:x([0-9a-f]{2})|(.))/gi, (whole, hex?: string, letter?: string) =>
    hex === undefined ? (named[letter ?? ''] ?? whole) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Reads a little-endian signed integer of any length; beyond 2⁵³ it is rounded. */
function longOf(bytes: Uint8Array): number {
  let value = 0;
  for (let k = bytes.length - 1; k >= 0; k--) value = value * 256 + bytes[k];
  return bytes.length > 0 && bytes[bytes.length - 1] >= 0x80 ? value - 256 ** bytes.length : value;
}

/** Checks for the first bytes of a pickle: its protocol, or a dict of the oldest protocols. */
export function isPickle(latin1: string): boolean {
  const protocol = latin1.charCodeAt(1);
  return (latin1.startsWith('\x80') && protocol >= 2 && protocol <= 5) || /^(?:\(dp\d+\r?\n|\}q)/.test(latin1);
}

/**
 * Reads a pickle. Returns numbers, text, `null`, booleans, bytes, lists and tuples as arrays, dicts as maps, arrays of NumPy, and for any other
 * object its name. Throws FormatError `NPZ_INVALID` when it is damaged or refers to data outside.
 */
export function readPickle(bytes: Uint8Array): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const stack: unknown[] = [];
  const memo = new Map<number, unknown>();
  let at = 0;
  let objects = 0;
  let copied = 0;

  const take = (length: number): Uint8Array => {
    if (!(length >= 0 && at + length <= bytes.length)) throw broken(`it ends after ${bytes.length} bytes`, at);
    at += length;
    return bytes.subarray(at - length, at);
  };
  const uint = (size: 1 | 2 | 4 | 8): number => {
    take(size);
    if (size === 1) return view.getUint8(at - 1);
    if (size === 2) return view.getUint16(at - 2, true);
    return size === 4 ? view.getUint32(at - 4, true) : Number(view.getBigUint64(at - 8, true));
  };
  const line = (): string => {
    const end = bytes.indexOf(0x0a, at);
    if (end < 0) throw broken('a line does not end', at);
    const text = LATIN1.decode(take(end - at));
    at++;
    return text;
  };
  const push = (value: unknown): void => {
    if (++objects > MOST_OBJECTS) throw broken(`it has more than ${MOST_OBJECTS} objects`, at);
    stack.push(value);
  };
  const pop = (): unknown => {
    const value = stack.pop();
    if (value === undefined || value === MARK) throw broken('a value is missing', at);
    return value;
  };
  const top = (): unknown => {
    const value = stack.at(-1);
    if (value === undefined || value === MARK) throw broken('a value is missing', at);
    return value;
  };
  const popMark = (): unknown[] => {
    const from = stack.lastIndexOf(MARK);
    if (from < 0) throw broken('a mark is missing', at);
    const items = stack.splice(from);
    items.shift();
    return items;
  };
  const recall = (index: number): void => {
    if (!memo.has(index)) throw broken(`it refers to object ${index}, which it has not`, at);
    push(memo.get(index));
  };
  const append = (items: readonly unknown[]): void => {
    const list = top();
    if (Array.isArray(list)) for (const item of items) list.push(item);
  };
  const setItems = (items: readonly unknown[]): void => {
    const map = top();
    if (!(map instanceof Map)) return;
    for (let k = 0; k + 1 < items.length; k += 2) map.set(items[k], items[k + 1]);
  };
  const mapOfItems = (items: readonly unknown[]): Map<unknown, unknown> => {
    const map = new Map<unknown, unknown>();
    for (let k = 0; k + 1 < items.length; k += 2) map.set(items[k], items[k + 1]);
    return map;
  };
  const countCopy = (size: number): void => {
    copied += size;
    if (copied > MOST_COPIED) throw broken(`its objects are copies of each other, ${copied} bytes`, at);
  };
  const named = (module: unknown, name: unknown): void => push({ kind: 'name', name: `${module}.${name}` });
  const call = (callee: unknown, args: unknown): void => push(objectOfCall(callee, args, countCopy));
  const build = (state: unknown): void => {
    const object = top();
    if (!isJoblibArray(object)) {
      setState(object, state, countCopy);
      return;
    }
    const { isPadded, size, fill } = joblibElements(object, state);
    if (isPadded) take(uint(1));
    fill(take(size));
  };
  const outside = (): never => {
    const message =
      'The pickle refers to data outside of it, as files of PyTorch do; load it in Python, convert tensors with .numpy() and save the arrays with numpy.savez';
    throw new FormatError('NPZ_INVALID', message, { offset: at });
  };
  for (;;) {
    const code = uint(1);
    switch (String.fromCharCode(code)) {
      case '\x80': // PROTO
        take(1);
        break;
      case '\x95': // FRAME
        take(8);
        break;
      case '.': // STOP
        return pop();
      case '(':
        stack.push(MARK);
        break;
      case '0': // POP
        if (stack.pop() === undefined) throw broken('a value is missing', at);
        break;
      case '1':
        popMark();
        break;
      case '2':
        push(top());
        break;
      case 'N':
        push(null);
        break;
      case '\x88':
        push(true);
        break;
      case '\x89':
        push(false);
        break;
      case 'I': {
        const text = line();
        push(text === '01' ? true : text === '00' ? false : Number(text));
        break;
      }
      case 'L':
        push(Number(line().replace(/L$/, '')));
        break;
      case 'F':
        push(Number(line()));
        break;
      case 'J':
        push(uint(4) | 0);
        break;
      case 'K':
        push(uint(1));
        break;
      case 'M':
        push(uint(2));
        break;
      case '\x8a':
        push(longOf(take(uint(1))));
        break;
      case '\x8b':
        push(longOf(take(uint(4))));
        break;
      case 'G':
        take(8);
        push(view.getFloat64(at - 8));
        break;
      case 'S':
        push(decodeEscapes(line().replace(/^(['"])(.*)\1\r?$/s, '$2')));
        break;
      case 'V':
        push(line());
        break;
      case 'T':
        push(LATIN1.decode(take(uint(4))));
        break;
      case 'U':
        push(LATIN1.decode(take(uint(1))));
        break;
      case 'X':
        push(UTF8.decode(take(uint(4))));
        break;
      case '\x8c':
        push(UTF8.decode(take(uint(1))));
        break;
      case '\x8d':
        push(UTF8.decode(take(uint(8))));
        break;
      case 'B':
        push(take(uint(4)));
        break;
      case 'C':
        push(take(uint(1)));
        break;
      case '\x8e':
      case '\x96': // BINBYTES8, BYTEARRAY8
        push(take(uint(8)));
        break;
      case ')':
      case ']':
      case '\x8f': // EMPTY_TUPLE, EMPTY_LIST, EMPTY_SET
        push([]);
        break;
      case '}':
        push(new Map());
        break;
      case 't':
      case 'l':
      case '\x91': // TUPLE, LIST, FROZENSET
        push(popMark());
        break;
      case '\x85':
        push([pop()]);
        break;
      case '\x86': {
        const b = pop();
        push([pop(), b]);
        break;
      }
      case '\x87': {
        const c = pop();
        const b = pop();
        push([pop(), b, c]);
        break;
      }
      case 'd':
        push(mapOfItems(popMark()));
        break;
      case 'a':
        append([pop()]);
        break;
      case 'e':
      case '\x90': // APPENDS, ADDITEMS
        append(popMark());
        break;
      case 's': {
        const value = pop();
        setItems([pop(), value]);
        break;
      }
      case 'u':
        setItems(popMark());
        break;
      case 'p':
        memo.set(Number(line()), top());
        break;
      case 'q':
        memo.set(uint(1), top());
        break;
      case 'r':
        memo.set(uint(4), top());
        break;
      case '\x94': // MEMOIZE
        memo.set(memo.size, top());
        break;
      case 'g':
        recall(Number(line()));
        break;
      case 'h':
        recall(uint(1));
        break;
      case 'j':
        recall(uint(4));
        break;
      case 'c': {
        const module = line();
        named(module, line());
        break;
      }
      case '\x93': {
        const name = pop();
        named(pop(), name);
        break;
      }
      case 'R':
      case '\x81': {
        const args = pop();
        call(pop(), args);
        break;
      }
      case '\x92': {
        pop();
        const args = pop();
        call(pop(), args);
        break;
      }
      case 'i': {
        const module = line();
        const callee = { kind: 'name', name: `${module}.${line()}` };
        call(callee, popMark());
        break;
      }
      case 'o': {
        const [callee, ...args] = popMark();
        call(callee, args);
        break;
      }
      case 'b':
        build(pop());
        break;
      case '\x98': // READONLY_BUFFER
        break;
      case 'P':
      case 'Q':
      case '\x82':
      case '\x83':
      case '\x84':
      case '\x97': // Persistent ids, extension registry, buffers out of band
        outside();
        break;
      default:
        throw broken(`it has the unknown instruction ${code}`, at - 1);
    }
  }
}
