/** Gives tracks LINEAR keys: those of the motion's file, and more only where a joint would leave its exact path between them. */
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { localToModelMatrices } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { type Interpolation, PATH_WIDTH, type Track, type TrackPath } from './clip.ts';
import { decimateKeys, pickKeys } from './decimate-keys.ts';
import { linearKeyLimit, linearTrack } from './linear-track.ts';
import { SAFETY, unionTimes } from './resample.ts';
import { type KeyTolerance, RELATIVE_TOLERANCE, ROTATION_TOLERANCE } from './resample-tolerance.ts';
import { sampleTrack } from './sample.ts';

/** Rounds of added keys. Each halves the intervals that are still off, to a quarter of their error. */
const ROUNDS = 12;
/** Tracks of a chain that get a key together: their part of the error is at least this fraction of the largest. */
const LARGE_PART = 0.5;
/** Shortest interval that gets a key, seconds: no motion changes faster. */
const SHORTEST = 1 / 1000;
/** Compared times per second times the square root of the tolerance, as keys are: 240 for 0.1°. Between two start times of keys at least and at most so many. */
const CHECK_RATE = 10;
const LEAST_CHECKS = 3;
const MOST_CHECKS = 64;
/** Seconds over which the speed of a node is measured. */
const SPEED_STEP = 1 / 240;

/** A track while it gets LINEAR keys. */
interface Conversion {
  /** The exact track. */
  readonly track: Track;
  /** Times of the keys that it has in any case. */
  readonly starts: Floats;
  /** The LINEAR keys. */
  linear: Track;
  /** Times of keys to add. */
  readonly added: Set<number>;
}

/** Tolerances in the unit of the skeleton. */
type Tolerance = Pick<KeyTolerance, 'rotation' | 'worldRotation' | 'position' | 'delay'>;

/** Returns the first index of ascending times from which on they are at least `time`. */
function firstFrom(times: Floats, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the middle of the interval of the keys around a time; null for one that is not halved. */
function middleAt({ track, linear: { times }, added }: Conversion, time: number): number | null {
  const key = firstFrom(times, time);
  if (key === 0 || key === times.length || times.length + added.size >= linearKeyLimit(track)) return null;
  const [from, to] = [times[key - 1], times[key]];
  return to - from < 2 * SHORTEST ? null : Math.fround(from + (to - from) / 2);
}

/** Adds the keys of a conversion. */
function addKeys(conversion: Conversion): void {
  const { track, linear, added } = conversion;
  const width = PATH_WIDTH[track.path];
  const times = Float32Array.from([...linear.times, ...added]).sort();
  const values = new Float64Array(width * times.length);
  let old = 0;
  for (let key = 0; key < times.length; key++) {
    const at = width * key;
    if (times[key] === linear.times[old]) {
      for (let c = 0; c < width; c++) values[at + c] = linear.values[width * old + c];
      old++;
    } else sampleTrack(track, times[key], values, at);
    if (width !== 4 || key === 0 || quat.dot(values, at, values, at - 4) >= 0) continue;
    for (let c = at; c < at + 4; c++) values[c] = -values[c];
  }
  conversion.linear = { ...linear, times, values };
  added.clear();
}

/** The nodes that converted tracks move, and all above them: parents first. */
interface ComparedNodes {
  /** Parent of each in the list; −1 for a root. */
  readonly parents: Int32Array;
  /** Local rest pose, 10 floats each. */
  readonly rest: Float64Array;
  /** 1 for nodes that converted tracks move. */
  readonly isMoved: Uint8Array;
  /** Position in the list of each node of the skeleton; −1 for others. */
  readonly at: Int32Array;
}

function comparedNodes({ parents, rest }: Skeleton, conversions: readonly Conversion[]): ComparedNodes {
  const moved = new Uint8Array(parents.length);
  for (const { track } of conversions) moved[track.target] = 1;
  for (let node = 0; node < parents.length; node++) if (parents[node] >= 0) moved[node] |= moved[parents[node]];
  const wanted = moved.slice();
  for (let node = parents.length - 1; node >= 0; node--) if (parents[node] >= 0) wanted[parents[node]] |= wanted[node];
  const at = new Int32Array(parents.length).fill(-1);
  const nodes: number[] = [];
  for (let node = 0; node < parents.length; node++) if (wanted[node] === 1) at[node] = nodes.push(node) - 1;
  return {
    parents: Int32Array.from(nodes, (node) => (parents[node] < 0 ? -1 : at[parents[node]])),
    rest: Float64Array.from(nodes.flatMap((node) => [...rest.slice(POSE_STRIDE * node, POSE_STRIDE * (node + 1))])),
    isMoved: Uint8Array.from(nodes, (node) => moved[node]),
    at,
  };
}

/** Samples the compared nodes, exact and with LINEAR keys. */
interface ComparedPoses {
  /** Local poses, 10 floats per node. */
  readonly exact: Float64Array;
  readonly linear: Float64Array;
  /** Model matrices, 16 floats per node; those of `earlier` are exact, {@link SPEED_STEP} before. */
  readonly exactMatrices: Float64Array;
  readonly linearMatrices: Float64Array;
  readonly earlier: Float64Array;
  readonly sample: (time: number) => void;
}

function createPoses(
  { parents, rest, at }: ComparedNodes,
  tracks: readonly Track[],
  conversions: readonly Conversion[],
): ComparedPoses {
  const exact = rest.slice();
  const linear = rest.slice();
  const matrices = (): Float64Array => new Float64Array(MATRIX_STRIDE * parents.length);
  const [exactMatrices, linearMatrices, earlier] = [matrices(), matrices(), matrices()];
  const converted = new Set(conversions.map(({ track }) => track));
  const others = tracks.filter((track) => at[track.target] >= 0 && !converted.has(track));
  const offsetOf = ({ target, path }: Track): number => POSE_STRIDE * at[target] + PATH_OFFSET[path];
  const otherCursors = new Int32Array(others.length);
  const exactCursors = new Int32Array(conversions.length);
  const linearCursors = new Int32Array(conversions.length);
  const sampleExact = (time: number): void => {
    for (const [k, track] of others.entries())
      otherCursors[k] = sampleTrack(track, time, exact, offsetOf(track), otherCursors[k]);
    for (const [k, { track }] of conversions.entries())
      exactCursors[k] = sampleTrack(track, time, exact, offsetOf(track), exactCursors[k]);
  };
  const sample = (time: number): void => {
    sampleExact(time - SPEED_STEP);
    localToModelMatrices(earlier, parents, exact);
    sampleExact(time);
    localToModelMatrices(exactMatrices, parents, exact);
    linear.set(exact);
    for (const [k, { track, linear: keys }] of conversions.entries())
      linearCursors[k] = sampleTrack(keys, time, linear, offsetOf(track), linearCursors[k]);
    localToModelMatrices(linearMatrices, parents, linear);
  };
  return { exact, linear, exactMatrices, linearMatrices, earlier, sample };
}

/** Returns the error of a node as a fraction of what is allowed. Matrices hold for mirrored and sheared nodes too. */
function errorRatio(
  { exactMatrices: a, linearMatrices: b, earlier }: ComparedPoses,
  k: number,
  { worldRotation, position, delay }: Tolerance,
): number {
  const at = MATRIX_STRIDE * k;
  let off = 0;
  let size = 0;
  for (let column = at; column < at + 12; column += 4) {
    for (let c = column; c < column + 3; c++) {
      off += (a[c] - b[c]) ** 2;
      size += a[c] * a[c];
    }
  }
  // A small rotation by θ changes three axes, whose squares add up to s, by the square root of 2/3 · s · θ².
  const angle = size > 0 ? Math.sqrt((1.5 * off) / size) : 0;
  const speed = vec3.distance(a, at + 12, earlier, at + 12) / SPEED_STEP;
  return Math.max(angle / worldRotation, vec3.distance(a, at + 12, b, at + 12) / (position + delay * speed));
}

/** Estimates how far a converted track moves a point at some distance from its node, in model space. */
function partOfError(
  { path }: Track,
  k: number,
  above: number,
  { exact, linear, exactMatrices }: ComparedPoses,
  distance: number,
): number {
  const at = POSE_STRIDE * k + PATH_OFFSET[path];
  if (path === 'rotation') return quat.angleBetween(exact, at, linear, at) * distance;
  const local = vec3.distance(exact, at, linear, at);
  if (path === 'scale') return local * distance;
  return above < 0 ? local : local * vec3.length(exactMatrices, MATRIX_STRIDE * above);
}

/** Returns the times at which poses are compared: none is at a start time, nor where a halved interval has a key. */
function checkTimes(conversions: readonly Conversion[], rotation: number): Float64Array {
  const rate = CHECK_RATE / Math.sqrt(rotation);
  const keys = unionTimes(conversions.map(({ starts }) => starts));
  const times: number[] = [];
  for (let key = 0; key + 1 < keys.length; key++) {
    const gap = keys[key + 1] - keys[key];
    if (gap < SHORTEST) continue;
    const count = Math.min(MOST_CHECKS, Math.max(LEAST_CHECKS, Math.round(gap * rate)));
    for (let k = 0; k < count; k++) times.push(keys[key] + ((k + 0.5) / count) * gap);
  }
  return Float64Array.from(times);
}

/** Adds keys until every node is within the tolerance at all compared times. */
function refine(
  skeleton: Skeleton,
  tracks: readonly Track[],
  conversions: readonly Conversion[],
  tolerance: Tolerance,
): void {
  const nodes = comparedNodes(skeleton, conversions);
  const { parents, isMoved, at } = nodes;
  const poses = createPoses(nodes, tracks, conversions);
  const byNode: Conversion[][] = Array.from(parents, () => []);
  for (const conversion of conversions) byNode[at[conversion.track.target]].push(conversion);
  /** A rotation also turns the node itself, which a point at this distance shows. */
  const beside = tolerance.position / tolerance.worldRotation;
  const chooseKeys = (worst: number, time: number): void => {
    const parts: { conversion: Conversion; error: number }[] = [];
    const positions = poses.exactMatrices;
    for (let k = worst; k >= 0; k = parents[k]) {
      const distance = beside + vec3.distance(positions, MATRIX_STRIDE * worst + 12, positions, MATRIX_STRIDE * k + 12);
      for (const conversion of byNode[k])
        parts.push({ conversion, error: partOfError(conversion.track, k, parents[k], poses, distance) });
    }
    const largest = Math.max(...parts.map(({ error }) => error));
    for (const { conversion, error } of parts) {
      // Keys of other tracks do not make up for a track that has as many as it may.
      const middle = error > 0 && error >= LARGE_PART * largest ? middleAt(conversion, time) : null;
      if (middle !== null) conversion.added.add(middle);
    }
  };
  const times = checkTimes(conversions, tolerance.rotation);
  const isPending = new Uint8Array(times.length).fill(1);
  for (let round = 0; round < ROUNDS; round++) {
    for (let check = 0; check < times.length; check++) {
      if (isPending[check] === 0) continue;
      isPending[check] = 0;
      poses.sample(times[check]);
      let worst = -1;
      let most = 1;
      for (let k = 0; k < parents.length; k++) {
        const ratio = isMoved[k] === 1 ? errorRatio(poses, k, tolerance) : 0;
        if (ratio > most) [worst, most] = [k, ratio];
      }
      if (worst >= 0) chooseKeys(worst, times[check]);
    }
    const changed = conversions.filter(({ added }) => added.size > 0);
    if (changed.length === 0) return;
    for (const conversion of changed) {
      const keys = conversion.linear.times;
      for (const time of conversion.added) {
        const key = firstFrom(keys, time);
        isPending.fill(1, firstFrom(times, keys[key - 1]), firstFrom(times, keys[key]));
      }
      addKeys(conversion);
    }
  }
}

/** Times closer than this are one key, seconds, and relative to the time: key times are float32. */
const SAME_TIME = 1e-6;
const SAME_TIME_RATIO = 2 ** -22;

/**
 * Returns the times at which a track needs a key: those that are also key times of the motion, and the first and the last. Tracks that were sampled at frames of
 * their own get all key times of the motion.
 */
function commonTimes(times: Floats, keyTimes: Floats): Floats {
  const isCommon = (time: number, key: number): boolean => {
    const near = SAME_TIME + SAME_TIME_RATIO * time;
    return key === 0 || key === times.length - 1 || keyTimes[firstFrom(keyTimes, time - near)] <= time + near;
  };
  const common = times.filter(isCommon);
  if (common.length === times.length) return times;
  const [first, last] = [times[0], times[times.length - 1]];
  const inRange = keyTimes.filter((time) => time > first && time < last);
  const isSampled = times.length > inRange.length && 2 * common.length < inRange.length;
  return Float32Array.from(isSampled ? [first, ...inRange, last] : common);
}

/** Greatest change of a track by keys that are left out, relative to the tolerances of exact keys: changes of all joints of a chain add up. */
const REDUNDANT = 0.2;

/** Leaves out keys that lie between their neighbors, where that takes less space: other tracks may share the times of all keys. */
function withoutRedundant(track: Track, size: number): Track {
  const { path, times, interpolation } = track;
  if (interpolation !== 'LINEAR' || times.length < 3) return track;
  const width = PATH_WIDTH[path];
  const allowed = path === 'rotation' ? ROTATION_TOLERANCE : RELATIVE_TOLERANCE * (path === 'scale' ? 1 : size);
  const kept = decimateKeys(track, width, path === 'rotation', REDUNDANT * allowed);
  kept[times.length - 1] = 1;
  const count = kept.reduce((sum, one) => sum + one, 0);
  return count * (width + 1) < times.length * width ? pickKeys(track, width, kept) : track;
}

/** Part of the tolerance of a rotation that keys may use: tracks of FBX files are 0.005° off themselves. */
const MARGIN = 0.95;

/** How {@link linearKeys} chooses keys. */
export interface LinearKeyOptions {
  /** What keys may change. */
  readonly tolerance: KeyTolerance;
  /** Size that tolerances are relative to, in the unit of the skeleton, above 0. */
  readonly size: number;
  /** Interpolations that become LINEAR. */
  readonly converts: readonly Interpolation[];
  /** Key times of the motion, seconds, ascending: other keys of a track are left out where they are not needed. All keys of a track are its own by default. */
  readonly keyTimes?: Floats;
  /** Whether to leave out keys that lie between their neighbors, as recordings have them in every frame. */
  readonly isBaked?: boolean;
}

/**
 * Gives tracks LINEAR keys at the key times of their motion, and more where a joint would leave its exact path between them: intervals of the tracks above it
 * are halved until world rotations and world positions of all nodes are within the tolerance.
 */
export function linearKeys(
  skeleton: Skeleton,
  tracks: readonly Track[],
  { tolerance, size, converts, keyTimes, isBaked = false }: LinearKeyOptions,
): Track[] {
  const allowed: Record<TrackPath, number> = {
    rotation: MARGIN * tolerance.rotation,
    translation: tolerance.translation * size,
    scale: tolerance.weight,
  };
  const known = new Map<Floats, Floats>();
  const startsOf = ({ times }: Track): Floats => {
    const starts = keyTimes === undefined ? times : (known.get(times) ?? commonTimes(times, keyTimes));
    known.set(times, starts);
    return starts;
  };
  const conversions = new Map<Track, Conversion>();
  const linear = tracks.map((track): Track => {
    if (track.interpolation !== 'LINEAR' && !converts.includes(track.interpolation)) return track;
    const starts = startsOf(track);
    const keys = linearTrack(track, allowed[track.path], starts);
    if (keys !== track && track.interpolation !== 'STEP')
      conversions.set(track, { track, starts, linear: keys, added: new Set() });
    return keys;
  });
  if (conversions.size > 0) {
    const { rotation, worldRotation, position, delay } = tolerance;
    refine(skeleton, tracks, [...conversions.values()], {
      rotation,
      worldRotation: SAFETY * worldRotation,
      position: SAFETY * position * size,
      delay,
    });
  }
  return tracks.map((track, t) => {
    const keys = conversions.get(track)?.linear ?? linear[t];
    return isBaked ? withoutRedundant(keys, size) : keys;
  });
}
