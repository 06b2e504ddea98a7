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
const MOST_TURNS = 8;
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
  values: Float64Array;
}

// The line that is being fitted, in working memory of which nothing outlives a call.

/** Its first and last value. */
const from = new Float64Array(4);
const to = new Float64Array(4);
/** Difference of another value from the first; a rotation vector for rotations. */
const offset = new Float64Array(3);
/** Change per second, and that of the longest line until now. */
const slope = new Float64Array(3);
const longest = new Float64Array(3);
/** The slopes that lead into the tolerance of each following key of the curve are a ball: its center and 1 / radius². */
let balls = new Float64Array(4 * 256);

/** Writes the difference of a value from the first one. Returns its length. */
function writeOffset(path: Track['path'], values: Floats, at: number): number {
  let x = values[at] - from[0];
  let y = values[at + 1] - from[1];
  let z = values[at + 2] - from[2];
  if (path === 'rotation') {
    const ax = from[0];
    const ay = from[1];
    const az = from[2];
    const aw = from[3];
    const bx = values[at];
    const by = values[at + 1];
    const bz = values[at + 2];
    const bw = values[at + 3];
    x = aw * bx - ax * bw - ay * bz + az * by;
    y = aw * by + ax * bz - ay * bw - az * bx;
    z = aw * bz - ax * by + ay * bx - az * bw;
    const w = aw * bw + ax * bx + ay * by + az * bz;
    const sine = Math.sqrt(x * x + y * y + z * z);
    const factor = (sine > TINY_SINE ? (2 * Math.atan2(sine, Math.abs(w))) / sine : 2) * (w < 0 ? -1 : 1);
    x *= factor;
    y *= factor;
    z *= factor;
  }
  offset[0] = x;
  offset[1] = y;
  offset[2] = z;
  return Math.sqrt(x * x + y * y + z * z);
}

/** Writes the ball of a key after the start. Returns the length of the offset. */
function writeBall({ path, times, values }: Track, tolerances: Float64Array, start: number, key: number): number {
  const length = writeOffset(path, values, PATH_WIDTH[path] * key);
  const duration = times[key] - times[start];
  const at = 4 * (key - start - 1);
  if (at === balls.length) {
    const shorter = balls;
    balls = new Float64Array(2 * at);
    balls.set(shorter);
  }
  for (let c = 0; c < 3; c++) balls[at + c] = offset[c] / duration;
  balls[at + 3] = (duration / tolerances[key]) ** 2;
  return length;
}

/** Turns the slope to the center of the last of so many balls. */
function aim(count: number): void {
  for (let c = 0; c < 3; c++) slope[c] = balls[4 * count - 4 + c];
}

/** Returns the squared distance of the slope from the center of the ball at an offset, relative to its radius. */
function squaredRatio(at: number): number {
  const x = slope[0] - balls[at];
  const y = slope[1] - balls[at + 1];
  const z = slope[2] - balls[at + 2];
  return (x * x + y * y + z * z) * balls[at + 3];
}

/** Returns whether the slope is in all of the first balls. */
function fits(count: number): boolean {
  for (let at = 4 * count - 4; at >= 0; at -= 4) if (squaredRatio(at) > 1) return false;
  return true;
}

/** Returns whether no slope is in both balls. */
function areApart(a: number, b: number): boolean {
  const x = balls[a] - balls[b];
  const y = balls[a + 1] - balls[b + 1];
  const z = balls[a + 2] - balls[b + 2];
  return Math.sqrt(x * x + y * y + z * z) > 1 / Math.sqrt(balls[a + 3]) + 1 / Math.sqrt(balls[b + 3]);
}

/** Turns a slope that is in all but the last of so many balls into all, each time into the one that it is farthest off. Returns whether it is in all of them. */
function turnInto(count: number): boolean {
  const last = 4 * count - 4;
  let worst = last;
  let ratio = squaredRatio(last);
  for (let turns = 0; ratio > 1 && turns < MOST_TURNS; turns++) {
    const part = 1 - INSIDE / Math.sqrt(ratio);
    for (let c = 0; c < 3; c++) slope[c] -= part * (slope[c] - balls[worst + c]);
    const entered = worst;
    ratio = 1;
    for (let at = last; at >= 0; at -= 4) {
      const other = squaredRatio(at);
      if (other <= ratio) continue;
      ratio = other;
      worst = at;
    }
    if (ratio > 1 && areApart(worst, entered)) return false;
  }
  if (ratio <= 1) return true;
  aim(count);
  return fits(count - 1);
}

/** Returns how far the slope may turn in any direction so that it stays in all of the first balls; below 0 if it is not. */
function roomIn(count: number): number {
  let room = Infinity;
  for (let at = 4 * count - 4; at >= 0 && room >= 0; at -= 4)
    room = Math.min(room, (1 - Math.sqrt(squaredRatio(at))) / Math.sqrt(balls[at + 3]));
  return room;
}

/** Moves the slope towards the center of the last ball, half as far as it stays in all: the next line has more room from there. */
function center(count: number): void {
  const end = 4 * count - 4;
  const dx = balls[end] - slope[0];
  const dy = balls[end + 1] - slope[1];
  const dz = balls[end + 2] - slope[2];
  const squared = dx * dx + dy * dy + dz * dz;
  if (squared === 0) return;
  let part = 1;
  for (let at = 0; at < end; at += 4) {
    const x = slope[0] - balls[at];
    const y = slope[1] - balls[at + 1];
    const z = slope[2] - balls[at + 2];
    const along = x * dx + y * dy + z * dz;
    const outside = x * x + y * y + z * z - 1 / balls[at + 3];
    const most = (Math.sqrt(Math.max(0, along * along - squared * outside)) - along) / squared;
    part = Math.min(part, Math.max(0, most));
  }
  slope[0] += (part / 2) * dx;
  slope[1] += (part / 2) * dy;
  slope[2] += (part / 2) * dz;
}

/**
 * Fits the longest line from a value at a key that is within all tolerances: to a kept key at most, at least to the next key of the curve, and to a
 * preferred key if it gets to one. `isChord`: whether the line ends at the value of the curve. Returns its end.
 */
function longestLine({ tolerances, curve, isPreferred }: Polyline, start: number, isChord: boolean): number {
  const { path } = curve;
  let end = start + 1;
  writeBall(curve, tolerances, start, end);
  aim(1);
  longest.set(slope);
  let room = 0;
  for (let key = start + 2; key < tolerances.length && tolerances[key - 1] > 0; key++) {
    const length = writeBall(curve, tolerances, start, key);
    if (path === 'rotation' && length > LONGEST_ARC) break;
    const count = key - start;
    const isKept = tolerances[key] === 0;
    if (isKept) {
      aim(count);
      if (!fits(count - 1)) break;
    } else if (isChord) {
      // A chord that is as near to one before it as that may turn fits too: long lines need not look at all keys each time.
      const at = 4 * count - 4;
      room -= Math.sqrt(squaredRatio(at) / balls[at + 3]);
      aim(count);
      if (!(room >= 0)) room = roomIn(count);
      if (room < 0) break;
      room = Math.min(room, 1 / Math.sqrt(balls[at + 3]));
    } else if (!turnInto(count)) break;
    if (!isKept && isPreferred[key] === 0 && isPreferred[end] === 1) continue;
    end = key;
    longest.set(slope);
  }
  slope.set(longest);
  if (tolerances[end] > 0 && !isChord) center(end - start);
  return end;
}

/** Writes the value of the line at its end: that of the curve at kept keys and of chords. */
function writeEnd({ curve, tolerances }: Polyline, start: number, end: number, isChord: boolean): void {
  const { path, times, values } = curve;
  if (tolerances[end] === 0 || isChord) {
    const width = PATH_WIDTH[path];
    const sign = path === 'rotation' && quat.dot(values, 4 * end, from, 0) < 0 ? -1 : 1;
    for (let c = 0; c < width; c++) to[c] = sign * values[width * end + c];
    return;
  }
  const duration = times[end] - times[start];
  const x = slope[0] * duration;
  const y = slope[1] * duration;
  const z = slope[2] * duration;
  if (path !== 'rotation') {
    quat.set(to, 0, from[0] + x, from[1] + y, from[2] + z, 0);
    return;
  }
  const angle = Math.sqrt(x * x + y * y + z * z);
  const factor = angle > TINY_SINE ? Math.sin(angle / 2) / angle : 0.5;
  quat.set(to, 0, factor * x, factor * y, factor * z, Math.cos(angle / 2));
  quat.multiply(to, 0, from, 0, to, 0);
  quat.normalize(to, 0, to, 0);
}

/** Returns whether a line to a key of the polyline, with its value, is within all tolerances. */
function connects({ curve: { path, times }, keys, values }: Polyline, start: number, key: number): boolean {
  const length = writeOffset(path, values, PATH_WIDTH[path] * key);
  if (path === 'rotation' && length > LONGEST_ARC) return false;
  const duration = times[keys[key]] - times[start];
  for (let c = 0; c < 3; c++) slope[c] = offset[c] / duration;
  return fits(keys[key] - start - 1);
}

/**
 * Fits lines where keys are off. `isOff`: 1 for each key of the polyline that is to be replaced, or may only stay as the start of a line. Returns
 * keys of the curve between which the polyline has changed: first and last, in order.
 */
function fitLines(polyline: Polyline, isOff: Uint8Array, isChord: boolean): [number, number][] {
  const { curve, keys, values } = polyline;
  const width = PATH_WIDTH[curve.path];
  const last = keys.length - 1;
  const changed: [number, number][] = [];
  const newKeys: number[] = [];
  const newValues: number[] = [];
  const keep = (key: number): void => {
    newKeys.push(keys[key]);
    for (let c = width * key; c < width * (key + 1); c++) newValues.push(values[c]);
  };
  let key = 0;
  keep(0);
  while (key < last) {
    if (isOff[key + 1] === 0) {
      keep(++key);
      continue;
    }
    // A new line at a time, until one leads to a key whose value may stay.
    const first = keys[key];
    let start = first;
    for (let isNew = true; isNew && start < keys[last]; ) {
      for (let c = 0; c < width; c++) from[c] = newValues[newValues.length - width + c];
      const end = longestLine(polyline, start, isChord);
      writeEnd(polyline, start, end, isChord);
      while (key < last && keys[key + 1] <= end) key++;
      let stays = key;
      while (keys[stays] > start && (isOff[stays] === 1 || !connects(polyline, start, stays))) stays--;
      isNew = keys[stays] <= start;
      if (isNew) {
        newKeys.push(end);
        for (let c = 0; c < width; c++) newValues.push(to[c]);
        start = end;
      } else {
        keep(stays);
        key = stays;
        start = keys[stays];
      }
    }
    changed.push([first, start]);
  }
  polyline.keys = newKeys;
  polyline.values = Float64Array.from(newValues);
  return changed;
}

/**
 * Multiplies the tolerances between keys of a polyline, and fits it again there. `factors`: factor above 0 by the index of the key before. Returns
 * keys of the curve between which the polyline has changed: first and last, in order.
 */
export function tightenPolyline(polyline: Polyline, factors: ReadonlyMap<number, number>): [number, number][] {
  const { tolerances, keys } = polyline;
  const isOff = new Uint8Array(keys.length);
  for (const [before, factor] of factors) {
    for (let key = keys[before]; key <= keys[before + 1]; key++) tolerances[key] *= factor;
    isOff.fill(1, before, before + 2);
  }
  return fitLines(polyline, isOff, false);
}

/** Returns a polyline as a track. */
export function polylineTrack({ curve, keys, values }: Polyline): Track {
  const times = new Float64Array(keys.length);
  for (let key = 0; key < keys.length; key++) times[key] = curve.times[keys[key]];
  return { ...curve, times, values };
}

/**
 * Fits a polyline to a curve: from each key on the longest line within the tolerances. It never has more keys than chords of the curve that are
 * fitted in this way. `curve`: LINEAR, with two keys at least. `tolerances`: greatest error at each key of the curve, above 0: radians for
 * rotations, else the length of the difference. They become those of the polyline. `grid`: times of the curve that should rather get a key than
 * others, ascending; all by default.
 */
export function fitPolyline(curve: Track, tolerances: Float64Array, grid: Floats = curve.times): Polyline {
  const { path, times, values } = curve;
  const width = PATH_WIDTH[path];
  const last = times.length - 1;
  // A change of a key next to a jump could turn the other way around.
  for (let key = 1; path === 'rotation' && key <= last; key++)
    if (quat.angleBetween(values, 4 * key - 4, values, 4 * key) > LONGEST_ARC) tolerances.fill(0, key - 1, key + 1);
  tolerances[0] = 0;
  tolerances[last] = 0;
  const isPreferred = new Uint8Array(times.length);
  for (let key = 0, next = 0; key <= last; key++) {
    while (grid[next] < times[key]) next++;
    if (grid[next] === times[key]) isPreferred[key] = 1;
  }
  const fitted = (isChord: boolean): Polyline => {
    const ends = Float64Array.of(...values.subarray(0, width), ...values.subarray(width * last));
    const polyline: Polyline = { curve, tolerances, isPreferred, keys: [0, last], values: ends };
    fitLines(polyline, Uint8Array.of(1, 1), isChord);
    return polyline;
  };
  const [free, chords] = [fitted(false), fitted(true)];
  return chords.keys.length < free.keys.length ? chords : free;
}
