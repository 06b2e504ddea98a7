/** Evaluates value clips: layers that provide values one after another (OpenUSD, usd/clipSet.cpp). */
import { lastAtMost } from '../../../../core/math/search.ts';
import type { TimeSamples } from '../../layer/layer.ts';
import { stripVariantSelections } from '../../layer/paths.ts';
import type { Value } from '../../layer/value.ts';
import { type Interpolation, interpolateValues, sampleAt } from '../interpolate-samples.ts';
import type { OpenedLayer, StackedLayer } from '../layer-stack.ts';
import type { Site } from '../prim-index.ts';
import { textField } from '../spec-fields.ts';
import { type ClipTimes, clipTimeAt, stageTimesOfSamples } from './clip-times.ts';

/** A clip with the time at which it becomes active. */
export interface ActiveClip {
  /** The layer; null if it is missing, which provides no values. */
  readonly layer: OpenedLayer | null;
  /** Stage time. The first clip is active before its start, too. */
  readonly start: number;
}

/** A clip set, from the composed `clips` metadata. */
export interface ClipSet {
  /** Site of the prim that declares the files. In value resolution, the clips come right after the layer `anchor` of this site. */
  readonly site: Site;
  /** The layer that declares the files. */
  readonly anchor: StackedLayer;
  /** Path in the clips of the prim with the clip set. */
  readonly primPath: string;
  /** By ascending start; at least one. */
  readonly clips: readonly ActiveClip[];
  /** Starts of the clips. */
  readonly starts: Float64Array;
  /** Mapping from stage time to clip time. */
  readonly times: ClipTimes;
  /** Declares the attributes and their fallback values in clips without samples. Null: attributes with samples in any of the clips. */
  readonly manifest: OpenedLayer | null;
  /** True if values of clips without samples are interpolated from neighboring clips. */
  readonly interpolatesMissing: boolean;
  /** Cached sample times by path in the clips. */
  readonly knownTimes: Map<string, Float64Array>;
}

function samplesIn(opened: OpenedLayer | null, path: string): TimeSamples | null {
  const field = opened?.layer.specs.get(path)?.fields.get('timeSamples');
  return field?.type === 'timeSamples' && field.times.length > 0 ? field : null;
}

/** Maps a property of a site to its path in the clips. Returns the path; null if the set does not apply to the site or has no such attribute. */
export function pathInClips(set: ClipSet, site: Site, name: string): string | null {
  if (site.stack !== set.site.stack) return null;
  const from = stripVariantSelections(set.site.path);
  const path = stripVariantSelections(site.path);
  if (path !== from && !path.startsWith(`${from}/`)) return null;
  const inClips = `${set.primPath}${path.slice(from.length)}.${name}`;
  if (set.manifest === null) return set.clips.some(({ layer }) => samplesIn(layer, inClips) !== null) ? inClips : null;
  const declared = set.manifest.layer.specs.get(inClips);
  return declared?.type === 'attribute' && textField(declared, 'variability') !== 'uniform' ? inClips : null;
}

function manifestDefault(set: ClipSet, path: string): Value | null {
  const field = set.manifest?.layer.specs.get(path)?.fields.get('default');
  return (field as Value | undefined) ?? null;
}

function isBlocked(set: ClipSet, path: string, start: number): boolean {
  const samples = samplesIn(set.manifest, path);
  const at = samples === null ? -1 : samples.times.indexOf(start);
  return samples !== null && at >= 0 && samples.values[at].type === 'block';
}

function isContributing(set: ClipSet, clip: ActiveClip, path: string): boolean {
  if (!set.interpolatesMissing || manifestDefault(set, path) !== null) return true;
  return samplesIn(clip.layer, path) !== null && !isBlocked(set, path, clip.start);
}

/** Lists the stage times at which clips have samples of an attribute. Starts of clips and knots of their time mapping count as samples. */
export function clipSampleTimes(set: ClipSet, path: string): Float64Array {
  const known = set.knownTimes.get(path);
  if (known !== undefined) return known;
  const times = new Set<number>();
  for (const [i, clip] of set.clips.entries()) {
    if (!isContributing(set, clip, path)) continue;
    const from = i === 0 ? Number.NEGATIVE_INFINITY : clip.start;
    const to = i + 1 < set.clips.length ? set.clips[i + 1].start : Number.POSITIVE_INFINITY;
    const inClip = samplesIn(clip.layer, path)?.times ?? [];
    for (const time of stageTimesOfSamples(set.times, inClip, from, to)) times.add(time);
    times.add(clip.start);
  }
  if (times.size === 0) times.add(set.clips[0].start);
  const sorted = Float64Array.from(times).sort();
  set.knownTimes.set(path, sorted);
  return sorted;
}

/** Evaluates the active clip at a sample time. A clip without samples has the fallback value of the manifest, else a block. */
function clipSample(set: ClipSet, path: string, time: number, interpolation: Interpolation): Value {
  const clip = set.clips[Math.max(0, lastAtMost(set.starts, time))];
  const samples = samplesIn(clip.layer, path);
  const value =
    samples === null ? manifestDefault(set, path) : sampleAt(samples, clipTimeAt(set.times, time), interpolation);
  return value ?? { type: 'block' };
}

/** Evaluates an attribute at a stage time. Returns the value; null without one. */
export function clipValue(set: ClipSet, path: string, time: number, interpolation: Interpolation): Value | null {
  const times = clipSampleTimes(set, path);
  const lower = Math.max(0, lastAtMost(times, time));
  const value = clipSample(set, path, times[lower], interpolation);
  if (lower + 1 >= times.length || time <= times[lower]) return value.type === 'block' ? null : value;
  const next = clipSample(set, path, times[lower + 1], interpolation);
  return interpolateValues(value, next, (time - times[lower]) / (times[lower + 1] - times[lower]), interpolation);
}
