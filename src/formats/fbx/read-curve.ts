/** Curves as they are stored: the AnimationCurve objects of FBX 7, and the Channels of the Takes of FBX 6. */
import { type CurveEnd, type Extrapolation, type FbxCurve, HOLD } from './curve.ts';
import { numberOf, numbersOf, recordIn } from './records.ts';
import { buildCurve, type CurveKeys, DEFAULT_WEIGHT, KEY_FLAG } from './tangents.ts';
import type { FbxProperty, FbxRecord } from './tree.ts';

/** What was wrong with the keys of curves: a clause, and of how many curves it is true. */
export type CurveFaults = Map<string, number>;

/** More keys than arrays of the largest files have. */
const MOST_KEYS = 2 ** 27;
/** Times are 64-bit integers, values are float32; what lies beyond is damage. */
const MOST_TICKS = 2 ** 63;
const MOST_VALUE = 3.4028235e38;
/** Weights are stored as 1/9999ths (FbxAnimCurveDef::sWEIGHT_DIVIDER): a third is exact. */
const WEIGHT_DIVIDER = 9999;
/** Numbers of KeyAttrDataFloat that belong together. */
const DATA_STRIDE = 4;

/** Keys on the way from the file to a curve. */
interface RawKeys {
  readonly times: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  readonly flags: Int32Array;
  /** Three a key, as in CurveKeys. */
  readonly data: Float64Array;
  readonly weights: Float64Array;
}

/** Adds one curve to a kind of fault. */
function count(faults: CurveFaults, fault: string): void {
  faults.set(fault, (faults.get(fault) ?? 0) + 1);
}

/**
 * The curve of an AnimationCurve object. Null without a usable key. Keys are sorted; of keys at the same time the last
 * stays; those whose time or value is no number of the format are left out. What is mended goes to `faults`.
 */
export function readCurve({ records }: FbxRecord, ticksPerSecond: number, faults: CurveFaults): FbxCurve | null {
  const ticks = numbersIn(records, 'KeyTime');
  const values = numbersIn(records, 'KeyValueFloat');
  if (ticks.length !== values.length) count(faults, 'have not as many times as values');
  const keyCount = Math.min(ticks.length, values.length);
  const flags = numbersIn(records, 'KeyAttrFlags');
  const stored = numbersIn(records, 'KeyAttrDataFloat');
  const rows = rowsOf(numbersIn(records, 'KeyAttrRefCount'), flags.length, keyCount, faults);
  const keys: RawKeys = {
    times: ticks,
    values,
    flags: new Int32Array(keyCount),
    data: new Float64Array(keyCount * 3),
    weights: new Float64Array(keyCount * 2).fill(DEFAULT_WEIGHT),
  };
  for (let key = 0; key < keyCount; key++) {
    const row = rows[key];
    // Without a flag of interpolation keys are linear.
    const flag = row < 0 ? KEY_FLAG.LINEAR : finiteAt(flags, row);
    keys.flags[key] = flag;
    for (let c = 0; c < 3; c++) keys.data[key * 3 + c] = row < 0 ? 0 : finiteAt(stored, row * DATA_STRIDE + c);
    if (flag & KEY_FLAG.CUBIC && !(flag & KEY_FLAG.TCB)) readWeights(keys.weights, key, flag, keys.data[key * 3 + 2]);
  }
  const ends = { before: readEnd(records, 'Pre-Extrapolation'), after: readEnd(records, 'Post-Extrapolation') };
  return finish(keys, keyCount, ticksPerSecond, ends, faults);
}

function numbersIn(records: readonly FbxRecord[], name: string): Float64Array {
  const record = recordIn(records, name);
  return record === undefined ? new Float64Array(0) : numbersOf(record, MOST_KEYS);
}

function finiteAt(numbers: Float64Array, i: number): number {
  const number = numbers[i] ?? 0;
  return Number.isFinite(number) ? number : 0;
}

/** Row of the attributes of every key, −1 for none: each row holds for as many keys as its count says. */
function rowsOf(counts: Float64Array, rowCount: number, keyCount: number, faults: CurveFaults): Int32Array {
  const rows = new Int32Array(keyCount).fill(rowCount - 1);
  if (rowCount === 0) {
    if (keyCount > 0) count(faults, 'do not say how to interpolate and were taken as linear');
    return rows;
  }
  let key = 0;
  if (counts.length === 0 && rowCount === keyCount) return rows.map((_, k) => k);
  for (let row = 0; row < rowCount && key < keyCount; row++) {
    const end = Math.min(keyCount, key + Math.max(0, Math.floor(finiteAt(counts, row))));
    rows.fill(row, key, end);
    key = end;
  }
  if (key < keyCount && rowCount > 1) count(faults, 'do not say of all keys how to interpolate');
  return rows;
}

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** Weights are two 16-bit numbers in the place of one float32; text files write those bits as an integer. */
function readWeights(weights: Float64Array, key: number, flag: number, stored: number): void {
  const isInteger = Math.abs(stored) >= 1 && Number.isInteger(stored);
  float[0] = stored;
  const packed = isInteger ? stored >>> 0 : bits[0];
  if (flag & KEY_FLAG.WEIGHTED_RIGHT) weights[key * 2] = Math.min(1, (packed & 0xffff) / WEIGHT_DIVIDER);
  if (flag & KEY_FLAG.WEIGHTED_NEXT_LEFT) weights[key * 2 + 1] = Math.min(1, (packed >>> 16) / WEIGHT_DIVIDER);
}

const EXTRAPOLATIONS: ReadonlyMap<string, Extrapolation> = new Map([
  ['C', 'constant'],
  ['K', 'slope'],
  ['R', 'repeat'],
  ['M', 'mirror'],
  ['A', 'repeatRelative'],
]);

/** `Pre-Extrapolation: { Type: R  Repetition: -1 }`; no or a negative count is without end. */
function readEnd(records: readonly FbxRecord[], name: string): CurveEnd {
  const end = recordIn(records, name) ?? recordIn(records, name.replace('-', '_'));
  if (end === undefined) return HOLD;
  const extrapolation = EXTRAPOLATIONS.get(letterOf(recordIn(end.records, 'Type')?.properties[0]));
  if (extrapolation === undefined || extrapolation === 'constant') return HOLD;
  const rounds = numberOf(recordIn(end.records, 'Repetition')?.properties[0]) ?? -1;
  return { extrapolation, rounds: rounds < 0 ? Number.POSITIVE_INFINITY : Math.floor(rounds) };
}

/** A letter that stands as text or as its code. */
function letterOf(value: FbxProperty | undefined): string {
  if (typeof value === 'string') return value.charAt(0);
  const code = numberOf(value);
  return code !== undefined && code > 32 && code < 127 ? String.fromCharCode(code) : '';
}

/** Drops unusable keys, sorts, and builds the curve. */
function finish(
  keys: RawKeys,
  keyCount: number,
  ticksPerSecond: number,
  { before, after }: { before: CurveEnd; after: CurveEnd },
  faults: CurveFaults,
): FbxCurve | null {
  let order: number[] = [];
  let isRising = true;
  for (let key = 0; key < keyCount; key++) {
    if (!(Math.abs(keys.times[key]) <= MOST_TICKS && Math.abs(keys.values[key]) <= MOST_VALUE)) continue;
    if (order.length > 0 && keys.times[key] <= keys.times[order[order.length - 1]]) isRising = false;
    order.push(key);
  }
  if (order.length < keyCount) count(faults, 'have keys whose time or value is not a number; they were left out');
  if (!isRising) {
    count(faults, 'have keys that are not in the order of time; they were sorted, the last of equal times was taken');
    order.sort((a, b) => keys.times[a] - keys.times[b] || a - b);
    order = order.filter((key, k) => k + 1 === order.length || keys.times[key] !== keys.times[order[k + 1]]);
  }
  if (order.length === 0) return null;
  const sorted: CurveKeys = {
    times: Float64Array.from(order, (key) => keys.times[key] / ticksPerSecond),
    values: Float64Array.from(order, (key) => keys.values[key]),
    flags: Int32Array.from(order, (key) => keys.flags[key]),
    data: Float64Array.from({ length: order.length * 3 }, (_, i) => keys.data[order[Math.floor(i / 3)] * 3 + (i % 3)]),
    weights: Float64Array.from({ length: order.length * 2 }, (_, i) => keys.weights[order[i >> 1] * 2 + (i % 2)]),
  };
  return buildCurve(sorted, before, after);
}

/** A place in the list of values of a `Key` record of FBX 6. */
interface KeyCursor {
  readonly values: readonly FbxProperty[];
  at: number;
}

function nextNumber(cursor: KeyCursor): number {
  return numberOf(cursor.values[cursor.at++]) ?? Number.NaN;
}

function nextLetter(cursor: KeyCursor): string {
  return letterOf(cursor.values[cursor.at++]);
}

/** Numbers that follow the tangent modes without slopes: ufbx and Babylon.js observed their count, not their meaning. */
const SKIPPED: Readonly<Record<string, number>> = { a: 0, p: 2, q: 2, t: 3, d: 1 };
/** How the SDK computes automatic slopes of FBX 6. */
const LEGACY_AUTO = KEY_FLAG.CUBIC | KEY_FLAG.TIME_INDEPENDENT | KEY_FLAG.CLAMP_PROGRESSIVE;

/**
 * The curve of a Channel of FBX 6: `Key` is one list, `time, value` and letters that say how much follows: `L` linear,
 * `C,n` or `C,s` constant, `U` cubic with its tangents. Null without a usable key; faults as for {@link readCurve}.
 * At what is not understood the list ends, which is a fault.
 */
export function readLegacyCurve({ records }: FbxRecord, ticksPerSecond: number, faults: CurveFaults): FbxCurve | null {
  const list = recordIn(records, 'Key')?.properties;
  if (list === undefined) return null;
  const first = list[0];
  const values = typeof first === 'object' ? Array.from<FbxProperty>(first) : list;
  const version = numberOf(recordIn(records, 'KeyVer')?.properties[0]) ?? 0;
  const cursor: KeyCursor = { values, at: 0 };
  const times: number[] = [];
  const keyValues: number[] = [];
  const flags: number[] = [];
  const data: number[] = [];
  const weights: number[] = [];
  while (cursor.at < values.length) {
    const time = nextNumber(cursor);
    const value = nextNumber(cursor);
    const mode = readMode(cursor, version > 0 ? version : 4005);
    if (mode === null) {
      count(faults, 'have keys that are not understood; they end there');
      break;
    }
    times.push(time);
    keyValues.push(value);
    flags.push(mode.flags);
    data.push(mode.right, mode.nextLeft, 0);
    weights.push(mode.rightWeight, mode.nextLeftWeight);
  }
  const keys: RawKeys = {
    times,
    values: keyValues,
    flags: Int32Array.from(flags),
    data: Float64Array.from(data),
    weights: Float64Array.from(weights),
  };
  const ends = { before: readEnd(records, 'Pre-Extrapolation'), after: readEnd(records, 'Post-Extrapolation') };
  return finish(keys, times.length, ticksPerSecond, ends, faults);
}

/** How a key of FBX 6 goes on. */
interface LegacyMode {
  flags: number;
  right: number;
  nextLeft: number;
  rightWeight: number;
  nextLeftWeight: number;
}

/** Reads what follows time and value of a key; null where it is not understood or breaks off. */
function readMode(cursor: KeyCursor, version: number): LegacyMode | null {
  const mode: LegacyMode = {
    flags: KEY_FLAG.LINEAR,
    right: 0,
    nextLeft: 0,
    rightWeight: DEFAULT_WEIGHT,
    nextLeftWeight: DEFAULT_WEIGHT,
  };
  const letter = nextLetter(cursor);
  if (letter === 'C') {
    const isNext = version >= 4004 && nextLetter(cursor) === 'n';
    mode.flags = isNext ? KEY_FLAG.CONSTANT | KEY_FLAG.CONSTANT_NEXT : KEY_FLAG.CONSTANT;
  } else if (letter === 'U') {
    if (!readTangents(cursor, version, mode)) return null;
  } else if (letter !== 'L') return null;
  const isWhole = cursor.at <= cursor.values.length && Number.isFinite(mode.right + mode.nextLeft);
  return isWhole && mode.rightWeight >= 0 && mode.nextLeftWeight >= 0 ? mode : null;
}

/** Reads the tangents of a cubic key. */
function readTangents(cursor: KeyCursor, version: number, mode: LegacyMode): boolean {
  const letter = nextLetter(cursor);
  let weightLetters = 1;
  if (letter === 's' || letter === 'b') {
    mode.flags = KEY_FLAG.CUBIC | KEY_FLAG.USER;
    mode.right = nextNumber(cursor);
    mode.nextLeft = nextNumber(cursor);
    if (version === 4003) weightLetters = 0;
  } else {
    const skipped = SKIPPED[letter];
    if (skipped === undefined) return false;
    mode.flags = LEGACY_AUTO;
    cursor.at += skipped;
    const isOld = version <= 4004;
    if (letter === 'a') weightLetters = isOld ? 0 : 1;
    if (letter === 'p' || letter === 'q') weightLetters = isOld ? 1 : 2;
    if (letter === 't') weightLetters = 0;
  }
  for (let k = 0; k < weightLetters; k++) {
    const weight = nextLetter(cursor);
    if (!'nalrc'.includes(weight) || weight === '') return false;
    if (weight === 'a' || weight === 'r') mode.rightWeight = Math.min(1, nextNumber(cursor));
    if (weight === 'a' || weight === 'l') mode.nextLeftWeight = Math.min(1, nextNumber(cursor));
  }
  return true;
}
