/** Fits LINEAR keys to a curve: few keys, whose values need not be on the curve but within a tolerance of it. */
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import { PATH_WIDTH, type Track } from './clip.ts';

/**
 * Greatest rotation between keys that others between them were left out of, radians. Up to it, players that interpolate the four components (Blender, Unity)
 * are within 0.03° of slerp, and the distance of two arcs is at no time more than 1 % above that at their keys.
 */
const LONGEST_ARC = 0.5;
/** Greatest number of turns of a line towards the curve; more rarely bring it within all tolerances. */
const MOST_TURNS = 24;
/** Part of a tolerance that a line is turned into, so that few turns suffice. */
const INSIDE = 0.97;
/** Sine below which a rotation vector is twice the imaginary part. */
const TINY_SINE = 1e-9;

/** LINEAR keys within a tolerance of a curve. */
export interface Polyline {
  /** The curve: LINEAR keys, unit quaternions for rotations. The polyline has some of its key times, always the first and the last. */
  readonly curve: Track;
  /** Greatest error at each key of the curve, radians for rotations, else the length of the difference. 0 for keys that stay as they are. */
  readonly tolerances: Float64Array;
  /** 1 for each key of the curve that should rather become a key than others. */
  readonly isPreferred: Uint8Array;
  /** Index in the curve of each key of the polyline. */
  keys: number[];
  /** Values of its keys, 3 or 4 floats each. */
  values: number[];
}

/** A straight line from a key of a polyline: the start value changes at a constant rate. */
interface Line {
  readonly start: number;
  readonly value: readonly number[];
  /** Differences (for rotations, rotation vectors) of the following keys of the curve from the start value, 3 floats each. */
  readonly offsets: number[];
  /** Change per second. */
  readonly slope: Float64Array;
  end: number;
}

const offset = new Float64Array(4);

/** Writes the difference of a value from the start value of a line to `offset`: a rotation vector for rotations. Returns its length. */
function offsetOf({ curve: { path } }: Polyline, { value }: Line, values: ArrayLike<number>, at: number): number {
  let factor = 1;
  if (path === 'rotation') {
    quat.conjugate(offset, 0, value, 0);
    quat.multiply(offset, 0, offset, 0, values, at);
    const sine = Math.hypot(offset[0], offset[1], offset[2]);
    factor = sine > TINY_SINE ? (2 * Math.atan2(sine, Math.abs(offset[3]))) / sine : 2;
    if (offset[3] < 0) factor = -factor;
  } else for (let c = 0; c < 3; c++) offset[c] = values[at + c] - value[c];
  for (let c = 0; c < 3; c++) offset[c] *= factor;
  return Math.hypot(offset[0], offset[1], offset[2]);
}

/** Appends the offset of the next key of the curve. Returns its length. */
function addOffset(polyline: Polyline, line: Line): number {
  const { path, values } = polyline.curve;
  const length = offsetOf(polyline, line, values, PATH_WIDTH[path] * (line.start + line.offsets.length / 3 + 1));
  line.offsets.push(offset[0], offset[1], offset[2]);
  return length;
}

/** Returns the distance of a line from a key of the curve. The arc between two rotations is at most as long as the difference of their rotation vectors. */
function distanceAt({ curve: { times } }: Polyline, { start, offsets, slope }: Line, key: number): number {
  const duration = times[key] - times[start];
  const at = 3 * (key - start - 1);
  const x = slope[0] * duration - offsets[at];
  const y = slope[1] * duration - offsets[at + 1];
  const z = slope[2] * duration - offsets[at + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** Turns a line to the value of the curve at a key. */
function aimAt({ curve: { times } }: Polyline, { start, offsets, slope }: Line, key: number): void {
  for (let c = 0; c < 3; c++) slope[c] = offsets[3 * (key - start - 1) + c] / (times[key] - times[start]);
}

/** Returns whether a line is within all tolerances before a key. */
function fitsBefore(polyline: Polyline, line: Line, end: number): boolean {
  for (let key = line.start + 1; key < end; key++)
    if (distanceAt(polyline, line, key) > polyline.tolerances[key]) return false;
  return true;
}

/** Turns a line into the tolerances of all keys up to `end`, each time into the one that it is farthest off. Returns whether it is in all of them. */
function turnInto(polyline: Polyline, line: Line, end: number): boolean {
  const { curve, tolerances } = polyline;
  const { start, offsets, slope } = line;
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    let worst = 0;
    let most = 1;
    for (let key = start + 1; key <= end; key++) {
      const ratio = distanceAt(polyline, line, key) / tolerances[key];
      if (ratio > most) [worst, most] = [key, ratio];
    }
    if (worst === 0) return true;
    const duration = curve.times[worst] - curve.times[start];
    const part = (1 - INSIDE / most) / duration;
    for (let c = 0; c < 3; c++) slope[c] -= part * (slope[c] * duration - offsets[3 * (worst - start - 1) + c]);
  }
  return false;
}

/**
 * Returns the longest line from a key of a polyline that is within all tolerances: to a kept key at most, at least to the next key of the curve, and to a preferred
 * key if it gets to one.
 */
function longestLine(polyline: Polyline, start: number, value: readonly number[]): Line {
  const { tolerances, curve, isPreferred } = polyline;
  const line: Line = { start, value, offsets: [], slope: new Float64Array(3), end: start + 1 };
  const { slope } = line;
  addOffset(polyline, line);
  aimAt(polyline, line, start + 1);
  const longest = slope.slice();
  for (let key = start + 2; key < tolerances.length && tolerances[key - 1] > 0; key++) {
    const length = addOffset(polyline, line);
    if (curve.path === 'rotation' && length > LONGEST_ARC) break;
    const isKept = tolerances[key] === 0;
    if (isKept) aimAt(polyline, line, key);
    if (isKept ? !fitsBefore(polyline, line, key) : !turnInto(polyline, line, key)) break;
    if (!isKept && isPreferred[key] === 0 && isPreferred[line.end] === 1) continue;
    line.end = key;
    longest.set(slope);
  }
  slope.set(longest);
  return line;
}

/** Returns the value of a line at its end; that of the curve at kept keys. */
function endValue({ curve, tolerances }: Polyline, { start, value, slope, end }: Line): number[] {
  const { path, times, values } = curve;
  const width = PATH_WIDTH[path];
  if (tolerances[end] === 0) {
    const kept = Array.from(values.subarray(width * end, width * (end + 1)));
    return path === 'rotation' && quat.dot(kept, 0, value, 0) < 0 ? kept.map((component) => -component) : kept;
  }
  const duration = times[end] - times[start];
  const [x, y, z] = [slope[0] * duration, slope[1] * duration, slope[2] * duration];
  if (path !== 'rotation') return [value[0] + x, value[1] + y, value[2] + z];
  const angle = Math.hypot(x, y, z);
  const factor = angle > TINY_SINE ? Math.sin(angle / 2) / angle : 0.5;
  quat.set(offset, 0, factor * x, factor * y, factor * z, Math.cos(angle / 2));
  quat.multiply(offset, 0, value, 0, offset, 0);
  quat.normalize(offset, 0, offset, 0);
  return [offset[0], offset[1], offset[2], offset[3]];
}

/** Returns whether a line that ends at a key of the polyline, with its value, is within all tolerances. */
function connects(polyline: Polyline, line: Line, to: number): boolean {
  const { curve, keys, values } = polyline;
  const length = offsetOf(polyline, line, values, PATH_WIDTH[curve.path] * to);
  if (curve.path === 'rotation' && length > LONGEST_ARC) return false;
  const duration = curve.times[keys[to]] - curve.times[line.start];
  for (let c = 0; c < 3; c++) line.slope[c] = offset[c] / duration;
  return fitsBefore(polyline, line, keys[to]);
}

/**
 * Multiplies the tolerances between keys of a polyline, and fits it again there.
 *
 * @param factors Factor above 0 by the index of the key before.
 * @returns Keys of the curve between which the polyline has changed: first and last, in order.
 */
export function tightenPolyline(polyline: Polyline, factors: ReadonlyMap<number, number>): [number, number][] {
  const { curve, tolerances, keys, values } = polyline;
  const width = PATH_WIDTH[curve.path];
  const isOff = new Uint8Array(keys.length);
  for (const [before, factor] of factors) {
    for (let key = keys[before]; key <= keys[before + 1]; key++) tolerances[key] *= factor;
    isOff.fill(1, before, before + 2);
  }
  const changed: [number, number][] = [];
  const newKeys: number[] = [];
  const newValues: number[] = [];
  const keep = (key: number): void => {
    newKeys.push(keys[key]);
    for (let c = width * key; c < width * (key + 1); c++) newValues.push(values[c]);
  };
  let key = 0;
  keep(0);
  while (key + 1 < keys.length) {
    if (isOff[key + 1] === 0) {
      keep(++key);
      continue;
    }
    // A new line at a time, until one leads to a key whose value may stay.
    const from = keys[key];
    let start = from;
    for (let isNew = true; isNew && start < keys[keys.length - 1]; ) {
      const line = longestLine(polyline, start, newValues.slice(-width));
      const end = endValue(polyline, line);
      start = line.end;
      while (key + 1 < keys.length && keys[key + 1] <= start) key++;
      let to = key;
      while (keys[to] > line.start && (isOff[to] === 1 || !connects(polyline, line, to))) to--;
      if (keys[to] > line.start) {
        keep(to);
        [key, start, isNew] = [to, keys[to], false];
      } else {
        newKeys.push(start);
        newValues.push(...end);
      }
    }
    changed.push([from, start]);
  }
  polyline.keys = newKeys;
  polyline.values = newValues;
  return changed;
}

/** Returns a polyline as a track. */
export function polylineTrack({ curve, keys, values }: Polyline): Track {
  const times = new Float64Array(keys.length);
  for (let key = 0; key < keys.length; key++) times[key] = curve.times[keys[key]];
  return { ...curve, times, values: new Float64Array(values) };
}

/**
 * Fits a polyline to a curve: from each key on the longest line within the tolerance.
 *
 * @param curve LINEAR, with two keys at least.
 * @param tolerance Greatest error above 0: radians for rotations, else the length of the difference.
 * @param grid Times of the curve that should rather get a key than others, ascending; all by default.
 */
export function fitPolyline(curve: Track, tolerance: number, grid: Floats = curve.times): Polyline {
  const { path, times, values } = curve;
  const width = PATH_WIDTH[path];
  const last = times.length - 1;
  const tolerances = new Float64Array(times.length).fill(tolerance);
  // A change of a key next to a jump could turn the other way around.
  for (let key = 1; path === 'rotation' && key <= last; key++)
    if (quat.angleBetween(values, 4 * key - 4, values, 4 * key) > LONGEST_ARC) tolerances.fill(0, key - 1, key + 1);
  tolerances[0] = 0;
  tolerances[last] = 0;
  const ends = [...values.subarray(0, width), ...values.subarray(width * last)];
  const isPreferred = new Uint8Array(times.length);
  for (let key = 0, next = 0; key <= last; key++) {
    while (grid[next] < times[key]) next++;
    if (grid[next] === times[key]) isPreferred[key] = 1;
  }
  const polyline: Polyline = { curve, tolerances, isPreferred, keys: [0, last], values: ends };
  tightenPolyline(polyline, new Map([[0, 1]]));
  return polyline;
}
