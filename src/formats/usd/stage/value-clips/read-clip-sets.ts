import type { DictionaryValue, Value } from '../../layer/value.ts';
import { composeListOps } from '../compose-list-ops.ts';
import { mergeDictionaries } from '../composed-metadata.ts';
import { spendSteps } from '../composition-budget.ts';
import { applyOffset, composeOffsets, IDENTITY_OFFSET } from '../layer-offset.ts';
import { type LayerSource, type OpenedLayer, openLayer, report } from '../layer-stack.ts';
import { type Opinion, opinionsAt } from '../prim-index.ts';
import { dictionaryField, textListField } from '../spec-fields.ts';
import type { Prim } from '../stage.ts';
import type { ActiveClip, ClipSet } from './clip-set.ts';
import { type ClipTemplate, templateClips, templateTimePairs } from './clip-template.ts';
import { createClipTimes } from './clip-times.ts';

/** The composed metadata of a clip set, and the strongest opinion that declares files. */
interface ClipSetDefinition {
  readonly name: string;
  readonly info: DictionaryValue;
  readonly anchor: Opinion | null;
}

function textOf(info: DictionaryValue, name: string): string | null {
  const value = info.entries.get(name);
  return value !== undefined && 'texts' in value && value.texts.length > 0 ? value.texts[0] : null;
}

function numbersOf(info: DictionaryValue, name: string): Float64Array | null {
  const value = info.entries.get(name);
  if (value === undefined || !('numbers' in value)) return null;
  const { numbers } = value;
  return numbers instanceof Float64Array ? numbers : Float64Array.from(numbers as ArrayLike<number>, Number);
}

function namesFiles(info: DictionaryValue): boolean {
  return info.entries.has('assetPaths') || info.entries.has('templateAssetPath');
}

/** Applies the layer offset to stage times in `active` and `times`. */
function withOffset(info: DictionaryValue, opinion: Opinion): DictionaryValue {
  const offset = composeOffsets(opinion.site.offset, opinion.layer.offset);
  if (offset === IDENTITY_OFFSET) return info;
  const entries = new Map<string, Value>(info.entries);
  for (const name of ['active', 'times']) {
    const value = entries.get(name);
    if (value?.type !== 'double2') continue;
    const numbers = Float64Array.from(value.numbers as Float64Array, (n, i) =>
      i % 2 === 0 ? applyOffset(offset, n) : n,
    );
    entries.set(name, { ...value, numbers });
  }
  return { type: 'dictionary', entries };
}

/** Budget steps per entry of a clip set, in addition to its items. */
const ENTRY_STEPS = 5;
/** Budget steps per item of an entry. */
const ITEM_STEPS = 3;
const FILE_STEPS = 10;

function spendOn({ budget }: LayerSource, { entries }: DictionaryValue): void {
  for (const value of entries.values()) {
    const size = 'numbers' in value ? value.numbers.length : 'texts' in value ? value.texts.length : 0;
    spendSteps(budget, ENTRY_STEPS + ITEM_STEPS * size);
  }
}

/** Composes the clip sets of the layers of one site, ordered by name or by `clipSets`. */
function definitionsAt(source: LayerSource, opinions: readonly Opinion[]): ClipSetDefinition[] {
  const sets = new Map<string, ClipSetDefinition>();
  let order: readonly string[] = [];
  for (const opinion of [...opinions].reverse()) {
    const clips = dictionaryField(opinion.spec, 'clips');
    const here: string[] = [];
    for (const [name, value] of clips?.entries ?? []) {
      if (name === '' || value.type !== 'dictionary') continue;
      spendOn(source, value);
      const weaker = sets.get(name);
      const info = withOffset(value, opinion);
      sets.set(name, {
        name,
        info: weaker === undefined ? info : mergeDictionaries(info, weaker.info),
        anchor: namesFiles(info) ? opinion : (weaker?.anchor ?? null),
      });
      here.push(name);
    }
    spendSteps(source.budget, ENTRY_STEPS * (here.length + order.length));
    order = [...new Set([...order, ...here.sort()])];
    const edit = textListField(opinion.spec, 'clipSets');
    if (edit !== null) order = composeListOps([edit, { ...edit, explicit: order }], (name) => name) ?? order;
  }
  return order.flatMap((name) => sets.get(name) ?? []);
}

function composedDefinitions(source: LayerSource, prim: Prim): ClipSetDefinition[] {
  const sets = new Map<string, ClipSetDefinition>();
  for (const site of prim.sites) {
    for (const weak of definitionsAt(source, opinionsAt([site]))) {
      const strong = sets.get(weak.name);
      const merged =
        strong === undefined
          ? weak
          : { ...strong, info: mergeDictionaries(strong.info, weak.info), anchor: strong.anchor ?? weak.anchor };
      sets.set(weak.name, merged);
    }
  }
  return [...sets.values()];
}

/**
 * Layers of a clip set with `active` and `times`. The functions below return a clause instead if the metadata is invalid, null if nothing is active.
 */
interface ClipFiles {
  readonly layers: readonly (OpenedLayer | null)[];
  readonly active: ArrayLike<number>;
  readonly times: ArrayLike<number>;
}

function openTemplateFiles(source: LayerSource, info: DictionaryValue, anchor: Opinion): ClipFiles | string | null {
  const [startTime, endTime, stride, activeOffset] = ['StartTime', 'EndTime', 'Stride', 'ActiveOffset'].map(
    (name) => numbersOf(info, `template${name}`)?.[0],
  );
  if (startTime === undefined || endTime === undefined || stride === undefined) {
    return 'templateAssetPath requires templateStartTime, templateEndTime and templateStride';
  }
  const assetPath = textOf(info, 'templateAssetPath') ?? '';
  const template: ClipTemplate = { assetPath, startTime, endTime, stride, activeOffset: activeOffset ?? null };
  const clips = templateClips(template);
  if (typeof clips === 'string') return clips;
  spendSteps(source.budget, FILE_STEPS * clips.length);
  const opened = clips.map((clip) => openLayer(source, clip.assetPath, anchor.layer.id, true));
  const found = clips.filter((_, i) => opened[i] !== null);
  const layers = opened.filter((layer) => layer !== null);
  const { times, active } = templateTimePairs(template, found);
  const offset = composeOffsets(anchor.site.offset, anchor.layer.offset);
  const toStageTime = (n: number, i: number): number => (i % 2 === 0 ? applyOffset(offset, n) : n);
  return { layers, active: active.map(toStageTime), times: times.map(toStageTime) };
}

function openClipFiles(source: LayerSource, info: DictionaryValue, anchor: Opinion): ClipFiles | string | null {
  const files = info.entries.get('assetPaths');
  if (files === undefined) return openTemplateFiles(source, info, anchor);
  const active = numbersOf(info, 'active');
  if (files.type !== 'asset' || active === null) return 'assetPaths (asset[]) and active (double2[]) are required';
  if (files.texts.includes('')) return 'one of its assetPaths is empty';
  const layers = files.texts.map((asset) => openLayer(source, asset, anchor.layer.id));
  return { layers, active, times: numbersOf(info, 'times') ?? [] };
}

function activeClips({ layers, active }: ClipFiles): ActiveClip[] | string {
  const clips: ActiveClip[] = [];
  for (let i = 0; i + 1 < active.length; i += 2) {
    const index = Math.trunc(active[i + 1]);
    if (!(index >= 0 && index < layers.length))
      return `active refers to the clip ${index}; expected 0…${layers.length - 1}`;
    clips.push({ start: active[i], layer: layers[index] });
  }
  clips.sort((a, b) => a.start - b.start);
  const isTwice = clips.some(({ start }, i) => i > 0 && clips[i - 1].start === start);
  return isTwice ? 'two clips are active at the same time' : clips;
}

function hasThreeEqualTimes(times: ArrayLike<number>): boolean {
  const stage = Float64Array.from({ length: times.length >> 1 }, (_, i) => times[2 * i]).sort();
  for (let i = 2; i < stage.length; i++) if (stage[i] === stage[i - 2]) return true;
  return false;
}

function readClipSet(source: LayerSource, { info }: ClipSetDefinition, anchor: Opinion): ClipSet | string | null {
  const primPath = textOf(info, 'primPath');
  if (primPath === null || !/^(?:\/[^/.{}]+)+$/.test(primPath))
    return 'primPath is missing or not the absolute path of a prim';
  const opened = openClipFiles(source, info, anchor);
  if (opened === null || typeof opened === 'string') return opened;
  if (opened.active.length < 2) return null;
  if (hasThreeEqualTimes(opened.times)) return 'times has more than two pairs with the same stage time';
  const clips = activeClips(opened);
  if (typeof clips === 'string') return clips;
  const manifest = textOf(info, 'manifestAssetPath') ?? '';
  return {
    site: anchor.site,
    anchor: anchor.layer,
    primPath,
    clips,
    starts: Float64Array.from(clips, ({ start }) => start),
    times: createClipTimes(opened.times),
    manifest: manifest === '' ? null : openLayer(source, manifest, anchor.layer.id),
    interpolatesMissing: (numbersOf(info, 'interpolateMissingClipValues')?.[0] ?? 0) !== 0,
    knownTimes: new Map(),
  };
}

/** Reads the clip sets of a prim. Invalid sets are reported and ignored. */
export function readClipSets(source: LayerSource, prim: Prim): ClipSet[] {
  if (!opinionsAt(prim.sites).some(({ spec }) => spec.fields.has('clips'))) return [];
  const sets: ClipSet[] = [];
  for (const definition of composedDefinitions(source, prim)) {
    if (definition.anchor === null) continue;
    const set = readClipSet(source, definition, definition.anchor);
    if (typeof set === 'string') {
      report(
        source,
        'USD_COMPOSITION',
        `The clip set ${definition.name} of ${prim.path} is invalid and was ignored: ${set}.`,
        definition.anchor.layer.id,
      );
    } else if (set !== null) sets.push(set);
  }
  return sets;
}
