/** The animations of an FBX scene as clips of its skeletons. */
import { type Clip, lastKeyTime, TRACK_PATHS, type Track, type TrackPath } from '../../core/animation/clip.ts';
import { type LinearKeys, resampleFunction, type TimeFunction, unionTimes } from '../../core/animation/resample.ts';
import type { AssetClip } from '../../core/asset/asset.ts';
import { FLOAT32_MAX, type Floats } from '../../core/math/floats.ts';
import * as quat from '../../core/math/quat.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { localToModelMatrices, modelPositions } from '../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from '../../core/skeleton/skeleton.ts';
import { type CurveBreaks, type FbxCurve, HOLD, repeatedKeyCount, shiftCurve } from './curve.ts';
import { addChannelBreaks, curvesOf, type FbxBlend, type FbxChannel, type FbxVectorCurve } from './layers.ts';
import { type AnimatedNode, channelsOf, PATH_PLACE, pathFunction } from './node-channels.ts';
import type { CurveFaults } from './read-curve.ts';
import type { ModelForest } from './read-models.ts';
import { type MorphedNode, morphedNodes, readMorphTracks } from './read-morph-tracks.ts';
import type { FbxSkeleton } from './read-skeletons.ts';
import type { FbxScene } from './scene.ts';
import { channelKey, type FbxTake, listTakes, readTake, type TakeReader, ticksPerSecond } from './takes.ts';

/** What resampled keys may miss the exact motion by: radians (0.005°), and parts of the size of the skeleton. */
const ROTATION_TOLERANCE = (0.005 * Math.PI) / 180;
const SIZE_TOLERANCE = 1e-5;
const SCALE_TOLERANCE = 1e-5;
/** Curves are float32, the values of the node are not: what stays this close to rest is at rest. Parts of the same. */
const AT_REST = 1e-6;

/** Keys that all tracks of a file may have: hours of motion capture, some hundred megabytes. */
const MOST_KEYS = 8_000_000;
/** Keys of curves that may be looked at, every use of a curve counted: objects of a damaged file may all share one. */
const MOST_READS = 200_000_000;
/** Keys that the repetitions of one curve may have. */
const MOST_REPEATED = 20_000;
/** Keys of a track, at most: a few for each of the file, and some for short clips of long curves. */
const KEYS_PER_KEY = 64;
const KEYS_BESIDE = 4096;

/** Weights of blend shapes: below what is seen of a face. */
const WEIGHT_TOLERANCE = 1e-4;
const LEFT_OUT = 'was left out: the file has more keys than anyrig takes from one file.';

/** What goes on while the clips of a file are read. */
interface Reading {
  readonly forest: ModelForest;
  readonly skeletons: readonly FbxSkeleton[];
  /** Length of the longest side of the box around each skeleton. */
  readonly sizes: readonly number[];
  readonly reader: TakeReader;
  readonly morphed: readonly MorphedNode[];
  keysLeft: number;
  readsLeft: number;
  /** Names of nodes by what is wrong with their tracks. */
  readonly wrong: Map<string, Set<string>>;
}

/** One take in its own time. */
interface TakeWindow {
  readonly take: FbxTake;
  /** Seconds of the file at which the clip starts. */
  readonly start: number;
  /** Seconds of the clip. */
  readonly end: number;
  /** Curves in the time of the clip. */
  readonly shifted: Map<FbxCurve, FbxCurve>;
}

/**
 * All animations that have a curve, one clip for each stack (FBX 7) or take (FBX 6), split by skeleton. Tracks are LINEAR
 * with float32 times: keys where the curves have keys, and more between them until they stay within 0.005° and 1e-5 of the
 * size of the skeleton of the exact motion (curves, layers, rotation order, pivots). Quaternions take the way of the angles,
 * neighbors are in one hemisphere. A node gets a track for what is animated, unless it just keeps its rest.
 *
 * Time 0 is the start of the range that the file declares, if that holds a key, and keys outside of it are cut off; else it
 * is the first key. Weights of blend shapes become morph tracks, within 1e-4. Clips that are not wanted have their name and nothing else.
 * FBX_ANIMATION for curves that were mended and channels that were left out.
 */
export function readClips(
  scene: FbxScene,
  forest: ModelForest,
  skeletons: readonly FbxSkeleton[],
  issues: Issue[],
  wantsClip: (name: string, index: number) => boolean = () => true,
): AssetClip[] {
  const faults: CurveFaults = new Map();
  const reading: Reading = {
    forest,
    skeletons,
    sizes: skeletons.map(({ skeleton }) => sizeOf(skeleton)),
    reader: { scene, ticksPerSecond: ticksPerSecond(scene.tree), faults, curves: new Map() },
    morphed: morphedNodes(scene, forest),
    keysLeft: MOST_KEYS,
    readsLeft: MOST_READS,
    wrong: new Map(),
  };
  const clips = listTakes(scene).map((entry, index): AssetClip => {
    if (wantsClip(entry.name, index)) return readClip(reading, readTake(reading.reader, entry));
    const none: Clip = { name: entry.name, duration: 0, tracks: [] };
    return { name: entry.name, duration: 0, clips: skeletons.map(() => none), morphs: [], otherChannels: 0 };
  });
  for (const [fault, count] of faults) {
    issues.push(issue('FBX_ANIMATION', `${count} animation curves ${fault}. Export the file again to get all of it.`));
  }
  for (const [what, names] of reading.wrong) {
    const [first] = names;
    const more = names.size > 1 ? ` and ${names.size - 1} more nodes` : '';
    issues.push(issue('FBX_ANIMATION', `The animation of ${JSON.stringify(first)}${more} ${what}`));
  }
  return clips;
}

/** Longest side of the box around the joints (all nodes, where there are none) at rest; 1 where they are all in one place. */
function sizeOf({ parents, rest, joints }: Skeleton): number {
  const matrices = new Float64Array(parents.length * MATRIX_STRIDE);
  const positions = new Float64Array(parents.length * 3);
  localToModelMatrices(matrices, parents, rest);
  modelPositions(positions, matrices);
  const hasJoints = joints.includes(1);
  let size = 0;
  for (let axis = 0; axis < 3; axis++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let node = 0; node < parents.length; node++) {
      if (hasJoints && joints[node] !== 1) continue;
      low = Math.min(low, positions[node * 3 + axis]);
      high = Math.max(high, positions[node * 3 + axis]);
    }
    size = Math.max(size, high - low);
  }
  return size > 0 && size <= FLOAT32_MAX ? size : 1;
}

function readClip(reading: Reading, take: FbxTake): AssetClip {
  const { forest, skeletons } = reading;
  const window = windowOf(take);
  const animated = animatedNodes(reading, window);
  let duration = 0;
  const clips = skeletons.map(({ places }, index): Clip => {
    const tracks: Track[] = [];
    for (const [node, place] of places.entries()) {
      const source = animated[place];
      if (source === null) continue;
      for (const path of TRACK_PATHS) {
        const keys = readPath(reading, window, source, path, forest.models[place].name, reading.sizes[index]);
        if (keys === null) continue;
        duration = Math.max(duration, keys.times[keys.times.length - 1]);
        const rest = forest.rest.subarray(place * POSE_STRIDE, (place + 1) * POSE_STRIDE);
        if (staysAtRest(keys, rest, path, reading.sizes[index])) continue;
        tracks.push({ target: node, path, interpolation: 'LINEAR', ...keys });
      }
    }
    return { name: take.name, duration: lastKeyTime(tracks), tracks };
  });
  const morphs = readMorphTracks(
    reading.morphed,
    (id, name) => layersOf(reading.wrong, window, channelKey(id, 'percent'), name),
    (weights, name) => readKeys(reading, window, { ...weights, isRotation: false, tolerance: WEIGHT_TOLERANCE }, name),
  );
  for (const { times } of morphs) duration = Math.max(duration, times[times.length - 1]);
  const otherChannels = take.otherChannels + strayChannels(reading, take);
  return { name: take.name, duration, clips, morphs, otherChannels };
}

/** The part of a take that becomes the clip: the first range that holds a key, else from the first to the last key. */
function windowOf(take: FbxTake): TakeWindow {
  const curves = new Set<FbxCurve>();
  for (const { channels } of take.layers) {
    for (const { curves: vector } of channels.values())
      for (const curve of vector) if (curve !== null) curves.add(curve);
  }
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { times } of curves) {
    first = Math.min(first, times[0]);
    last = Math.max(last, times[times.length - 1]);
  }
  const shifted = new Map<FbxCurve, FbxCurve>();
  for (const { start, end } of take.ranges) {
    for (const { times } of curves) {
      if (times.some((time) => time >= start && time <= end)) return { take, start, end: end - start, shifted };
    }
  }
  return curves.size === 0 ? { take, start: 0, end: 0, shifted } : { take, start: first, end: last - first, shifted };
}

/** Per place what is animated of it; null where nothing is. */
function animatedNodes({ forest, wrong }: Reading, window: TakeWindow): (AnimatedNode | null)[] {
  const { models, parents, transforms } = forest;
  const channels = models.map(({ id, name }, place) => {
    const transform = transforms[place];
    return TRACK_PATHS.map((path) => {
      const layers = layersOf(wrong, window, channelKey(id, path), name);
      return layers.length === 0 ? null : { path, rest: transform[path], order: transform.order, layers };
    });
  });
  return models.map((_, place): AnimatedNode | null => {
    const [translation, rotation, scale] = channels[place];
    const transform = transforms[place];
    const parent = parents[place];
    const compensates = transform.inheritType === 'Rrs' && parent >= 0;
    const parentScale = compensates ? { scale: transforms[parent].scale, channel: channels[parent][2] } : null;
    const isStill = translation === null && rotation === null && scale === null;
    if (isStill && (parentScale === null || parentScale.channel === null)) return null;
    return { transform, translation, rotation, scale, parent: parentScale };
  });
}

/** All layers that animate something, from the bottom, in the time of the clip. */
function layersOf(wrong: Reading['wrong'], window: TakeWindow, key: string, name: string): FbxChannel['layers'] {
  const inClip = (curve: FbxCurve | null): FbxCurve | null => {
    if (curve === null) return null;
    let shifted = window.shifted.get(curve);
    if (shifted === undefined) {
      shifted = shiftCurve(curve, window.start);
      window.shifted.set(curve, shifted);
      if (repeatedKeyCount(shifted, 0, window.end) > MOST_REPEATED) {
        note(wrong, 'repeats too often; it stands still before and after its keys instead.', name);
        shifted = { ...shifted, before: HOLD, after: HOLD };
        window.shifted.set(curve, shifted);
      }
    }
    return shifted;
  };
  const layers: FbxChannel['layers'][number][] = [];
  for (const layer of window.take.layers) {
    const vector = layer.channels.get(key);
    if (vector === undefined) continue;
    const [x, y, z] = vector.curves;
    const blend: FbxBlend = { ...layer.blend, weightCurve: inClip(layer.blend.weightCurve) };
    layers.push({ blend, curves: [inClip(x), inClip(y), inClip(z)], defaults: vector.defaults });
  }
  return layers;
}

function note(wrong: Reading['wrong'], what: string, name: string): void {
  const names = wrong.get(what);
  if (names === undefined) wrong.set(what, new Set([name]));
  else names.add(name);
}

/** The keys of one path of a node; null where it is not animated, or cannot be read. */
function readPath(
  reading: Reading,
  window: TakeWindow,
  node: AnimatedNode,
  path: TrackPath,
  name: string,
  size: number,
): LinearKeys | null {
  const isRotation = path === 'rotation';
  const source = {
    channels: channelsOf(node, path),
    width: PATH_PLACE[path][1],
    isRotation,
    evaluate: pathFunction(node, path),
    tolerance: isRotation ? ROTATION_TOLERANCE : path === 'scale' ? SCALE_TOLERANCE : size * SIZE_TOLERANCE,
  };
  return readKeys(reading, window, source, name);
}

/** What depends on channels over time, and how closely keys are to follow it. */
type ChannelFunction = Pick<TimeFunction, 'width' | 'isRotation' | 'evaluate' | 'tolerance'> & {
  readonly channels: readonly FbxChannel[];
};

/** The keys of a function of time; null where nothing of it is animated, or it cannot be read. */
function readKeys(
  reading: Reading,
  window: TakeWindow,
  { channels, ...source }: ChannelFunction,
  name: string,
): LinearKeys | null {
  if (channels.length === 0) return null;
  const curves = channels.flatMap(curvesOf);
  for (const { times } of curves) reading.readsLeft -= times.length;
  /** Keys of many weights count as several. */
  const share = Math.ceil(source.width / 4);
  const most = Math.floor(reading.keysLeft / share);
  if (reading.readsLeft < 0 || most <= 0) {
    note(reading.wrong, LEFT_OUT, name);
    return null;
  }
  const { keyTimes, stepTimes } = breaksOf(channels, curves, window.end);
  if (share > 1 && keyTimes.length > most) {
    note(reading.wrong, LEFT_OUT, name);
    return null;
  }
  const keyLimit = Math.min(keyTimes.length * KEYS_PER_KEY + KEYS_BESIDE, most);
  const keys = resampleFunction({ ...source, keyTimes, stepTimes, keyLimit });
  reading.keysLeft -= keys.times.length * share;
  reading.readsLeft -= keys.times.length * channels.length;
  if (keys.values.some((value) => !(Math.abs(value) <= FLOAT32_MAX))) {
    note(reading.wrong, 'was left out: it has numbers too large for a file.', name);
    return null;
  }
  if (keys.times.length >= keyLimit) {
    note(reading.wrong, 'is too wild to be followed closely: it was cut into keys as far as memory allows.', name);
  }
  return keys;
}

/** The times of the clip at which channels have keys and jumps; the ends of the range where curves go on beyond them. */
function breaksOf(
  channels: readonly FbxChannel[],
  curves: readonly FbxCurve[],
  end: number,
): { keyTimes: Float64Array; stepTimes: Float64Array } {
  const breaks: CurveBreaks = { keys: [], steps: [] };
  for (const channel of channels) addChannelBreaks(channel, 0, end, breaks);
  for (const { times, before, after } of curves) {
    if (times[0] < 0 || before.extrapolation !== 'constant') breaks.keys.push(0);
    if (times[times.length - 1] > end || after.extrapolation !== 'constant') breaks.keys.push(end);
  }
  if (breaks.keys.length === 0) breaks.keys.push(0);
  return {
    keyTimes: unionTimes([Float64Array.from(breaks.keys)]),
    stepTimes: unionTimes([Float64Array.from(breaks.steps)]),
  };
}

/** Whether all keys are the rest pose of the node. */
function staysAtRest({ values }: LinearKeys, rest: Floats, path: TrackPath, size: number): boolean {
  const [start, width] = PATH_PLACE[path];
  const tolerance = path === 'translation' ? size * AT_REST : AT_REST;
  for (let i = 0; i < values.length; i += width) {
    if (path === 'rotation' && quat.angleBetween(values, i, rest, start) > tolerance) return false;
    for (let c = 0; c < width && path !== 'rotation'; c++) {
      if (Math.abs(values[i + c] - rest[start + c]) > tolerance) return false;
    }
  }
  return true;
}

/** Animated channels of Models that are in no skeleton, and of blend shapes that are in no mesh. */
function strayChannels({ forest, skeletons, morphed }: Reading, { layers }: FbxTake): number {
  const kept = new Set<string>();
  for (const { places } of skeletons) for (const place of places) kept.add(forest.models[place].id);
  for (const { targets } of morphed) for (const { id } of targets) kept.add(id);
  const isAnimated = ({ curves }: FbxVectorCurve): boolean => curves.some((curve) => curve !== null);
  let count = 0;
  for (const { channels } of layers) {
    for (const [key, vector] of channels) {
      if (isAnimated(vector) && !kept.has(key.slice(key.indexOf(' ') + 1))) count++;
    }
  }
  return count;
}
