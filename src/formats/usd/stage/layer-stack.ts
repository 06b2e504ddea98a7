/** A layer with its sublayers, and theirs: what is said in one place of a scene, strongest first. */
import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { Layer, LayerOffset } from '../layer/layer.ts';
import { namesField } from './spec-fields.ts';
import { composeOffsets, isInvertibleOffset, IDENTITY_OFFSET, timeCodesPerSecondOf, scaleByRates } from './layer-offset.ts';
import { spendSteps, type CompositionBudget } from './composition-budget.ts';

/** A layer that was opened; `id` tells layers apart and is where asset paths in it start from. */
export interface OpenedLayer {
  readonly layer: Layer;
  readonly id: string;
}

/**
 * Opens the layer that another one names. `assetPath` is as written; `fromId` the id of the layer that names it. Null when there is no such
 * file; a FormatError counts as missing too.
 */
export type ResolveLayer = (assetPath: string, fromId: string) => OpenedLayer | null;

export interface StackedLayer extends OpenedLayer {
  /** Times of this layer in those of the first layer of the stack. */
  readonly offset: LayerOffset;
}

export interface LayerStack {
  /** The id of the first layer. */
  readonly id: string;
  /** Strongest first. */
  readonly layers: readonly StackedLayer[];
  readonly timeCodesPerSecond: number;
}

/** Opens layers and stacks once each, and keeps what went wrong. */
export interface LayerSource {
  readonly resolve: ResolveLayer;
  readonly opened: Map<string, OpenedLayer | null>;
  /** Why layers could not be opened, by the same keys. */
  readonly failures: Map<string, string>;
  /** What composing took so far. */
  readonly budget: CompositionBudget;
  readonly stacks: Map<string, LayerStack>;
  /** By message: each is told once. */
  readonly issues: Map<string, Issue>;
}

const MAX_LAYERS = 1000;
const MAX_SUBLAYER_DEPTH = 100;
/** Layers that are looked for, by all layers that name them. */
const MAX_NAMED = 100_000;
/** What asking for a layer takes, what putting one into a stack, and what telling something. */
const ASK_STEPS = 5;
const LAYER_STEPS = 10;
const REPORT_STEPS = 50;
/** Characters that are put together in a step. */
const CHARACTERS = 32;

export function createLayerSource(resolve: ResolveLayer, work: CompositionBudget): LayerSource {
  return { resolve, opened: new Map(), failures: new Map(), budget, stacks: new Map(), issues: new Map() };
}

/** Tells something once. */
export function report(
  source: LayerSource,
  code: 'USD_COMPOSITION' | 'RESOURCE_MISSING',
  message: string,
  layerId: string,
): void {
  const key = `${code} ${layerId} ${message}`;
  spendSteps(source.budget, REPORT_STEPS + key.length / CHARACTERS);
  if (!source.issues.has(key)) {
    source.issues.set(key, issue(code, message, layerId === '' ? {} : { resource: layerId }));
  }
}

/** The layer behind an asset path, opened once. Missing: null, and RESOURCE_MISSING unless `isOptional`. */
export function openLayer(
  source: LayerSource,
  assetPath: string,
  fromId: string,
  isOptional: boolean = false,
): OpenedLayer | null {
  spendSteps(source.budget, ASK_STEPS + (fromId.length + assetPath.length) / CHARACTERS);
  const key = `${fromId}\n${assetPath}`;
  let opened = source.opened.get(key);
  if (opened === undefined) {
    if (source.opened.size >= MAX_NAMED)
      throw new FormatError('USD_LIMIT', `The scene names more than ${MAX_NAMED} layers, which anyrig does not open`);
    try {
      opened = source.resolve(assetPath, fromId);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      opened = null;
      source.failures.set(key, error.message);
    }
    source.opened.set(key, opened);
  }
  if (opened === null && !isOptional) {
    const reason = source.failures.get(key) ?? 'there is no such file; put it where it is named';
    report(source, 'RESOURCE_MISSING', `The layer @${assetPath}@ was left out: ${reason}.`, fromId);
  }
  return opened;
}

/** The stack of a layer: itself, then its sublayers in order, each with its own behind it. A layer that is its own sublayer ends in USD_COMPOSITION. */
export function layerStackOf(source: LayerSource, root: OpenedLayer): LayerStack {
  const known = source.stacks.get(root.id);
  if (known !== undefined) return known;
  const layers: StackedLayer[] = [];
  const add = (opened: OpenedLayer, offset: LayerOffset, above: readonly string[]): void => {
    if (layers.length >= MAX_LAYERS || above.length >= MAX_SUBLAYER_DEPTH) {
      throw new FormatError(
        'USD_LIMIT',
        `More than ${MAX_LAYERS} sublayers, or ${MAX_SUBLAYER_DEPTH} inside of each other`,
        {
          resource: opened.id,
        },
      );
    }
    spendSteps(source.budget, LAYER_STEPS + above.length);
    layers.push({ ...opened, offset });
    const spec = opened.layer.specs.get('/');
    const offsets = spec?.fields.get('subLayerOffsets');
    const chain = [...above, opened.id];
    for (const field of ['relocates', 'layerRelocates']) {
      if (spec?.fields.has(field))
        report(source, 'USD_COMPOSITION', 'Relocates are not followed; prims stay where they were.', opened.id);
    }
    for (const [i, asset] of namesField(spec, 'subLayers').entries()) {
      const below = openLayer(source, asset, opened.id);
      if (below === null) continue;
      if (chain.includes(below.id)) {
        report(
          source,
          'USD_COMPOSITION',
          `The layer @${asset}@ is a sublayer of itself; this was left out.`,
          opened.id,
        );
        continue;
      }
      const said = offsets?.type === 'layerOffsets' ? (offsets.offsets[i] ?? IDENTITY_OFFSET) : IDENTITY_OFFSET;
      if (!isInvertibleOffset(said)) {
        report(source, 'USD_COMPOSITION', `The layer offset of @${asset}@ cannot be used and was left out.`, opened.id);
      }
      const rated = scaleByRates(
        isInvertibleOffset(said) ? said : IDENTITY_OFFSET,
        timeCodesPerSecondOf(opened.layer),
        timeCodesPerSecondOf(below.layer),
      );
      add(below, composeOffsets(offset, rated), chain);
    }
  };
  add(root, IDENTITY_OFFSET, []);
  const stack = { id: root.id, layers, timeCodesPerSecond: timeCodesPerSecondOf(root.layer) };
  source.stacks.set(root.id, stack);
  return stack;
}
