/** Values of attributes: which layer's word counts, and what it comes to at a time. */
import type { LayerOffset, TimeSamples } from '../layer/layer.ts';
import type { Value } from '../layer/value.ts';
import { type ClipSet, clipSampleTimes, clipValue, pathInClips } from './value-clips/clip-set.ts';
import { sampleAt } from './interpolate-samples.ts';
import { composeOffsets, IDENTITY_OFFSET, applyOffset, invertOffset } from './layer-offset.ts';
import { type Opinion, opinionsAt, type Site } from './prim-index.ts';
import { type Prim, primAndAncestors, primAt, type Stage, type Time } from './stage.ts';

/** What the value of an attribute comes from. */
type ValueSource =
  | { readonly type: 'default'; readonly value: Value; readonly opinion: Opinion }
  | { readonly type: 'samples'; readonly samples: TimeSamples; readonly opinion: Opinion }
  | { readonly type: 'clips'; readonly set: ClipSet; readonly path: string };

function defaultOf(opinion: Opinion): Value | null {
  const field = opinion.spec.fields.get('default');
  // A default is a plain value; all else in its place is a broken file.
  return field === undefined || field.type === 'timeSamples' ? null : (field as Value);
}

function samplesOf({ spec }: Opinion): TimeSamples | null {
  const field = spec.fields.get('timeSamples');
  return field?.type === 'timeSamples' && field.times.length > 0 ? field : null;
}

/** The value clips that may reach a prim: its own first, then those of the prims above. */
function clipSetsOver(stage: Stage, prim: Prim): ClipSet[] {
  if (stage.clipSets.size === 0) return [];
  return primAndAncestors(stage, prim.path).flatMap(({ path }) => stage.clipSets.get(path) ?? []);
}

/** The clips that are right behind a layer of a site, if they know the attribute. */
function clipSourceAt(sets: readonly ClipSet[], site: Site, layerId: string, name: string): ValueSource | null {
  for (const set of sets) {
    if (set.anchor.id !== layerId) continue;
    const path = pathInClips(set, site, name);
    if (path !== null) return { type: 'clips', set, path };
  }
  return null;
}

/**
 * The strongest word on the value of an attribute. At a time, samples count more than the default of the same layer, and value clips come behind the layer
 * that names their files.
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

/** Time codes in values are moved like those of samples. */
function valueHere(value: Value, { site, layer }: Opinion): Value {
  if (value.type !== 'timecode') return value;
  const offset = composeOffsets(site.offset, layer.offset);
  return { ...value, numbers: Float64Array.from(value.numbers as Float64Array, (code) => applyOffset(offset, code)) };
}

/**
 * The value of an attribute at a time code of the stage, or its default. Null when there is none: no layer says one, or the strongest blocks it
 * (`None`). Between samples after {@link sampleAt}. What comes out may be the layer's own array: do not write into it.
 */
export function attributeValue(stage: Stage, path: string, name: string, time: Time): Value | null {
  const source = valueSource(stage, path, name, time);
  if (source === null) return null;
  if (source.type === 'default') return source.value.type === 'block' ? null : valueHere(source.value, source.opinion);
  if (source.type === 'clips') return clipValue(source.set, source.path, time as number, stage.interpolation);
  const { site, layer } = source.opinion;
  const there = invertOffset(composeOffsets(site.offset, layer.offset), time as number);
  const value = sampleAt(source.samples, there, stage.interpolation);
  return value === null ? null : valueHere(value, source.opinion);
}

/**
 * Text that is the same for attributes whose values over time are one and the same in a layer, at the same times: of prims that inherit them, or refer to one
 * prim, and of those that have none. Null with value clips. `numbers`: of the values that were met.
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

/** What an attribute has at times: samples of the layer, not copied, whose times are there in the layer's. */
export interface AttributeSamples {
  readonly samples: TimeSamples;
  /** Times of the layer in those of the stage. */
  readonly offset: LayerOffset;
}

/**
 * The samples that {@link attributeValue} takes values at times from, for those who want many; a default is a sample at any time. Null without a value, and
 * where values come from value clips or are time codes themselves.
 */
export function attributeSamples(stage: Stage, path: string, name: string): AttributeSamples | null {
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

/** Rising times of several lists, each once; the list itself where there is only one. */
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
 * The time codes of the stage at which an attribute has samples, rising; none for defaults. Of value clips also their starts and knots. What comes out may be
 * the layer's own array: do not write into it.
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

/** Whether a layer gives an attribute a value, default or samples, that the strongest word does not block. */
export function hasAuthoredValue(stage: Stage, path: string, name: string): boolean {
  const source = valueSource(stage, path, name, 0);
  return source !== null && (source.type !== 'default' || source.value.type !== 'block');
}

/**
 * The id of the layer whose default value of an attribute counts: where an asset path in it starts from. Null when no layer gives one, or the strongest
 * blocks it.
 */
export function defaultValueLayer(stage: Stage, path: string, name: string): string | null {
  const source = valueSource(stage, path, name, 'default');
  return source?.type === 'default' && source.value.type !== 'block' ? source.opinion.layer.id : null;
}
