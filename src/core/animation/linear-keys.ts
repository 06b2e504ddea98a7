/** Gives tracks LINEAR keys: as few as keep all joints near their exact paths. */
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import { firstAtLeast } from '../math/search.ts';
import * as vec3 from '../math/vec3.ts';
import { localToModelMatrices, modelMatrices } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { type Interpolation, PATH_WIDTH, type Track, type TrackPath } from './clip.ts';
import { fitPolyline, type Polyline, polylineTrack, tightenPolyline } from './fit-polyline.ts';
import { denseTrack, linearTrack } from './linear-track.ts';
import { SAFETY, unionTimes } from './resample.ts';
import type { KeyTolerance } from './resample-tolerance.ts';
import { sampleTrack } from './sample.ts';

/** Rounds in which tolerances of tracks are tightened where nodes are off. */
const ROUNDS = 16;
/** Part of the allowed error of a node that each track above it may use at first: errors of several add up, but mostly in different directions. */
const SHARE = 0.5;
/** Tracks of a chain whose tolerances are tightened together: their part of the error is at least this fraction of the largest. */
const LARGE_PART = 0.75;
/** Part of the allowed error that tightened tolerances aim at, and the smallest factor of a round. */
const AIM = 0.8;
const LEAST_FACTOR = 0.25;
/** Parts of the time between two key times at most. */
const MOST_PARTS = 64;

/** A track while it gets LINEAR keys. */
interface Conversion {
  /** The exact track. */
  readonly track: Track;
  /** LINEAR keys at the points of the track that keys are fitted to. */
  readonly curve: Track;
  /** Greatest error at each key of the curve: radians for rotations, else the length of the difference. */
  readonly tolerances: Float64Array;
}

/** A track that has a polyline. */
interface Fitted extends Conversion {
  readonly polyline: Polyline;
  /** The polyline as a track. */
  linear: Track;
  /** Factors of tolerances, by the key before the interval that is off. */
  readonly factors: Map<number, number>;
}

/** Tolerances in the unit of the skeleton. */
type Tolerance = Pick<KeyTolerance, 'rotation' | 'worldRotation' | 'position' | 'delay'>;

/** Some nodes and all above them: parents first. */
interface PosedNodes {
  /** Their indices in the skeleton. */
  readonly nodes: Int32Array;
  /** Parent of each in the list; −1 for a root. */
  readonly parents: Int32Array;
  /** Local rest pose, 10 floats each. */
  readonly rest: Float64Array;
  /** Position in the list of each node of the skeleton; −1 for others. */
  readonly at: Int32Array;
}

function posedNodes({ parents, rest }: Skeleton, isWanted: (node: number) => boolean): PosedNodes {
  const at = new Int32Array(parents.length).fill(-1);
  for (let node = parents.length - 1; node >= 0; node--) {
    if (isWanted(node)) at[node] = 0;
    if (at[node] === 0 && parents[node] >= 0) at[parents[node]] = 0;
  }
  const nodes = Int32Array.from(parents.keys()).filter((node) => at[node] === 0);
  for (const [k, node] of nodes.entries()) at[node] = k;
  return {
    nodes,
    parents: nodes.map((node) => (parents[node] < 0 ? -1 : at[parents[node]])),
    rest: Float64Array.from({ length: POSE_STRIDE * nodes.length }, (_, c) => {
      return rest[POSE_STRIDE * nodes[Math.floor(c / POSE_STRIDE)] + (c % POSE_STRIDE)];
    }),
    at,
  };
}

/** Nodes at a time: local poses, 10 floats per node, and model matrices, 16 floats per node. */
interface SampledPose {
  readonly parents: Int32Array;
  readonly tracks: readonly Track[];
  /** Where each track is in the pose; −1 for tracks of other nodes. */
  readonly offsets: Int32Array;
  readonly cursors: Int32Array;
  readonly local: Float64Array;
  readonly matrices: Float64Array;
}

function createPose({ parents, rest, at }: PosedNodes, tracks: readonly Track[]): SampledPose {
  const offsets = Int32Array.from(tracks, ({ target, path }) =>
    at[target] < 0 ? -1 : POSE_STRIDE * at[target] + PATH_OFFSET[path],
  );
  const matrices = new Float64Array(MATRIX_STRIDE * parents.length);
  return { parents, tracks, offsets, cursors: new Int32Array(tracks.length), local: rest.slice(), matrices };
}

function samplePose({ parents, tracks, offsets, cursors, local, matrices }: SampledPose, time: number): void {
  for (let t = 0; t < offsets.length; t++)
    if (offsets[t] >= 0) cursors[t] = sampleTrack(tracks[t], time, local, offsets[t], cursors[t]);
  localToModelMatrices(matrices, parents, local);
}

/** Returns the error of a node as a fraction of what is allowed. Matrices hold for mirrored and sheared nodes too. */
function errorRatio(a: Float64Array, b: Float64Array, k: number, worldRotation: number, position: number): number {
  const at = MATRIX_STRIDE * k;
  let off = 0;
  let size = 0;
  for (let column = at; column < at + 12; column += 4) {
    for (let c = column; c < column + 3; c++) {
      const difference = a[c] - b[c];
      off += difference * difference;
      size += a[c] * a[c];
    }
  }
  // A small rotation by θ changes three axes, whose squares add up to s, by the square root of 2/3 · s · θ².
  const angle = size > 0 ? Math.sqrt((1.5 * off) / size) : 0;
  return Math.max(angle / worldRotation, vec3.distance(a, at + 12, b, at + 12) / position);
}

/** Estimates how far a converted track moves a point at some distance from its node, in model space. */
function partOfError(
  { path }: Track,
  k: number,
  above: number,
  exact: SampledPose,
  linear: SampledPose,
  distance: number,
): number {
  const at = POSE_STRIDE * k + PATH_OFFSET[path];
  if (path === 'rotation') return quat.angleBetween(exact.local, at, linear.local, at) * distance;
  const local = vec3.distance(exact.local, at, linear.local, at);
  if (path === 'scale') return local * distance;
  return above < 0 ? local : local * vec3.length(exact.matrices, MATRIX_STRIDE * above);
}

/** Divides the time between neighboring keys into equal parts, at float32 times. */
function dividedTimes(keys: Floats, rate: number): Float64Array {
  const times: number[] = [];
  for (let key = 0; key + 1 < keys.length; key++) {
    const gap = keys[key + 1] - keys[key];
    const count = Math.min(MOST_PARTS, Math.max(1, Math.round(gap * rate)));
    times.push(keys[key]);
    for (let k = 1; k < count; k++) times.push(Math.fround(keys[key] + (k / count) * gap));
  }
  times.push(...keys.slice(-1));
  return unionTimes([Float64Array.from(times)]);
}

/** Converts the angle or the distance by which a node may be off in model space to the unit of one of its tracks. */
function limitOf(path: TrackPath, pose: SampledPose, node: number, angle: number, shift: number): number {
  const { parents, local, matrices } = pose;
  if (path === 'translation')
    return parents[node] < 0 ? shift : shift / vec3.length(matrices, MATRIX_STRIDE * parents[node]);
  if (path !== 'scale') return angle;
  // A scale moves what is below by a part of itself.
  const at = POSE_STRIDE * node + PATH_OFFSET.scale;
  return angle * Math.min(Math.abs(local[at]), Math.abs(local[at + 1]), Math.abs(local[at + 2]));
}

/**
 * Lowers the tolerances of tracks where they would move nodes that stand still. `exact`: all nodes that the tracks move. `compared`: nodes that are
 * compared later. Returns greatest error of the position of each of them at each time, a row per time.
 */
function limitTolerances(
  { nodes, at }: PosedNodes,
  exact: SampledPose,
  conversions: readonly Conversion[],
  compared: PosedNodes,
  times: Floats,
  { position, delay }: Tolerance,
): Float32Array {
  const { parents, matrices } = exact;
  const count = parents.length;
  const allowed = new Float32Array(compared.nodes.length * times.length);
  const before = new Float64Array(3 * count);
  /** The nearest node, it or one above it, that has a converted track. */
  const movers = new Int32Array(count).fill(-1);
  for (const { track } of conversions) movers[at[track.target]] = at[track.target];
  for (let k = 0; k < count; k++) if (movers[k] < 0 && parents[k] >= 0) movers[k] = movers[parents[k]];
  /** How far each of these may turn and move, for the sake of all below it. */
  const angles = new Float64Array(count);
  const shifts = new Float64Array(count);
  const limited = new Float64Array(conversions.length);
  const cursors = new Int32Array(conversions.length);
  for (let check = 0; check < times.length; check++) {
    const time = times[check];
    samplePose(exact, time);
    angles.fill(Infinity);
    shifts.fill(Infinity);
    const late = check > 0 ? delay / (time - times[check - 1]) : 0;
    for (let k = 0; k < count; k++) {
      if (movers[k] < 0) continue;
      const most = position + late * vec3.distance(matrices, MATRIX_STRIDE * k + 12, before, 3 * k);
      const own = compared.at[nodes[k]];
      if (own >= 0) allowed[compared.nodes.length * check + own] = most;
      for (let mover = movers[k]; mover >= 0; mover = parents[mover] < 0 ? -1 : movers[parents[mover]]) {
        const distance = vec3.distance(matrices, MATRIX_STRIDE * k + 12, matrices, MATRIX_STRIDE * mover + 12);
        if (most < shifts[mover]) shifts[mover] = most;
        if (most < angles[mover] * distance) angles[mover] = most / distance;
      }
    }
    for (let k = 0; k < count; k++)
      for (let c = 0; c < 3; c++) before[3 * k + c] = matrices[MATRIX_STRIDE * k + 12 + c];
    for (let k = 0; k < conversions.length; k++) {
      const { curve, tolerances } = conversions[k];
      const node = at[curve.target];
      const limit = SHARE * limitOf(curve.path, exact, node, angles[node], shifts[node]);
      let key = cursors[k];
      while (key < tolerances.length && curve.times[key] < time) {
        tolerances[key] = Math.min(tolerances[key], limit, limited[k]);
        key++;
      }
      if (curve.times[key] === time) {
        tolerances[key] = Math.min(tolerances[key], limit);
        key++;
      }
      cursors[k] = key;
      limited[k] = limit;
    }
  }
  return allowed;
}

/**
 * Tightens the tracks with the largest parts of the error of a node. `beside`: a rotation also turns the node itself, which a point at this
 * distance shows.
 */
function tighten(
  exact: SampledPose,
  linear: SampledPose,
  byNode: readonly (readonly Fitted[])[],
  worst: number,
  ratio: number,
  beside: number,
  time: number,
): void {
  const { parents, matrices } = exact;
  const parts: { one: Fitted; error: number }[] = [];
  for (let k = worst; k >= 0; k = parents[k]) {
    const distance = beside + vec3.distance(matrices, MATRIX_STRIDE * worst + 12, matrices, MATRIX_STRIDE * k + 12);
    for (const one of byNode[k])
      parts.push({ one, error: partOfError(one.track, k, parents[k], exact, linear, distance) });
  }
  const largest = Math.max(...parts.map(({ error }) => error));
  const factor = Math.max(LEAST_FACTOR, AIM / ratio);
  for (const { one, error } of parts) {
    const { times: keyTimes } = one.linear;
    const key = firstAtLeast(keyTimes, time) - 1;
    if (!(error > 0 && error >= LARGE_PART * largest) || key < 0 || key + 1 >= keyTimes.length) continue;
    one.factors.set(key, Math.min(factor, one.factors.get(key) ?? 1));
  }
}

/**
 * Fits keys to curves, and tightens the tolerances of tracks until all nodes are within the tolerance. `times`: times at which poses are compared,
 * ascending. `grid`: times that should rather get a key than others, ascending.
 */
function fitTracks(
  skeleton: Skeleton,
  tracks: readonly Track[],
  conversions: readonly Conversion[],
  times: Floats,
  grid: Floats,
  tolerance: Tolerance,
): Fitted[] {
  /** Converted tracks of each node and of all above it. */
  const moving = new Uint32Array(skeleton.parents.length);
  for (const { track } of conversions) moving[track.target]++;
  for (const [node, parent] of skeleton.parents.entries()) if (parent >= 0) moving[node] += moving[parent];
  const moved = posedNodes(skeleton, (node) => moving[node] > 0);
  // As few tracks as have no more than all of it together keep a node within its tolerance.
  const compared = posedNodes(skeleton, (node) => SHARE * moving[node] > 1);
  // Curves have keys at most compared times, so little is interpolated there.
  const curves = new Map(conversions.map(({ track, curve }) => [track, curve]));
  const exactTracks = tracks.map((track) => curves.get(track) ?? track);
  const allowed = limitTolerances(moved, createPose(moved, exactTracks), conversions, compared, times, tolerance);
  const fitted = conversions.map((conversion): Fitted => {
    const { track, curve, tolerances } = conversion;
    const polyline = fitPolyline(curve, tolerances, curve === track ? curve.times : grid);
    return { ...conversion, polyline, linear: polylineTrack(polyline), factors: new Map() };
  });
  const { nodes, parents } = compared;
  const exact = createPose(compared, exactTracks);
  const newTracks = fitted.map(({ linear }) => linear);
  const linear = createPose(compared, newTracks);
  const byNode = Array.from(nodes, (node) => fitted.filter(({ track }) => track.target === node));
  const beside = tolerance.position / tolerance.worldRotation;
  const isPending = new Uint8Array(times.length).fill(1);
  for (let round = 0; round < ROUNDS; round++) {
    for (let check = 0; check < times.length; check++) {
      if (isPending[check] === 0) continue;
      isPending[check] = 0;
      samplePose(exact, times[check]);
      // All other tracks are the same.
      linear.local.set(exact.local);
      samplePose(linear, times[check]);
      let worst = 0;
      let most = 0;
      for (let k = 0; k < parents.length; k++) {
        if (!(SHARE * moving[nodes[k]] > 1)) continue;
        const position = allowed[parents.length * check + k];
        const ratio = errorRatio(exact.matrices, linear.matrices, k, tolerance.worldRotation, position);
        if (ratio <= most) continue;
        worst = k;
        most = ratio;
      }
      if (most > 1) tighten(exact, linear, byNode, worst, most, beside, times[check]);
    }
    if (fitted.every(({ factors }) => factors.size === 0)) break;
    for (const [k, one] of fitted.entries()) {
      const { polyline, factors } = one;
      if (factors.size === 0) continue;
      const { times: keyTimes } = polyline.curve;
      for (const [from, to] of tightenPolyline(polyline, factors))
        isPending.fill(1, firstAtLeast(times, keyTimes[from]), firstAtLeast(times, keyTimes[to]));
      one.linear = polylineTrack(polyline);
      newTracks[k] = one.linear;
      factors.clear();
    }
  }
  return fitted;
}

/** Times closer than this are one key, seconds, and relative to the time: key times are float32. */
const SAME_TIME = 1e-6;
const SAME_TIME_RATIO = 2 ** -22;

/** Returns whether a time is a key time of the motion. */
function isKeyTime(time: number, keyTimes: Floats): boolean {
  const near = SAME_TIME + SAME_TIME_RATIO * time;
  return keyTimes[firstAtLeast(keyTimes, time - near)] <= time + near;
}

/**
 * Keys are at key times of the motion and at equal parts of the time between them, of about so many per second over the square root of the tolerance (radians), as
 * the number of keys depends on it: 240 for 0.1°, 1070 for 0.005°. Half as many again save no more than 2 % of the keys.
 */
const GRID_RATE = 10;
/** The same for tracks that share times, keys per second: each key is one of all tracks. */
const SHARED_GRID_RATE = 120;
/**
 * Times per second at which poses are compared between keys of LINEAR tracks: a joint that turns ten radians per second turns by 0.3 between them, and errors there are about those at
 * the keys.
 */
const COMPARED_RATE = 30;
/** Part of the tolerance for the points of a curve that keys are fitted to. */
const CURVE_PART = 0.05;
/**
 * Part of the tolerance for values of LINEAR tracks at key times of the motion, unless it is a recording: tracks of other bones are exact there, and quiet motions would tremble. With 1,
 * 90 % of 72 pairs whose hands touch are at most 1.37 × as jerky as plain retargeting, with 0.3 1.16 × and 1.6 % larger, with 0.05 5.9 % larger and no less jerky.
 */
const KEY_PART = 0.3;
/** Part of the tolerance of a rotation that keys may use: tracks of FBX files are 0.005° off themselves. */
const MARGIN = 0.95;

/**
 * Measures how long the unit of the translations of each node is in model space: the largest scale of its parent at rest. Below scales that change it is 1 at least, because they may
 * undo a small one.
 */
function parentScales({ parents, rest }: Skeleton, tracks: readonly Track[]): Float64Array {
  const matrices = modelMatrices(parents, rest);
  const changes = new Uint8Array(parents.length);
  for (const { target, path } of tracks) if (path === 'scale') changes[target] = 1;
  return Float64Array.from(parents, (parent, node) => {
    if (parent < 0) return 1;
    changes[node] |= changes[parent];
    const at = MATRIX_STRIDE * parent;
    const scale = Math.max(vec3.length(matrices, at), vec3.length(matrices, at + 4), vec3.length(matrices, at + 8));
    return changes[parent] === 1 ? Math.max(1, scale) : scale || 1;
  });
}

/** How {@link linearKeys} chooses keys. */
interface LinearKeyOptions {
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
 * Gives tracks few LINEAR keys that are within the tolerance at any time, preferably at key times of their motion and equal parts of the time between them. Values of
 * keys may be off by the tolerance too, except for the first and the last. Where errors of a chain add up, or a node that stands still would move, tracks get
 * smaller tolerances until world rotations and world positions of all nodes are within theirs.
 */
export function linearKeys(
  skeleton: Skeleton,
  tracks: readonly Track[],
  { tolerance, size, converts, keyTimes, isBaked = false, sharesTimes = false }: LinearKeyOptions,
): Track[] {
  const isKept = (track: Track): boolean =>
    track.interpolation === 'LINEAR'
      ? !isBaked && (keyTimes === undefined || track.times.every((time) => isKeyTime(time, keyTimes)))
      : !converts.includes(track.interpolation);
  if (tracks.every(isKept)) return [...tracks];
  const allowed: Record<TrackPath, number> = {
    rotation: MARGIN * tolerance.rotation,
    translation: tolerance.translation * size,
    scale: tolerance.weight,
  };
  const scales = parentScales(skeleton, tracks);
  const motionTimes = keyTimes ?? unionTimes(tracks.map(({ times }) => times));
  const bent = tracks.filter((track) => track.interpolation === 'LINEAR' && !isKept(track));
  // A LINEAR track bends at its keys: they are the points to fit to, and where errors are largest.
  const keys = unionTimes([motionTimes, ...bent.map(({ times }) => times)]);
  const rate = GRID_RATE / Math.sqrt(tolerance.rotation);
  const written = Float32Array.from(keys);
  const fine = dividedTimes(written, rate);
  const grid = sharesTimes ? dividedTimes(written, SHARED_GRID_RATE) : fine;
  const points = unionTimes([fine, grid]);
  const pointsOf = (times: Floats): Floats =>
    points.subarray(firstAtLeast(points, times[0]), firstAtLeast(points, times[times.length - 1]));
  const conversions: Conversion[] = [];
  const linear = tracks.map((track): Track => {
    const { interpolation, path, target, times } = track;
    if (isKept(track)) return track;
    const most = path === 'translation' ? allowed.translation / scales[target] : allowed[path];
    if (interpolation === 'STEP') return linearTrack(track, most);
    const curve = interpolation === 'LINEAR' ? track : denseTrack(track, CURVE_PART * most, pointsOf(times));
    if (curve.times.length < 3) return curve;
    const tolerances = new Float64Array(curve.times.length).fill((1 - CURVE_PART) * most);
    if (!isBaked && curve === track)
      for (const [key, time] of times.entries()) if (isKeyTime(time, motionTimes)) tolerances[key] *= KEY_PART;
    conversions.push({ track, curve, tolerances });
    return track;
  });
  if (conversions.length === 0) return linear;
  const { rotation, worldRotation, position, delay } = tolerance;
  const hasSplines = conversions.some(({ track, curve }) => track !== curve);
  const times = hasSplines ? fine : dividedTimes(keys, COMPARED_RATE);
  const fitted = fitTracks(skeleton, tracks, conversions, times, grid, {
    rotation,
    worldRotation: SAFETY * worldRotation,
    position: SAFETY * position * size,
    delay,
  });
  // Tracks of a recording share their key times: they stay where times of their own would take more space.
  const isSmaller = ({ track, linear: { times, path } }: Fitted): boolean =>
    track.interpolation !== 'LINEAR' || times.length * (PATH_WIDTH[path] + 1) < track.times.length * PATH_WIDTH[path];
  const converted = new Map(fitted.filter(isSmaller).map((one) => [one.track, one.linear]));
  return linear.map((track) => converted.get(track) ?? track);
}
