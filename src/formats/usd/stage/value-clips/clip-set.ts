/** Sets of value clips: layers that are played one after the other (OpenUSD, usd/clipSet.cpp). */
import type { TimeSamples } from '../../layer/layer.ts';
import { stripVariantSelections } from '../../layer/paths.ts';
import type { Value } from '../../layer/value.ts';
import { type ClipTimes, stageTimesOfSamples, clipTimeAt } from './clip-times.ts';
import { textField } from '../spec-fields.ts';
import { type Interpolation, interpolateValues, lastIndexUpTo, sampleAt } from '../interpolate-samples.ts';
import type { OpenedLayer, StackedLayer } from '../layer-stack.ts';
import type { Site } from '../prim-index.ts';

/** One layer of a set, from when on it plays. */
export interface ActiveClip {
  /** Null when it is missing: it says nothing. */
  readonly layer: OpenedLayer | null;
  /** Time of the stage. The first clip also plays before. */
  readonly start: number;
}

/** Composed `clips` metadata of one set. */
export interface ClipSet {
  readonly name: string;
  /** Where its files are named: its values are right behind those of this layer. */
  readonly site: Site;
  readonly anchor: StackedLayer;
  /** The prim in the clips that stands for the one that has the set. */
  readonly primPath: string;
  /** By rising start; at least one. */
  readonly clips: readonly ActiveClip[];
  readonly starts: Float64Array;
  readonly times: ClipTimes;
  /** Which attributes there are, and their values in clips without them. Null: those that have samples in any of the clips. */
  readonly manifest: OpenedLayer | null;
  /** Whether clips without samples are bridged by their neighbors. */
  readonly interpolatesMissing: boolean;
  /** Sample times by path in the clips, as they are asked for. */
  readonly knownTimes: Map<string, Float64Array>;
}

function samplesIn(opened: OpenedLayer | null, path: string): TimeSamples | null {
  const field = opened?.layer.specs.get(path)?.fields.get('timeSamples');
  return field?.type === 'timeSamples' && field.times.length > 0 ? field : null;
}

/** The path in the clips of a property of a site; null when the set does not reach it, or the clips do not have it. */
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

/** Whether the manifest says that there is nothing in the clip that starts at this time. */
function isBlocked(set: ClipSet, path: string, start: number): boolean {
  const samples = samplesIn(set.manifest, path);
  const at = samples === null ? -1 : samples.times.indexOf(start);
  return samples !== null && at >= 0 && samples.values[at].type === 'block';
}

function isContributing(set: ClipSet, clip: ActiveClip, path: string): boolean {
  if (!set.interpolatesMissing || manifestDefault(set, path) !== null) return true;
  return samplesIn(clip.layer, path) !== null && !isBlocked(set, path, clip.start);
}

/** Times of the stage at which the clips have samples of an attribute. Every start of a clip and every knot of its times counts as one. */
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

/** The value at a sample time, of the clip that plays then. A clip without samples: that of the manifest, else a block. */
function clipSample(set: ClipSet, path: string, time: number, interpolation: Interpolation): Value {
  const clip = set.clips[Math.max(0, lastIndexUpTo(set.starts, time))];
  const samples = samplesIn(clip.layer, path);
  const value =
    samples === null ? manifestDefault(set, path) : sampleAt(samples, clipTimeAt(set.times, time), interpolation);
  return value ?? { type: 'block' };
}

/** The value of an attribute at a time of the stage; null where there is none. `path`: of {@link pathInClips}. */
export function clipValue(set: ClipSet, path: string, time: number, interpolation: Interpolation): Value | null {
  const times = clipSampleTimes(set, path);
  const lower = Math.max(0, lastIndexUpTo(times, time));
  const value = clipSample(set, path, times[lower], interpolation);
  if (lower + 1 >= times.length || time <= times[lower]) return value.type === 'block' ? null : value;
  const next = clipSample(set, path, times[lower + 1], interpolation);
  return interpolateValues(value, next, (time - times[lower]) / (times[lower + 1] - times[lower]), interpolation);
}
