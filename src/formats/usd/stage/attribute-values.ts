/** Resolves values of attributes: finds the strongest opinion and evaluates it at a time. */
import type { LayerOffset, TimeSamples } from '../layer/layer.ts';
import type { Value } from '../layer/value.ts';
import { sampleAt } from './interpolate-samples.ts';
import { applyOffset, composeOffsets, IDENTITY_OFFSET, invertOffset } from './layer-offset.ts';
import { type Opinion, opinionsAt, type Site } from './prim-index.ts';
import { type Prim, primAndAncestors, primAt, type Stage, type Time } from './stage.ts';
import { type ClipSet, clipSampleTimes, clipValue, pathInClips } from './value-clips/clip-set.ts';

/** Where the value of an attribute comes from. */
type ValueSource =
  | { readonly type: 'default'; readonly value: Value; readonly opinion: Opinion }
  | { readonly type: 'samples'; readonly samples: TimeSamples; readonly opinion: Opinion }
  | { readonly type: 'clips'; readonly set: ClipSet; readonly path: string };

function defaultOf(opinion: Opinion): Value | null {
  const field = opinion.spec.fields.get('default');
  // In damaged files, the default field may contain time samples.
  return field === undefined || field.type === 'timeSamples' ? null : (field as Value);
}

function samplesOf({ spec }: Opinion): TimeSamples | null {
  const field = spec.fields.get('timeSamples');
  return field?.type === 'timeSamples' && field.times.length > 0 ? field : null;
}

/** Lists the clip sets that may apply to a prim: its own, then those of its ancestors. */
function clipSetsOver(stage: Stage, prim: Prim): ClipSet[] {
  if (stage.clipSets.size === 0) return [];
  return primAndAncestors(stage, prim.path).flatMap(({ path }) => stage.clipSets.get(path) ?? []);
}

/** Finds a clip set that is anchored at a layer of a site and has the attribute. */
function clipSourceAt(sets: readonly ClipSet[], site: Site, layerId: string, name: string): ValueSource | null {
  for (const set of sets) {
    if (set.anchor.id !== layerId) continue;
    const path = pathInClips(set, site, name);
    if (path !== null) return { type: 'clips', set, path };
  }
  return null;
}

/**
 * Finds the strongest opinion on the value of an attribute. At a time code, time samples win over the default of the same layer, and value clips are
 * right after the layer that declares their files.
 */
function valueSource(stage: Stage, path: string, name: string, time: Time): ValueSource | null {
  const prim = primAt(stage, path);
  if (prim === null) return null;
  const sourceIn = (opinion: Opinion): ValueSource | null => {
    if (opinion.spec.type !== 'attribute') return null;
    const samples = time === 'default' ? null : samplesOf(opinion);
    if (samples !== null) return { type: 'samples', samples, opinion };
    const value = defaultOf(opinion);
    return value === null ? null : { type: 'default', value, opinion };
  };
  const sets = time === 'default' ? [] : clipSetsOver(stage, prim);
  if (sets.length === 0) {
    for (const opinion of opinionsAt(prim.sites, name)) {
      const source = sourceIn(opinion);
      if (source !== null) return source;
    }
    return null;
  }
  for (const site of prim.sites) {
    const opinions = opinionsAt([site], name);
    for (const layer of site.isInert ? [] : site.stack.layers) {
      const opinion = opinions.find((found) => found.layer === layer);
      const source = (opinion === undefined ? null : sourceIn(opinion)) ?? clipSourceAt(sets, site, layer.id, name);
      if (source !== null) return source;
    }
  }
  return null;
}

function valueInStageTime(value: Value, { site, layer }: Opinion): Value {
  if (value.type !== 'timecode') return value;
  const offset = composeOffsets(site.offset, layer.offset);
  return { ...value, numbers: Float64Array.from(value.numbers as Float64Array, (code) => applyOffset(offset, code)) };
}

/**
 * Reads the value of an attribute at a time. Values between time samples are interpolated as
 * `Stage.interpolation` says, quaternions spherically; types that cannot be interpolated keep the value of the earlier sample.
 *
 * @param stage The composed stage.
 * @param path Path of the prim.
 * @param name Name of the attribute.
 * @param time Time code, or `default` for default values.
 * @returns The value; null if it is not authored or blocked (`None`). Do not write to its arrays: they may belong to the layer.
 * @example
 * ```ts
 * const points = attributeValue(stage, '/Hero/Mesh', 'points', 'default');
 * const translations = attributeValue(stage, '/Hero/Walk', 'translations', 12.5);
 * ```
 */
export function attributeValue(stage: Stage, path: string, name: string, time: Time): Value | null {
  const source = valueSource(stage, path, name, time);
  if (source === null) return null;
  if (source.type === 'default')
    return source.value.type === 'block' ? null : valueInStageTime(source.value, source.opinion);
  if (source.type === 'clips') return clipValue(source.set, source.path, time as number, stage.interpolation);
  const { site, layer } = source.opinion;
  const layerTime = invertOffset(composeOffsets(site.offset, layer.offset), time as number);
  const value = sampleAt(source.samples, layerTime, stage.interpolation);
  return value === null ? null : valueInStageTime(value, source.opinion);
}

/**
 * Returns a key that is equal for attributes with the same values at the same times in one layer: those of prims that inherit or reference one prim.
 * The key is empty for attributes without a value, null with value clips.
 */
export function valuesKey(stage: Stage, path: string, name: string, numbers: Map<object, number>): string | null {
  const source = valueSource(stage, path, name, 0);
  if (source === null) return '';
  if (source.type === 'clips') return null;
  const values = source.type === 'samples' ? source.samples : source.value;
  const number = numbers.get(values) ?? numbers.size;
  numbers.set(values, number);
  const { site, layer } = source.opinion;
  const { offset, scale } = composeOffsets(site.offset, layer.offset);
  return `${number} ${offset} ${scale}`;
}

/**
 * Reads the time samples from which {@link attributeValue} computes values. A default value becomes a single sample. Samples are in layer
 * time; `offset` leads to stage time. Returns null without a value, with value clips, and for values that are time codes.
 */
export function attributeSamples(
  stage: Stage,
  path: string,
  name: string,
): { readonly samples: TimeSamples; readonly offset: LayerOffset } | null {
  const source = valueSource(stage, path, name, 0);
  if (source === null || source.type === 'clips') return null;
  const { site, layer } = source.opinion;
  const found =
    source.type === 'samples'
      ? { samples: source.samples, offset: composeOffsets(site.offset, layer.offset) }
      : {
          samples: { type: 'timeSamples' as const, times: new Float64Array(1), values: [source.value] },
          offset: IDENTITY_OFFSET,
        };
  return found.samples.values.some(({ type }) => type === 'timecode') ? null : found;
}

export function mergeTimes(lists: readonly Float64Array[]): Float64Array {
  const own = [...new Set(lists)].filter(({ length }) => length > 0);
  if (own.length <= 1) return own[0] ?? new Float64Array(0);
  const all = new Float64Array(own.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const times of own) {
    all.set(times, at);
    at += times.length;
  }
  all.sort();
  return all.filter((time, i) => i === 0 || time !== all[i - 1]);
}

/**
 * Lists the time codes of the stage at which an attribute has samples. Starts and knots of value clips count as samples. Returns ascending time
 * codes; empty for default values. Do not write to the array: it may belong to the layer.
 */
export function timeSamplesOf(stage: Stage, path: string, name: string): Float64Array {
  const source = valueSource(stage, path, name, 0);
  if (source === null || source.type === 'default') return new Float64Array(0);
  if (source.type === 'clips') return clipSampleTimes(source.set, source.path).slice();
  const { site, layer } = source.opinion;
  const offset = composeOffsets(site.offset, layer.offset);
  if (offset === IDENTITY_OFFSET) return source.samples.times;
  const times = source.samples.times.map((time) => applyOffset(offset, time));
  return offset.scale < 0 ? times.reverse() : times;
}

/** Tests whether an attribute has an authored value (default, time samples or value clips) that is not blocked. */
export function hasAuthoredValue(stage: Stage, path: string, name: string): boolean {
  const source = valueSource(stage, path, name, 0);
  return source !== null && (source.type !== 'default' || source.value.type !== 'block');
}

/**
 * Finds the layer that authors the default value of an attribute; asset paths in the value are relative to it. Returns id of the layer; null if the
 * value is not authored or blocked.
 */
export function defaultValueLayer(stage: Stage, path: string, name: string): string | null {
  const source = valueSource(stage, path, name, 'default');
  return source?.type === 'default' && source.value.type !== 'block' ? source.opinion.layer.id : null;
}
