/** Limits the numbers of an asset to the range that motion is computed with: the last step of every reader. */
import { type Clip, type Keys, lastKeyTime, PATH_WIDTH, type Track } from '../animation/clip.ts';
import type { Floats } from '../math/floats.ts';
import { type Issue, issue } from '../report/issue.ts';
import { GREATEST_PRODUCT, GREATEST_SCALE, GREATEST_TRANSLATION, LEAST_SCALE } from '../skeleton/limit-rest.ts';
import { PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import type { Asset, AssetClip, AssetSkeleton } from './asset.ts';

/** Latest key time in seconds, 36 hours: from here on, neighboring float32 times are 1/64 s apart. */
export const LATEST_TIME = 2 ** 17;
/** Meters per unit of length: from nanometers to millions of kilometers. */
const UNITS: readonly [least: number, greatest: number] = [1e-9, 1e9];
/** Greatest morph target weight. */
const GREATEST_WEIGHT = 1e6;

function areWithin(values: Floats, most: number): boolean {
  for (let i = 0; i < values.length; i++) if (!(Math.abs(values[i]) <= most)) return false;
  return true;
}

/**
 * Removes keys before time 0, keys that are too late and keys that have a value out of range, and sets tangents out of range to 0. Returns the same
 * keys if all are in range.
 */
function limitKeys<T extends Keys>(keys: T, width: number, most: number, floor: number): T | null {
  const { times, values, interpolation } = keys;
  const isCubic = interpolation === 'CUBICSPLINE';
  const isInTime = (time: number): boolean => time >= 0 && time <= LATEST_TIME;
  const isLow = (value: number): boolean => value !== 0 && Math.abs(value) < floor;
  const areInTime = isInTime(times[0]) && isInTime(times[times.length - 1]);
  if (areInTime && areWithin(values, most) && !(floor > 0 && values.some(isLow))) return keys;
  const stride = values.length / times.length;
  const from = isCubic ? width : 0;
  const kept: number[] = [];
  for (let key = 0; key < times.length; key++) {
    const at = key * stride + from;
    if (isInTime(times[key]) && areWithin(values.subarray(at, at + width), most)) kept.push(key);
  }
  if (kept.length === 0) return null;
  const isOneCubic = isCubic && kept.length === 1;
  const size = isOneCubic ? width : stride;
  const limited = new Float64Array(kept.length * size);
  let isChanged = kept.length < times.length;
  for (const [k, key] of kept.entries()) {
    const at = key * stride + (isOneCubic ? from : 0);
    for (let c = 0; c < size; c++) {
      const value = values[at + c];
      const isOut = !(Math.abs(value) <= GREATEST_PRODUCT) || isLow(value);
      limited[k * size + c] = isOut ? 0 : value;
      isChanged ||= isOut;
    }
  }
  // Tangents may be greater than values.
  if (!isChanged) return keys;
  const sameType = values instanceof Float32Array ? Float32Array.from(limited) : limited;
  const keptTimes = times instanceof Float32Array ? new Float32Array(kept.length) : new Float64Array(kept.length);
  for (const [k, key] of kept.entries()) keptTimes[k] = times[key];
  return { ...keys, interpolation: isOneCubic ? 'STEP' : interpolation, times: keptTimes, values: sameType };
}

/** Returns a bound of the components of a track, at its keys and between them. */
function greatestBetween({ times, values, interpolation, path }: Track): number {
  const width = PATH_WIDTH[path];
  const isCubic = interpolation === 'CUBICSPLINE';
  const stride = isCubic ? 3 * width : width;
  const from = isCubic ? width : 0;
  let most = 0;
  for (let key = 0; key < times.length; key++) {
    const duration = key + 1 < times.length ? times[key + 1] - times[key] : 0;
    for (let at = key * stride + from, end = at + width; at < end; at++) {
      let size = Math.abs(values[at]);
      // A Hermite spline is between its values, but for its tangents: they have weights of at most 4/27 of the interval.
      if (isCubic && duration > 0) {
        const tangents = Math.abs(values[at + width]) + Math.abs(values[at - width + stride]);
        size = Math.max(size, Math.abs(values[at + stride])) + (4 / 27) * duration * tangents;
      }
      most = Math.max(most, size);
    }
  }
  return most;
}

/** Returns the nodes whose animated scale, with that of all nodes above, exceeds the range. */
function overscaledNodes({ parents, rest }: Skeleton, tracks: readonly Track[]): ReadonlySet<number> {
  const own = new Float64Array(parents.length);
  for (let node = 0; node < parents.length; node++) {
    const at = node * POSE_STRIDE + PATH_OFFSET.scale;
    own[node] = Math.max(Math.abs(rest[at]), Math.abs(rest[at + 1]), Math.abs(rest[at + 2]));
  }
  const animated = new Map<number, number>();
  for (const track of tracks) if (track.path === 'scale') animated.set(track.target, greatestBetween(track));
  const over = new Set<number>();
  if (animated.size === 0) return over;
  const products = new Float64Array(parents.length);
  for (let node = 0; node < parents.length; node++) {
    const above = parents[node] < 0 ? 1 : products[parents[node]];
    const most = Math.max(own[node], animated.get(node) ?? 0);
    const isOver = animated.has(node) && above * most > GREATEST_SCALE;
    if (isOver) over.add(node);
    products[node] = above * (isOver ? own[node] : most) || 1;
  }
  return over;
}

/** Counts the items of a list that another list lacks. */
function countChanged(before: readonly unknown[], after: readonly unknown[]): number {
  const kept = new Set(after);
  return before.filter((one) => !kept.has(one)).length;
}

interface Changes {
  tracks: number;
  binds: number;
  units: number;
}

function limitTrack(track: Track): Track | null {
  if (track.path === 'rotation') return limitKeys(track, PATH_WIDTH.rotation, 2, 0);
  if (track.path === 'scale') return limitKeys(track, PATH_WIDTH.scale, GREATEST_SCALE, LEAST_SCALE);
  return limitKeys(track, PATH_WIDTH.translation, GREATEST_TRANSLATION, 0);
}

function limitClip(skeleton: Skeleton, clip: Clip, changes: Changes): Clip {
  const limited = clip.tracks.map(limitTrack);
  const found = limited.filter((track) => track !== null);
  const over = overscaledNodes(skeleton, found);
  const tracks = over.size === 0 ? found : found.filter(({ path, target }) => path !== 'scale' || !over.has(target));
  if (tracks.length === clip.tracks.length && tracks.every((track, k) => track === clip.tracks[k])) return clip;
  changes.tracks += countChanged(clip.tracks, tracks);
  return { ...clip, duration: Math.min(clip.duration, lastKeyTime(tracks)), tracks };
}

/** Limits a list of keys; returns the same list if all are in range. */
function limitList<T extends Keys>(list: readonly T[], widthOf: (keys: T) => number, changes: Changes): readonly T[] {
  const limited = list.map((keys) => limitKeys(keys, widthOf(keys), GREATEST_WEIGHT, 0));
  const kept = limited.filter((keys) => keys !== null);
  if (kept.length === list.length && kept.every((keys, k) => keys === list[k])) return list;
  changes.tracks += countChanged(list, kept);
  return kept;
}

function limitAssetClip(clip: AssetClip, skeletons: readonly AssetSkeleton[], changes: Changes): AssetClip {
  const before = changes.tracks;
  const clips = clip.clips.map((one, k) => limitClip(skeletons[k].skeleton, one, changes));
  const morphs = limitList(clip.morphs, ({ targetCount }) => targetCount, changes);
  const expressions = limitList(clip.expressions ?? [], () => 1, changes);
  const lookAt = limitList(clip.lookAt === undefined ? [] : [clip.lookAt], () => PATH_WIDTH.rotation, changes)[0];
  if (!(clip.duration <= LATEST_TIME)) changes.tracks += changes.tracks === before ? 1 : 0;
  if (changes.tracks === before) return clip;
  const { lookAt: _lookAt, expressions: _expressions, ...rest } = clip;
  return {
    ...rest,
    duration: clip.duration <= LATEST_TIME ? clip.duration : lastKeyTime(clips.flatMap(({ tracks }) => tracks)),
    clips,
    morphs,
    ...(expressions.length === 0 ? {} : { expressions }),
    ...(lookAt === undefined ? {} : { lookAt }),
  };
}

function limitSkeleton(part: AssetSkeleton, changes: Changes): AssetSkeleton {
  const { bind } = part.skeleton;
  if (bind === null || areWithin(bind, GREATEST_PRODUCT)) return part;
  changes.binds++;
  return { ...part, skeleton: { ...part.skeleton, bind: null } };
}

function issueOf({ tracks, binds, units }: Changes): Issue {
  const range = `translations up to ${GREATEST_TRANSLATION}, scales up to ${GREATEST_SCALE}, times up to ${LATEST_TIME} s`;
  const found = [
    ...(tracks > 0 ? [`Keys of ${tracks} tracks exceed the range of anyrig (${range}) and were left out`] : []),
    ...(binds > 0
      ? [`The bind pose of ${binds} skeletons has numbers out of range and was replaced by the rest pose`]
      : []),
    ...(units > 0 ? ['The unit of length is out of range and was ignored'] : []),
  ];
  return issue('NUMBERS_OUT_OF_RANGE', `${found.join('. ')}. The file is probably damaged`);
}

/**
 * Limits the keys and bind poses of an asset to a range in which all further numbers are finite: keys beyond it are left out, and a bind pose beyond
 * it is dropped. The rest pose is limited by `limitRest` where the nodes are read.
 */
export function limitAsset(asset: Asset): Asset {
  const unit = asset.metersPerUnit;
  const isUnit = unit === null || (unit >= UNITS[0] && unit <= UNITS[1]);
  const changes: Changes = { tracks: 0, binds: 0, units: isUnit ? 0 : 1 };
  const skeletons = asset.skeletons.map((part) => limitSkeleton(part, changes));
  const clips = asset.clips.map((clip) => limitAssetClip(clip, skeletons, changes));
  const { tracks, binds, units } = changes;
  if (tracks + binds + units === 0) return asset;
  const metersPerUnit = isUnit ? unit : null;
  return { ...asset, metersPerUnit, skeletons, clips, issues: [...asset.issues, issueOf(changes)] };
}
