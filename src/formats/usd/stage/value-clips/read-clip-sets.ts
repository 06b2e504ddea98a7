/** The `clips` metadata of prims (OpenUSD, usd/clipSetDefinition.cpp). */
import type { DictionaryValue, Value } from '../../layer/value.ts';
import type { ActiveClip, ClipSet } from './clip-set.ts';
import { type ClipTemplate, templateClips, templateTimePairs } from './clip-template.ts';
import { createClipTimes } from './clip-times.ts';
import { dictionaryField, textListField } from '../spec-fields.ts';
import { composeOffsets, IDENTITY_OFFSET, applyOffset } from '../layer-offset.ts';
import { type LayerSource, type OpenedLayer, openLayer, report } from '../layer-stack.ts';
import { composeListOps } from '../compose-list-ops.ts';
import { mergeDictionaries } from '../composed-metadata.ts';
import { type Opinion, opinionsAt } from '../prim-index.ts';
import type { Prim } from '../stage.ts';
import { spendSteps } from '../composition-budget.ts';

/** The entries of one set as all layers have them, and the strongest layer that names files. */
interface Definition {
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

/** Times of the stage in `active` and `times` are those of the layer that says them. */
function withOffset(info: DictionaryValue, opinion: Opinion): DictionaryValue {
  const offset = composeOffsets(opinion.site.offset, opinion.layer.offset);
  if (offset === IDENTITY_OFFSET) return info;
  const entries = new Map<string, Value>(info.entries);
  for (const name of ['active', 'times']) {
    const value = entries.get(name);
    if (value?.type !== 'double2') continue;
    const numbers = Float64Array.from(value.numbers as Float64Array, (n, i) => (i % 2 === 0 ? applyOffset(offset, n) : n));
    entries.set(name, { ...value, numbers });
  }
  return { type: 'dictionary', entries };
}

/** What an entry of a set takes, beside its items, what one of these, and what a file of a template. */
const ENTRY_STEPS = 5;
const ITEM_STEPS = 3;
const FILE_STEPS = 10;

/** Counts what going over a set takes, a few times. */
function spendOn({ budget }: LayerSource, { entries }: DictionaryValue): void {
  for (const value of entries.values()) {
    const size = 'numbers' in value ? value.numbers.length : 'texts' in value ? value.texts.length : 0;
    spendSteps(budget, ENTRY_STEPS + ITEM_STEPS * size);
  }
}

/** The sets of the layers of one site, in their order: by name, or as `clipSets` says. */
function definitionsAt(source: LayerSource, opinions: readonly Opinion[]): Definition[] {
  const sets = new Map<string, Definition>();
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

function composedDefinitions(source: LayerSource, prim: Prim): Definition[] {
  const sets = new Map<string, Definition>();
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

/** Layers of a set with `active` and `times`; a sentence about what is wrong where it cannot be used; null when nothing is to be played. */
interface Played {
  readonly layers: readonly (OpenedLayer | null)[];
  readonly active: ArrayLike<number>;
  readonly times: ArrayLike<number>;
}

function playTemplate(source: LayerSource, info: DictionaryValue, anchor: Opinion): Played | string | null {
  const [startTime, endTime, stride, activeOffset] = ['StartTime', 'EndTime', 'Stride', 'ActiveOffset'].map(
    (name) => numbersOf(info, `template${name}`)?.[0],
  );
  if (startTime === undefined || endTime === undefined || stride === undefined) {
    return 'a template needs templateStartTime, templateEndTime and templateStride';
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
  const moved = (n: number, i: number): number => (i % 2 === 0 ? applyOffset(offset, n) : n);
  return { layers, active: active.map(moved), times: times.map(moved) };
}

function playFiles(source: LayerSource, info: DictionaryValue, anchor: Opinion): Played | string | null {
  const files = info.entries.get('assetPaths');
  if (files === undefined) return playTemplate(source, info, anchor);
  const active = numbersOf(info, 'active');
  if (files.type !== 'asset' || active === null) return 'it needs assetPaths (asset[]) and active (double2[])';
  if (files.texts.includes('')) return 'one of its assetPaths is empty';
  const layers = files.texts.map((asset) => openLayer(source, asset, anchor.layer.id));
  return { layers, active, times: numbersOf(info, 'times') ?? [] };
}

function activeClips({ layers, active }: Played): ActiveClip[] | string {
  const clips: ActiveClip[] = [];
  for (let i = 0; i + 1 < active.length; i += 2) {
    const index = Math.trunc(active[i + 1]);
    if (!(index >= 0 && index < layers.length)) return `active names the clip ${index} of ${layers.length}`;
    clips.push({ start: active[i], layer: layers[index] });
  }
  clips.sort((a, b) => a.start - b.start);
  const isTwice = clips.some(({ start }, i) => i > 0 && clips[i - 1].start === start);
  return isTwice ? 'two clips are active at the same time' : clips;
}

function hasTriple(times: ArrayLike<number>): boolean {
  const stage = Float64Array.from({ length: times.length >> 1 }, (_, i) => times[2 * i]).sort();
  for (let i = 2; i < stage.length; i++) if (stage[i] === stage[i - 2]) return true;
  return false;
}

function readClipSet(source: LayerSource, { name, info }: Definition, anchor: Opinion): ClipSet | string | null {
  const primPath = textOf(info, 'primPath');
  if (primPath === null || !/^(?:\/[^/.{}]+)+$/.test(primPath)) return 'primPath is not the absolute path of a prim';
  const played = playFiles(source, info, anchor);
  if (played === null || typeof played === 'string') return played;
  if (played.active.length < 2) return null;
  if (hasTriple(played.times)) return 'more than two times are for the same time of the stage';
  const clips = activeClips(played);
  if (typeof clips === 'string') return clips;
  const manifest = textOf(info, 'manifestAssetPath') ?? '';
  return {
    name,
    site: anchor.site,
    anchor: anchor.layer,
    primPath,
    clips,
    starts: Float64Array.from(clips, ({ start }) => start),
    times: createClipTimes(played.times),
    manifest: manifest === '' ? null : openLayer(source, manifest, anchor.layer.id),
    interpolatesMissing: (numbersOf(info, 'interpolateMissingClipValues')?.[0] ?? 0) !== 0,
    knownTimes: new Map(),
  };
}

/** The value clips of a prim, the strongest set first. Sets that cannot be used are left out and told. */
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
        `The value clips ${definition.name} of ${prim.path} were left out: ${set}.`,
        definition.anchor.layer.id,
      );
    } else if (set !== null) sets.push(set);
  }
  return sets;
}
