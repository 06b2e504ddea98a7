/** Gives tracks LINEAR keys: as few as keep all joints near their exact paths. */
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { localToModelMatrices } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { type Interpolation, PATH_WIDTH, type Track, type TrackPath } from './clip.ts';
import { fitPolyline, type Polyline, polylineTrack, tightenPolyline } from './fit-polyline.ts';
import { linearTrack } from './linear-track.ts';
import { SAFETY, unionTimes } from './resample.ts';
import type { KeyTolerance } from './resample-tolerance.ts';
import { sampleTrack } from './sample.ts';

/** Times that the tolerances of tracks are tightened where nodes are off. */
const ROUNDS = 16;
/** Tracks of a chain whose tolerances are tightened together: their part of the error is at least this fraction of the largest. */
const LARGE_PART = 0.75;
/** Part of the allowed error that tightened tolerances aim at, and the smallest factor of a round. */
const AIM = 0.95;
const LEAST_FACTOR = 0.25;
/** Parts of the time between two key times at most. */
const MOST_PARTS = 64;
/** Seconds over which the speed of a node is measured. */
const SPEED_STEP = 1 / 240;

/** A track while it gets LINEAR keys. */
interface Conversion {
  /** The exact track. */
  readonly track: Track;
  readonly polyline: Polyline;
  /** The polyline as a track. */
  linear: Track;
  /** Factors of tolerances, by the key before the interval that is off. */
  readonly factors: Map<number, number>;
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
  /** Model matrices, 16 floats per node. */
  readonly exactMatrices: Float64Array;
  readonly linearMatrices: Float64Array;
  readonly sample: (time: number) => void;
  /** Returns the exact model matrices {@link SPEED_STEP} before the sampled time. */
  readonly earlier: () => Float64Array;
}

function createPoses(
  { parents, rest, at }: ComparedNodes,
  tracks: readonly Track[],
  conversions: readonly Conversion[],
): ComparedPoses {
  const exact = rest.slice();
  const linear = rest.slice();
  const matrices = (): Float64Array => new Float64Array(MATRIX_STRIDE * parents.length);
  const [exactMatrices, linearMatrices, earlierMatrices] = [matrices(), matrices(), matrices()];
  const before = rest.slice();
  const converted = new Set(conversions.map(({ track }) => track));
  const others = tracks.filter((track) => at[track.target] >= 0 && !converted.has(track));
  const offsetOf = ({ target, path }: Track): number => POSE_STRIDE * at[target] + PATH_OFFSET[path];
  const otherOffsets = others.map(offsetOf);
  const offsets = conversions.map(({ track }) => offsetOf(track));
  const otherCursors = new Int32Array(others.length);
  const exactCursors = new Int32Array(conversions.length);
  const linearCursors = new Int32Array(conversions.length);
  const sampleExact = (time: number, local: Float64Array): void => {
    for (let k = 0; k < others.length; k++)
      otherCursors[k] = sampleTrack(others[k], time, local, otherOffsets[k], otherCursors[k]);
    for (let k = 0; k < conversions.length; k++)
      exactCursors[k] = sampleTrack(conversions[k].track, time, local, offsets[k], exactCursors[k]);
  };
  let sampled = 0;
  let hasEarlier = false;
  const earlier = (): Float64Array => {
    if (!hasEarlier) {
      sampleExact(sampled - SPEED_STEP, before);
      localToModelMatrices(earlierMatrices, parents, before);
      hasEarlier = true;
    }
    return earlierMatrices;
  };
  const sample = (time: number): void => {
    sampled = time;
    hasEarlier = false;
    sampleExact(time, exact);
    localToModelMatrices(exactMatrices, parents, exact);
    linear.set(exact);
    for (let k = 0; k < conversions.length; k++)
      linearCursors[k] = sampleTrack(conversions[k].linear, time, linear, offsets[k], linearCursors[k]);
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
  const distance = vec3.distance(a, at + 12, b, at + 12);
  if (distance <= position) return angle / worldRotation;
  const speed = vec3.distance(a, at + 12, earlier(), at + 12) / SPEED_STEP;
  return Math.max(angle / worldRotation, distance / (position + delay * speed));
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

/** Divides the time between neighboring keys into equal parts. */
function dividedTimes(keys: Floats, rate: number): Float32Array {
  const times: number[] = [];
  for (let key = 0; key + 1 < keys.length; key++) {
    const gap = keys[key + 1] - keys[key];
    const count = Math.min(MOST_PARTS, Math.max(1, Math.round(gap * rate)));
    for (let k = 0; k < count; k++) times.push(keys[key] + (k / count) * gap);
  }
  times.push(...keys.slice(-1));
  return Float32Array.from(times);
}

/** Tightens tolerances of tracks until every node is within the tolerance at all compared times. */
function refine(
  skeleton: Skeleton,
  tracks: readonly Track[],
  conversions: readonly Conversion[],
  times: Float32Array,
  tolerance: Tolerance,
): void {
  const nodes = comparedNodes(skeleton, conversions);
  const { parents, isMoved, at } = nodes;
  const poses = createPoses(nodes, tracks, conversions);
  const byNode: Conversion[][] = Array.from(parents, () => []);
  for (const conversion of conversions) byNode[at[conversion.track.target]].push(conversion);
  /** A rotation also turns the node itself, which a point at this distance shows. */
  const beside = tolerance.position / tolerance.worldRotation;
  /** Tightens the tracks with the largest parts of the error of a node. */
  const tighten = (worst: number, ratio: number, time: number): void => {
    const parts: { conversion: Conversion; error: number }[] = [];
    const positions = poses.exactMatrices;
    for (let k = worst; k >= 0; k = parents[k]) {
      const distance = beside + vec3.distance(positions, MATRIX_STRIDE * worst + 12, positions, MATRIX_STRIDE * k + 12);
      for (const conversion of byNode[k])
        parts.push({ conversion, error: partOfError(conversion.track, k, parents[k], poses, distance) });
    }
    const largest = Math.max(...parts.map(({ error }) => error));
    const factor = Math.max(LEAST_FACTOR, AIM / ratio);
    for (const { conversion, error } of parts) {
      const { linear, factors } = conversion;
      const key = firstFrom(linear.times, time) - 1;
      if (!(error > 0 && error >= LARGE_PART * largest) || key < 0 || key + 1 >= linear.times.length) continue;
      factors.set(key, Math.min(factor, factors.get(key) ?? 1));
    }
  };
  /** Tightens what is off at a time. */
  const compareAt = (time: number): void => {
    poses.sample(time);
    let worst = 0;
    let most = 0;
    for (let k = 0; k < parents.length; k++) {
      const ratio = isMoved[k] === 1 ? errorRatio(poses, k, tolerance) : 0;
      if (ratio > most) [worst, most] = [k, ratio];
    }
    if (most > 1) tighten(worst, most, time);
  };
  const isPending = new Uint8Array(times.length).fill(1);
  for (let round = 0; round < ROUNDS; round++) {
    for (let check = 0; check < times.length; check++) {
      if (isPending[check] === 0) continue;
      isPending[check] = 0;
      compareAt(times[check]);
    }
    const changed = conversions.filter(({ factors }) => factors.size > 0);
    if (changed.length === 0) return;
    for (const conversion of changed) {
      const { polyline, factors } = conversion;
      const { times: keyTimes } = polyline.curve;
      for (const [from, to] of tightenPolyline(polyline, factors))
        isPending.fill(1, firstFrom(times, keyTimes[from]), firstFrom(times, keyTimes[to]));
      conversion.linear = polylineTrack(polyline);
      factors.clear();
    }
  }
}

/** Times closer than this are one key, seconds, and relative to the time: key times are float32. */
const SAME_TIME = 1e-6;
const SAME_TIME_RATIO = 2 ** -22;

/** Returns whether all times of a track are key times of the motion. */
function hasKeyTimes({ times }: Track, keyTimes: Floats): boolean {
  return times.every((time) => {
    const near = SAME_TIME + SAME_TIME_RATIO * time;
    return keyTimes[firstFrom(keyTimes, time - near)] <= time + near;
  });
}

/**
 * Keys are at key times of the motion and at equal parts of the time between them, of about so many per second. A multiple of usual frame rates leaves choice
 * enough; twice as many save no more keys.
 */
const GRID_RATE = 360;
const SHARED_GRID_RATE = 120;
/** The rate for smaller tolerances times the square root of the tolerance, as keys are: 1070 for 0.005°. */
const EXACT_GRID_RATE = 10;
/** Part of the tolerance for the points of a curve that keys are fitted to. */
const CURVE_PART = 0.01;
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
  /** Key times of the motion, seconds, ascending; those of all tracks by default. LINEAR tracks with these times stay as they are. */
  readonly keyTimes?: Floats;
  /** Whether the motion is a recording: LINEAR tracks get fewer keys too. */
  readonly isBaked?: boolean;
  /** Whether the keys of all tracks are written at the times of any: they get times in common. */
  readonly sharesTimes?: boolean;
}

/**
 * Gives tracks few LINEAR keys that are within the tolerance at any time, preferably at key times of their motion and equal parts of the time between them. Values of keys may be off by the
 * tolerance too, those of the first and the last are not. Where errors of a chain add up, or a node that stands still would move, tracks get smaller
 * tolerances until world rotations and world positions of all nodes are within theirs.
 */
export function linearKeys(
  skeleton: Skeleton,
  tracks: readonly Track[],
  { tolerance, size, converts, keyTimes, isBaked = false, sharesTimes = false }: LinearKeyOptions,
): Track[] {
  const allowed: Record<TrackPath, number> = {
    rotation: MARGIN * tolerance.rotation,
    translation: tolerance.translation * size,
    scale: tolerance.weight,
  };
  const keys = keyTimes ?? unionTimes(tracks.map(({ times }) => times));
  const rate = Math.max(GRID_RATE, EXACT_GRID_RATE / Math.sqrt(tolerance.rotation));
  const grid = dividedTimes(keys, sharesTimes ? SHARED_GRID_RATE : rate);
  const gridOf = (times: Floats): Floats =>
    grid.subarray(firstFrom(grid, times[0]), firstFrom(grid, times[times.length - 1]));
  const conversions: Conversion[] = [];
  const linear = tracks.map((track): Track => {
    const { interpolation, path, times } = track;
    const isLinear = interpolation === 'LINEAR';
    if (
      isLinear
        ? !isBaked && (keyTimes === undefined || hasKeyTimes(track, keyTimes))
        : !converts.includes(interpolation)
    )
      return track;
    if (interpolation === 'STEP') return linearTrack(track, allowed[path]);
    const isOnGrid = isLinear && hasKeyTimes(track, keys);
    const curve = isOnGrid ? track : linearTrack(track, CURVE_PART * allowed[path], unionTimes([times, gridOf(times)]));
    if (curve.times.length < 3) return curve;
    const polyline = fitPolyline(curve, (1 - CURVE_PART) * allowed[path], isOnGrid ? times : grid);
    conversions.push({ track, polyline, linear: polylineTrack(polyline), factors: new Map() });
    return track;
  });
  if (conversions.length > 0) {
    const { rotation, worldRotation, position, delay } = tolerance;
    // Errors are largest at keys, which are at these times.
    refine(skeleton, tracks, conversions, dividedTimes(keys, rate), {
      rotation,
      worldRotation: SAFETY * worldRotation,
      position: SAFETY * position * size,
      delay,
    });
  }
  // Tracks of a recording share their key times: they stay where times of their own would take more space.
  const isSmaller = ({ track, linear: { times, path } }: Conversion): boolean =>
    track.interpolation !== 'LINEAR' || times.length * (PATH_WIDTH[path] + 1) < track.times.length * PATH_WIDTH[path];
  const converted = new Map(conversions.filter(isSmaller).map((conversion) => [conversion.track, conversion.linear]));
  return linear.map((track) => converted.get(track) ?? track);
}
