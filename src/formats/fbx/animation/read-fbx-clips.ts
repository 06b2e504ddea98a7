import {
  type Clip,
  type Keys,
  lastKeyTime,
  PATH_WIDTH,
  TRACK_PATHS,
  type Track,
  type TrackPath,
} from '../../../core/animation/clip.ts';
import { unionTimes } from '../../../core/animation/resample.ts';
import {
  chainPart,
  RELATIVE_TOLERANCE,
  ROTATION_TOLERANCE,
  WEIGHT_TOLERANCE,
} from '../../../core/animation/resample-tolerance.ts';
import type { AssetClip } from '../../../core/asset/asset.ts';
import type { Floats } from '../../../core/math/floats.ts';
import * as quat from '../../../core/math/quat.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { IssueTally } from '../../../core/report/issue-tally.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { localSizes } from '../../../core/skeleton/skeleton-size.ts';
import { textOf } from '../document/records.ts';
import { childObjects, type FbxObject, type FbxScene } from '../nodes/fbx-scene.ts';
import type { FbxSkeleton } from '../nodes/read-fbx-skeletons.ts';
import type { ModelForest } from '../nodes/read-models.ts';
import type { FbxVectorCurve } from './animation-layers.ts';
import {
  channelKey,
  type FbxTake,
  rangesOf,
  type TakeEntry,
  type TakeReader,
  type TimeRange,
  ticksPerSecond,
} from './fbx-take.ts';
import { type AnimatedNode, channelsOf, pathErrorBound, pathFunction } from './node-channels.ts';
import { readAnimationStack, stackRanges } from './read-animation-stack.ts';
import { declaredTimes, hasKeys, readLegacyTake, takeRecords } from './read-legacy-take.ts';
import { type MorphedNode, morphedNodes, readMorphTracks } from './read-morph-tracks.ts';
import { type KeyBudget, resampleChannels } from './resample-channels.ts';
import { channelLayers, divideTimeline, type TakeWindow, takeWindow } from './take-window.ts';

export function listTakes(scene: FbxScene): TakeEntry[] {
  const stacks = [...scene.objects.values()].filter(({ kind }) => kind === 'AnimationStack');
  if (stacks.length > 0 || scene.version >= 7000) {
    return stacks.filter((stack) => hasCurve(scene, stack)).map((source) => ({ name: source.name, source }));
  }
  return takeRecords(scene)
    .filter(hasKeys)
    .map((source) => ({ name: textOf(source.properties[0]) ?? '', source }));
}

function hasCurve(scene: FbxScene, stack: FbxObject): boolean {
  return childObjects(scene, stack.id, 'AnimationLayer').some((layer) =>
    childObjects(scene, layer.id, 'AnimationCurveNode').some((node) =>
      scene.childConnections.get(node.id)?.some(({ source }) => scene.objects.get(source)?.kind === 'AnimationCurve'),
    ),
  );
}

/** Reads an animation with all its curves. `reader`: scene, time unit and shared curves. */
export function readTake(reader: TakeReader, { name, source }: TakeEntry): FbxTake {
  return 'id' in source ? readAnimationStack(reader, name, source) : readLegacyTake(reader, name, source);
}

/** Returns the time ranges that an animation declares, without reading its keys. `reader`: scene and time unit. */
function declaredRanges(reader: TakeReader, { name, source }: TakeEntry): TimeRange[] {
  return 'id' in source ? stackRanges(reader, name, source) : rangesOf(declaredTimes(source), reader.ticksPerSecond);
}

/**
 * Tolerance for values at rest: curves are float32, the values of nodes are float64. Relative to the skeleton size for
 * translations, radians for rotations.
 */
const REST_TOLERANCE = 1e-6;

/** Limit for the keys of all tracks of a file: hours of motion capture, some hundred megabytes. */
const MAX_KEYS = 8_000_000;
/** Limit for evaluated keys of curves. Each use of a curve counts, because objects of a damaged file may all share one. */
const MAX_KEY_READS = 200_000_000;

interface Reading extends KeyBudget {
  readonly forest: ModelForest;
  readonly skeletons: readonly FbxSkeleton[];
  readonly sizes: readonly Float64Array[];
  readonly reader: TakeReader;
  readonly morphed: readonly MorphedNode[];
}

/**
 * Reads all animations that have a curve: one clip per animation stack (FBX 7) or take (FBX 6), split by skeleton.
 *
 * Tracks are LINEAR or CUBICSPLINE, whichever takes less space, with float32 times. They have a key at each key of the
 * curves, and more only in intervals where they would be off by more than 0.005° or 1e-5 of the skeleton size from the
 * exact motion (curves, layers, rotation order, pivots). `keyTimes` are those of the curves. Quaternions follow the path of the Euler angles; neighboring
 * keys are in one hemisphere. A path that keeps its rest value gets no track.
 *
 * Time 0 is the start of the declared range, and keys outside the range are cut off, if most of the movement is in that
 * range or the takes divide one timeline; else time 0 is the first key. Weights of blend shapes become morph tracks with a tolerance of 1e-4.
 *
 * @param issues Receives FBX_ANIMATION for repaired curves and omitted channels, FBX_TAKE_RANGE for keys outside of the
 *   declared range.
 */
export function readFbxClips(
  scene: FbxScene,
  forest: ModelForest,
  skeletons: readonly FbxSkeleton[],
  issues: Issue[],
  wantsClip: (name: string, index: number) => boolean = () => true,
): AssetClip[] {
  const faults: IssueTally = new Map();
  const reading: Reading = {
    forest,
    skeletons,
    sizes: skeletons.map(({ skeleton }) => localSizes(skeleton)),
    reader: { scene, ticksPerSecond: ticksPerSecond(scene.tree), faults, curves: new Map() },
    morphed: morphedNodes(scene, forest),
    keysLeft: MAX_KEYS,
    readsLeft: MAX_KEY_READS,
    trackFaults: new Map(),
    keyTimes: [],
  };
  const entries = listTakes(scene);
  const isPart = divideTimeline(entries.map((entry) => declaredRanges(reading.reader, entry)[0]));
  const clips = entries.map((entry, index): AssetClip => {
    if (wantsClip(entry.name, index)) {
      return readClip(reading, takeWindow(readTake(reading.reader, entry), isPart, issues));
    }
    const none: Clip = { name: entry.name, duration: 0, tracks: [] };
    return { name: entry.name, duration: 0, clips: skeletons.map(() => none), morphs: [], otherChannels: 0 };
  });
  for (const [fault, count] of faults) {
    issues.push(issue('FBX_ANIMATION', `${count} animation curves ${fault}. Export the file again to get all of it.`));
  }
  for (const [what, names] of reading.trackFaults) {
    const [first] = names;
    const more = names.size === 1 ? '' : ` and ${names.size - 1} more nodes`;
    issues.push(issue('FBX_ANIMATION', `The animation of ${JSON.stringify(first)}${more} ${what}`));
  }
  return clips;
}

function readClip(reading: Reading, window: TakeWindow): AssetClip {
  const { forest, skeletons } = reading;
  const { take } = window;
  const animated = animatedNodes(reading, window);
  reading.keyTimes = [];
  let duration = 0;
  const clips = skeletons.map(({ modelIndices }, index): Clip => {
    const tracks: Track[] = [];
    for (const [node, model] of modelIndices.entries()) {
      const source = animated[model];
      if (source === null) continue;
      for (const path of TRACK_PATHS) {
        const keys = readPath(reading, window, source, path, forest.models[model].name, reading.sizes[index][node]);
        if (keys === null) continue;
        duration = Math.max(duration, keys.times[keys.times.length - 1]);
        const rest = forest.rest.subarray(model * POSE_STRIDE, (model + 1) * POSE_STRIDE);
        if (staysAtRest(keys, rest, path, reading.sizes[index][node])) continue;
        tracks.push({ target: node, path, ...keys });
      }
    }
    return { name: take.name, duration: lastKeyTime(tracks), tracks };
  });
  const morphs = readMorphTracks(
    reading.morphed,
    (id, name) => channelLayers(reading.trackFaults, window, channelKey(id, 'percent'), name),
    (weights, name) =>
      resampleChannels(reading, window, { ...weights, isRotation: false, tolerance: WEIGHT_TOLERANCE }, name),
  );
  const keyTimes = unionTimes(reading.keyTimes);
  for (const { times } of morphs) duration = Math.max(duration, times[times.length - 1]);
  const otherChannels = take.otherChannels + unusedChannelCount(reading, take);
  const timed = clips.map((clip) => ({ ...clip, keyTimes }));
  return { name: take.name, duration, clips: timed, morphs, otherChannels };
}

/** Returns the animated channels of each node of the forest; null for a node without animation. */
function animatedNodes({ forest, trackFaults }: Reading, window: TakeWindow): (AnimatedNode | null)[] {
  const { models, parents, transforms } = forest;
  const channels = models.map(({ id, name }, model) => {
    const transform = transforms[model];
    return TRACK_PATHS.map((path) => {
      const layers = channelLayers(trackFaults, window, channelKey(id, path), name);
      return layers.length === 0 ? null : { path, rest: transform[path], order: transform.order, layers };
    });
  });
  return models.map((_, model): AnimatedNode | null => {
    const [translation, rotation, scale] = channels[model];
    const transform = transforms[model];
    const parent = parents[model];
    const compensates = transform.inheritType === 'Rrs' && parent >= 0;
    const parentScale = compensates ? { scale: transforms[parent].scale, channel: channels[parent][2] } : null;
    const isStill = translation === null && rotation === null && scale === null;
    if (isStill && (parentScale === null || parentScale.channel === null)) return null;
    return { transform, translation, rotation, scale, parent: parentScale };
  });
}

/** Reads the keys of one path of a node; null if it is not animated or the key budget is exhausted. */
function readPath(
  reading: Reading,
  window: TakeWindow,
  node: AnimatedNode,
  path: TrackPath,
  name: string,
  size: number,
): Keys | null {
  const isRotation = path === 'rotation';
  const source = {
    channels: channelsOf(node, path),
    width: PATH_WIDTH[path],
    isRotation,
    evaluate: pathFunction(node, path),
    errorBound: pathErrorBound(node, path),
    tolerance:
      chainPart(window.end) *
      (isRotation ? ROTATION_TOLERANCE : path === 'scale' ? RELATIVE_TOLERANCE : size * RELATIVE_TOLERANCE),
  };
  return resampleChannels(reading, window, source, name);
}

/** Checks whether all keys equal the rest pose of the node. A CUBICSPLINE never does: constant values fit LINEAR keys. */
function staysAtRest({ interpolation, values }: Keys, rest: Floats, path: TrackPath, size: number): boolean {
  if (interpolation !== 'LINEAR') return false;
  const start = PATH_OFFSET[path];
  const width = PATH_WIDTH[path];
  const tolerance = path === 'translation' ? size * REST_TOLERANCE : REST_TOLERANCE;
  for (let i = 0; i < values.length; i += width) {
    if (path === 'rotation' && quat.angleBetween(values, i, rest, start) > tolerance) return false;
    for (let c = 0; c < width && path !== 'rotation'; c++) {
      if (Math.abs(values[i + c] - rest[start + c]) > tolerance) return false;
    }
  }
  return true;
}

/** Counts the animated channels of Models outside all skeletons, and of blend shapes outside all meshes. */
function unusedChannelCount({ forest, skeletons, morphed }: Reading, { layers }: FbxTake): number {
  const kept = new Set<string>();
  for (const { modelIndices } of skeletons) for (const model of modelIndices) kept.add(forest.models[model].id);
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
