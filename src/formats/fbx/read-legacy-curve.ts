/** Curves as FBX 6 stores them: the Channels of its Takes. */
import type { FbxCurve } from './curve.ts';
import { type CurveFaults, finishCurve, letterOf, noteFault, type RawKeys } from './read-curve.ts';
import { numberOf, recordIn } from './records.ts';
import { DEFAULT_WEIGHT, KEY_FLAG } from './tangents.ts';
import type { FbxProperty, FbxRecord } from './tree.ts';

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
 * `C,n` or `C,s` constant, `U` cubic with its tangents. Null without a usable key; faults as for `readCurve`.
 * At what is not understood the list ends, which is a fault.
 */
export function readLegacyCurve({ records }: FbxRecord, ticksPerSecond: number, faults: CurveFaults): FbxCurve | null {
  const list = recordIn(records, 'Key')?.properties;
  if (list === undefined) return null;
  const first = list[0];
  const values = typeof first === 'object' ? Array.from<FbxProperty>(first) : list;
  const version = numberOf(recordIn(records, 'KeyVer')?.properties[0]) ?? 0;
  const cursor: KeyCursor = { values, at: 0 };
  const ticks: number[] = [];
  const keyValues: number[] = [];
  const flags: number[] = [];
  const data: number[] = [];
  const weights: number[] = [];
  while (cursor.at < values.length) {
    const time = nextNumber(cursor);
    const value = nextNumber(cursor);
    const mode = readMode(cursor, version > 0 ? version : 4005);
    if (mode === null) {
      noteFault(faults, 'have keys that are not understood; they end there');
      break;
    }
    ticks.push(time);
    keyValues.push(value);
    flags.push(mode.flags);
    data.push(mode.right, mode.nextLeft, 0);
    weights.push(mode.rightWeight, mode.nextLeftWeight);
  }
  const keys: RawKeys = {
    ticks,
    values: keyValues,
    flags: Int32Array.from(flags),
    data: Float64Array.from(data),
    weights: Float64Array.from(weights),
  };
  return finishCurve(keys, records, ticksPerSecond, faults);
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
