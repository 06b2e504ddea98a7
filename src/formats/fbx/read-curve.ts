/** Curves as FBX 7 stores them: AnimationCurve objects. */
import { FLOAT32_MAX } from '../../core/math/floats.ts';
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
/** Weights are stored as 1/9999ths (FbxAnimCurveDef::sWEIGHT_DIVIDER): a third is exact. */
const WEIGHT_DIVIDER = 9999;
/** Numbers of KeyAttrDataFloat that belong together. */
const DATA_STRIDE = 4;

/** Keys on the way from the file to a curve. */
export interface RawKeys {
  readonly ticks: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  readonly flags: Int32Array;
  /** Three a key, as in CurveKeys. */
  readonly data: Float64Array;
  readonly weights: Float64Array;
}

/** Adds one curve, or several, to a kind of fault. */
export function noteFault(faults: CurveFaults, fault: string, count = 1): void {
  faults.set(fault, (faults.get(fault) ?? 0) + count);
}

/**
 * The curve of an AnimationCurve object. Null without a usable key. Keys are sorted; of keys at the same time the last
 * stays; those whose time or value is no number of the format are left out. What is mended goes to `faults`.
 */
export function readCurve({ records }: FbxRecord, ticksPerSecond: number, faults: CurveFaults): FbxCurve | null {
  const ticks = numbersIn(records, 'KeyTime');
  const values = numbersIn(records, 'KeyValueFloat');
  if (ticks.length !== values.length) noteFault(faults, 'have not as many times as values');
  const keyCount = Math.min(ticks.length, values.length);
  const flags = numbersIn(records, 'KeyAttrFlags');
  const stored = numbersIn(records, 'KeyAttrDataFloat');
  const rows = rowsOf(numbersIn(records, 'KeyAttrRefCount'), flags.length, keyCount, faults);
  const keys: RawKeys = {
    ticks: ticks.subarray(0, keyCount),
    values: values.subarray(0, keyCount),
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
  return finishCurve(keys, records, ticksPerSecond, faults);
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
    if (keyCount > 0) noteFault(faults, 'do not say how to interpolate and were taken as linear');
    return rows;
  }
  let key = 0;
  if (counts.length === 0 && rowCount === keyCount) return rows.map((_, k) => k);
  for (let row = 0; row < rowCount && key < keyCount; row++) {
    const end = Math.min(keyCount, key + Math.max(0, Math.floor(finiteAt(counts, row))));
    rows.fill(row, key, end);
    key = end;
  }
  if (key < keyCount && rowCount > 1) noteFault(faults, 'do not say of all keys how to interpolate');
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

/** A letter that stands as text or as its code; empty where there is none. */
export function letterOf(value: FbxProperty | undefined): string {
  if (typeof value === 'string') return value.charAt(0);
  const code = numberOf(value);
  return code !== undefined && code > 32 && code < 127 ? String.fromCharCode(code) : '';
}

/** The curve of stored keys and of the records beside them: unusable keys are dropped, the others sorted. Null without any. */
export function finishCurve(
  stored: RawKeys,
  records: readonly FbxRecord[],
  ticksPerSecond: number,
  faults: CurveFaults,
): FbxCurve | null {
  const times = Float64Array.from(stored.ticks);
  // Seconds that two times have in common count as one time, hence before the look at their order.
  for (let key = 0; key < times.length; key++) times[key] = times[key] / ticksPerSecond;
  const { flags, data, weights } = stored;
  const keys: CurveKeys = { times, values: Float64Array.from(stored.values), flags, data, weights };
  const order = usableKeys(keys, MOST_TICKS / ticksPerSecond, faults);
  if (order !== null && order.length === 0) return null;
  const before = readEnd(records, 'Pre-Extrapolation');
  const after = readEnd(records, 'Post-Extrapolation');
  return buildCurve(order === null ? keys : pickKeys(keys, order), before, after);
}

/** The keys to take, by rising time; null where all are as they should be. */
function usableKeys({ times, values, flags }: CurveKeys, mostSeconds: number, faults: CurveFaults): number[] | null {
  const keyCount = flags.length;
  const isUsable = (key: number): boolean =>
    Math.abs(times[key]) <= mostSeconds && Math.abs(values[key]) <= FLOAT32_MAX;
  let isGood = keyCount > 0;
  for (let key = 0; key < keyCount && isGood; key++)
    isGood = isUsable(key) && (key === 0 || times[key] > times[key - 1]);
  if (isGood) return null;
  const order: number[] = [];
  for (let key = 0; key < keyCount; key++) if (isUsable(key)) order.push(key);
  if (order.length < keyCount) noteFault(faults, 'have keys whose time or value is not a number; they were left out');
  if (order.every((key, k) => k === 0 || times[key] > times[order[k - 1]])) return order;
  noteFault(faults, 'have keys that are not in the order of time; they were sorted, the last of equal times was taken');
  order.sort((a, b) => times[a] - times[b] || a - b);
  return order.filter((key, k) => k + 1 === order.length || times[key] !== times[order[k + 1]]);
}

function pickKeys({ times, values, flags, data, weights }: CurveKeys, order: readonly number[]): CurveKeys {
  const pick = (from: Float64Array, width: number): Float64Array => {
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
