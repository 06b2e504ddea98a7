import { FLOAT32_MAX, type Floats } from '../../../core/math/floats.ts';
import { type IssueTally, tallyIssue } from '../../../core/report/issue-tally.ts';
import type { FbxProperty, FbxRecord } from '../document/fbx-tree.ts';
import { floatsIn, numberOf, numbersIn, recordIn } from '../document/records.ts';
import { CONSTANT_END, type CurveEnd, type Extrapolation, type FbxCurve } from './fbx-curve.ts';
import { buildCurve, type CurveKeys, DEFAULT_WEIGHT, KEY_FLAG } from './key-tangents.ts';

/** Limit for the keys of a curve, far above the largest known files. */
const MAX_KEYS = 2 ** 27;
/** Limit for times, which are 64-bit integers. */
const MAX_TICKS = 2 ** 63;
/** Weights are stored in units of 1/9999 (FbxAnimCurveDef::sWEIGHT_DIVIDER), so that one third is exact. */
const WEIGHT_DIVIDER = 9999;
/** Numbers per row of KeyAttrDataFloat. */
const DATA_STRIDE = 4;

/** Keys as stored: `data` and `weights` are empty without cubic keys. */
export interface StoredKeys extends Omit<CurveKeys, 'times'> {
  /** Time of each key, ticks. */
  readonly ticks: ArrayLike<number>;
}

/**
 * Reads the curve of an AnimationCurve object. Keys are sorted. Of several keys at one time, the first and the last are a jump. Keys with an invalid time or value are
 * left out. `ticksPerSecond`: time unit of the file. Returns the curve; null without a usable key.
 */
export function readAnimationCurve(
  { records }: FbxRecord,
  ticksPerSecond: number,
  faults: IssueTally,
): FbxCurve | null {
  const ticks = numbersIn(records, 'KeyTime', MAX_KEYS);
  const values = floatsIn(records, 'KeyValueFloat', MAX_KEYS);
  if (ticks.length !== values.length)
    tallyIssue(faults, 'have different numbers of times and values; the surplus was left out');
  const keyCount = Math.min(ticks.length, values.length);
  const flags = numbersIn(records, 'KeyAttrFlags', MAX_KEYS);
  const stored = withSlopes(numbersIn(records, 'KeyAttrDataFloat', MAX_KEYS));
  const rows = rowsOf(numbersIn(records, 'KeyAttrRefCount', MAX_KEYS), flags.length, keyCount, faults);
  // Only cubic keys have tangents.
  const cubicCount = flags.some((flag) => flag & KEY_FLAG.CUBIC) ? keyCount : 0;
  const keyFlags = new Int32Array(keyCount);
  // Keys without an interpolation flag are linear.
  for (let key = 0; key < keyCount; key++) keyFlags[key] = rows[key] < 0 ? KEY_FLAG.LINEAR : finiteAt(flags, rows[key]);
  const keys: StoredKeys = {
    ticks: ticks.subarray(0, keyCount),
    values: values.subarray(0, keyCount),
    flags: keyFlags,
    data: new Float64Array(cubicCount * 3),
    weights: new Float64Array(cubicCount * 2).fill(DEFAULT_WEIGHT),
  };
  for (let key = 0; key < cubicCount; key++) {
    const row = rows[key];
    const flag = keys.flags[key];
    for (let c = 0; c < 3; c++) keys.data[key * 3 + c] = row < 0 ? 0 : finiteAt(stored, row * DATA_STRIDE + c);
    const third = key * 3 + 2;
    if (flag & KEY_FLAG.TCB)
      keys.data[third] = isBits(keys.data[third]) ? fromBits(keys.data[third]) : keys.data[third];
    else if (flag & KEY_FLAG.CUBIC) readWeights(keys.weights, key, flag, keys.data[third]);
  }
  return finishCurve(keys, records, ticksPerSecond, faults);
}

function finiteAt(numbers: Float64Array, i: number): number {
  const number = numbers[i] ?? 0;
  return Number.isFinite(number) ? number : 0;
}

/** Returns the attribute row of each key, −1 for none. The count of a row is the number of keys that share it. */
function rowsOf(counts: Float64Array, rowCount: number, keyCount: number, faults: IssueTally): Int32Array {
  const rows = new Int32Array(keyCount).fill(rowCount - 1);
  if (rowCount === 0) {
    if (keyCount > 0) tallyIssue(faults, 'declare no interpolation and were read as linear');
    return rows;
  }
  let key = 0;
  if (counts.length === 0 && rowCount === keyCount) return rows.map((_, k) => k);
  for (let row = 0; row < rowCount && key < keyCount; row++) {
    const end = Math.min(keyCount, key + Math.max(0, Math.floor(finiteAt(counts, row))));
    rows.fill(row, key, end);
    key = end;
  }
  if (key < keyCount && rowCount > 1)
    tallyIssue(faults, 'declare no interpolation for their last keys, which use that of the key before');
  return rows;
}

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** The bits of the smallest normal float32, as an integer. */
const MIN_NORMAL_BITS = 0x800000;

/** Tells integers with the bits of a float32 from numbers: integers that are slopes or biases are far smaller. */
function isBits(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) >= MIN_NORMAL_BITS;
}

function fromBits(value: number): number {
  bits[0] = value;
  return Number.isFinite(float[0]) ? float[0] : 0;
}

/** Returns the slopes of rows as numbers. The text files of the SDK have the bits of each float32 as an integer: −0 is −2147483648. */
function withSlopes(rows: Float64Array): Float64Array {
  let hasBits = false;
  for (let i = 0; i < rows.length; i++) {
    if (i % DATA_STRIDE > 1 || rows[i] === 0) continue;
    if (!isBits(rows[i])) return rows;
    hasBits = true;
  }
  if (!hasBits) return rows;
  return rows.map((row, i) => (i % DATA_STRIDE > 1 ? row : fromBits(row)));
}

/** Unpacks two 16-bit weights that are stored as one float32; text files store the same bits as an integer. */
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

/** Reads `Pre-Extrapolation: { Type: R  Repetition: -1 }`. A missing or negative count means infinite repetitions. */
function readEnd(records: readonly FbxRecord[], name: string): CurveEnd {
  const end = recordIn(records, name) ?? recordIn(records, name.replace('-', '_'));
  if (end === undefined) return CONSTANT_END;
  const extrapolation = EXTRAPOLATIONS.get(letterOf(recordIn(end.records, 'Type')?.properties[0]));
  if (extrapolation === undefined || extrapolation === 'constant') return CONSTANT_END;
  const rounds = numberOf(recordIn(end.records, 'Repetition')?.properties[0]) ?? -1;
  return { extrapolation, repetitions: rounds < 0 ? Number.POSITIVE_INFINITY : Math.floor(rounds) };
}

/** Returns a letter that is stored as text or as a character code. */
export function letterOf(value: FbxProperty | undefined): string {
  if (typeof value === 'string') return value.charAt(0);
  const code = numberOf(value);
  return code !== undefined && code > 32 && code < 127 ? String.fromCharCode(code) : '';
}

/**
 * Converts stored keys and the records beside them to a curve. Unusable keys are dropped, the others sorted. `ticksPerSecond`: time unit of the
 * file. Returns the curve; null without a usable key.
 */
export function finishCurve(
  stored: StoredKeys,
  records: readonly FbxRecord[],
  ticksPerSecond: number,
  faults: IssueTally,
): FbxCurve | null {
  const { ticks, values, flags, data, weights } = stored;
  const times = new Float64Array(ticks.length);
  // Different ticks can round to the same seconds, so the conversion comes before the check of the order.
  for (let key = 0; key < times.length; key++) times[key] = ticks[key] / ticksPerSecond;
  const keys: CurveKeys = { times, values, flags, data, weights };
  const order = usableKeys(keys, MAX_TICKS / ticksPerSecond, faults);
  if (order !== null && order.length === 0) return null;
  const before = readEnd(records, 'Pre-Extrapolation');
  const after = readEnd(records, 'Post-Extrapolation');
  const usable = order === null ? keys : separateKeys(pickKeys(keys, order), 1 / ticksPerSecond, faults);
  return buildCurve(usable, before, after);
}

/** Returns the usable keys by time; null if all keys are usable and in the order of different times. */
function usableKeys({ times, values, flags }: CurveKeys, mostSeconds: number, faults: IssueTally): number[] | null {
  const keyCount = flags.length;
  const isUsable = (key: number): boolean =>
    Math.abs(times[key]) <= mostSeconds && Math.abs(values[key]) <= FLOAT32_MAX;
  let isGood = keyCount > 0;
  for (let key = 0; key < keyCount && isGood; key++)
    isGood = isUsable(key) && (key === 0 || times[key] > times[key - 1]);
  if (isGood) return null;
  const order: number[] = [];
  for (let key = 0; key < keyCount; key++) if (isUsable(key)) order.push(key);
  if (order.length < keyCount) tallyIssue(faults, 'have keys whose time or value is invalid; these keys were left out');
  if (order.every((key, k) => k === 0 || times[key] >= times[order[k - 1]])) return order;
  tallyIssue(faults, 'have keys that are not in the order of time; the keys were sorted');
  return order.sort((a, b) => times[a] - times[b] || a - b);
}

/** Automatic slopes across a jump would be billions. */
function isAutomatic(flag: number): boolean {
  return (flag & KEY_FLAG.CUBIC) !== 0 && (flag & KEY_FLAG.USER) === 0;
}

/**
 * Keeps the first and the last of keys at one time, which are a jump, and moves the first to the tick before. Keeps only the last of equal keys, of keys with
 * automatic slopes, and where there is no room for two. `tick`: seconds.
 */
function separateKeys(keys: CurveKeys, tick: number, faults: IssueTally): CurveKeys {
  const times = Float64Array.from(keys.times);
  const { values, flags } = keys;
  const kept: number[] = [];
  for (let key = 0; key < times.length; key++) {
    const [first, time] = [key, times[key]];
    while (times[key + 1] === time) key++;
    const before = time - tick;
    const isJump = values[first] !== values[key] && !isAutomatic(flags[first]) && !isAutomatic(flags[key]);
    if (isJump && before < time && !(before <= times[first - 1])) {
      times[first] = before;
      kept.push(first);
    }
    kept.push(key);
  }
  if (keys.times.every((time, key) => key === 0 || time > keys.times[key - 1])) return keys;
  tallyIssue(faults, 'have several keys at one time; the last was used, and the first if both make a jump');
  return pickKeys({ ...keys, times }, kept);
}

function pickKeys({ times, values, flags, data, weights }: CurveKeys, order: readonly number[]): CurveKeys {
  const pick = (from: Floats, width: number): Float64Array => {
    const out = new Float64Array(order.length * width);
    for (const [k, key] of order.entries()) out.set(from.subarray(key * width, (key + 1) * width), k * width);
    return out;
  };
  return {
    times: pick(times, 1),
    values: pick(values, 1),
    flags: Int32Array.from(order, (key) => flags[key]),
    data: pick(data, 3),
    weights: pick(weights, 2),
  };
}
