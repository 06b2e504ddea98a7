import { type IssueTally, tallyIssue } from '../../../core/report/issue-tally.ts';
import type { FbxProperty, FbxRecord } from '../document/fbx-tree.ts';
import { numberOf, recordIn } from '../document/records.ts';
import type { FbxCurve } from './fbx-curve.ts';
import { DEFAULT_WEIGHT, KEY_FLAG } from './key-tangents.ts';
import { finishCurve, letterOf, type StoredKeys } from './read-animation-curve.ts';

/** A position in the values of a `Key` record of FBX 6. */
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

/** Count of numbers after tangent modes without slopes. ufbx and Babylon.js found the counts; their meaning is unknown. */
const SKIPPED: Readonly<Record<string, number>> = { a: 0, p: 2, q: 2, t: 3, d: 1 };
/** Flags for the automatic slopes of FBX 6 as the SDK computes them. */
const LEGACY_AUTO = KEY_FLAG.CUBIC | KEY_FLAG.TIME_INDEPENDENT | KEY_FLAG.CLAMP_PROGRESSIVE;

/**
 * Reads the curve of a Channel of FBX 6. `Key` is one list of `time, value` and letters that determine what follows: `L` linear, `C,n` or `C,s`
 * constant, `U` cubic with its tangents. The list ends at the first unknown form, which counts as a fault. `ticksPerSecond`: time unit of the file.
 * Returns the curve; null without a usable key.
 */
export function readLegacyCurve({ records }: FbxRecord, ticksPerSecond: number, faults: IssueTally): FbxCurve | null {
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
      tallyIssue(faults, 'have keys of an unknown form; the remaining keys were left out');
      break;
    }
    ticks.push(time);
    keyValues.push(value);
    flags.push(mode.flags);
    data.push(mode.right, mode.nextLeft, 0);
    weights.push(mode.rightWeight, mode.nextLeftWeight);
  }
  const keys: StoredKeys = {
    ticks,
    values: Float64Array.from(keyValues),
    flags: Int32Array.from(flags),
    data: Float64Array.from(data),
    weights: Float64Array.from(weights),
  };
  return finishCurve(keys, records, ticksPerSecond, faults);
}

/** Interpolation after a key of FBX 6. */
interface LegacyMode {
  flags: number;
  right: number;
  nextLeft: number;
  rightWeight: number;
  nextLeftWeight: number;
}

/** Reads the interpolation that follows time and value of a key; null for an unknown form or an incomplete key. */
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

/** Reads the tangents of a cubic key. Returns false for an unknown form. */
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
