/** Opens layers and builds layer stacks: a layer with its sublayers, recursively, strongest first. */
import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { Layer, LayerOffset } from '../layer/layer.ts';
import { CHARACTERS_PER_STEP, type CompositionBudget, spendSteps } from './composition-budget.ts';
import {
  composeOffsets,
  IDENTITY_OFFSET,
  isInvertibleOffset,
  scaleByRates,
  timeCodesPerSecondOf,
} from './layer-offset.ts';
import { namesField } from './spec-fields.ts';

/** A layer that was opened. */
export interface OpenedLayer {
  /** The layer. */
  readonly layer: Layer;
  /** Identifies the layer; its asset paths are relative to it. */
  readonly id: string;
}

/**
 * Opens a layer that another layer references. `assetPath` is the authored path, `fromId` the id of the layer that authors it. Null if there is no
 * such file; a FormatError counts as missing, too.
 */
export type ResolveLayer = (assetPath: string, fromId: string) => OpenedLayer | null;

/** A layer of a layer stack. */
export interface StackedLayer extends OpenedLayer {
  /** Layer offset from this layer to the root layer of the stack. */
  readonly offset: LayerOffset;
}

/** A layer and its sublayers. */
export interface LayerStack {
  /** Id of the root layer of the stack. */
  readonly id: string;
  /** Strongest first. */
  readonly layers: readonly StackedLayer[];
  /** Time codes per second of the root layer of the stack. */
  readonly timeCodesPerSecond: number;
}

/** Opens every layer and layer stack once, and collects issues. */
export interface LayerSource {
  readonly resolve: ResolveLayer;
  /** Opened layers by referencing layer and asset path; null: missing. */
  readonly opened: Map<string, OpenedLayer | null>;
  /** Why layers could not be opened, by the same keys. */
  readonly failures: Map<string, string>;
  readonly budget: CompositionBudget;
  readonly stacks: Map<string, LayerStack>;
  /** Issues by message; each is reported once. */
  readonly issues: Map<string, Issue>;
}

const MAX_LAYERS = 1000;
const MAX_SUBLAYER_DEPTH = 100;
/** Maximum number of pairs of a referencing layer and an asset path. */
const MAX_ASSET_PATHS = 100_000;
/** Budget steps per request of a layer. */
const OPEN_STEPS = 5;
/** Budget steps per layer of a layer stack. */
const LAYER_STEPS = 10;
/** Budget steps per issue. */
const REPORT_STEPS = 50;
export function createLayerSource(resolve: ResolveLayer, budget: CompositionBudget): LayerSource {
  return { resolve, opened: new Map(), failures: new Map(), budget, stacks: new Map(), issues: new Map() };
}

export function report(
  source: LayerSource,
  code: 'USD_COMPOSITION' | 'RESOURCE_MISSING',
  message: string,
  layerId: string,
): void {
  const key = `${code} ${layerId} ${message}`;
  spendSteps(source.budget, REPORT_STEPS + key.length / CHARACTERS_PER_STEP);
  if (!source.issues.has(key)) {
    source.issues.set(key, issue(code, message, layerId === '' ? {} : { resource: layerId }));
  }
}

/**
 * Opens the layer at an asset path. Missing layers are reported as RESOURCE_MISSING unless they are optional. Returns the layer; null if it is
 * missing.
 */
export function openLayer(
  source: LayerSource,
  assetPath: string,
  fromId: string,
  isOptional: boolean = false,
): OpenedLayer | null {
  spendSteps(source.budget, OPEN_STEPS + (fromId.length + assetPath.length) / CHARACTERS_PER_STEP);
  const key = `${fromId}\n${assetPath}`;
  let opened = source.opened.get(key);
  if (opened === undefined) {
    if (source.opened.size >= MAX_ASSET_PATHS)
      throw new FormatError('USD_LIMIT', `The scene references more than ${MAX_ASSET_PATHS} layers; expected fewer`);
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
    const reason = source.failures.get(key) ?? 'the file does not exist. Check the asset path';
    report(source, 'RESOURCE_MISSING', `The layer @${assetPath}@ was ignored: ${reason}.`, fromId);
  }
  return opened;
}

/**
 * Builds the layer stack of a layer: the layer itself, then its sublayers in order, each followed by its own. Cyclic sublayers are reported and
 * ignored.
 */
export function layerStackOf(source: LayerSource, root: OpenedLayer): LayerStack {
  const known = source.stacks.get(root.id);
  if (known !== undefined) return known;
  const layers: StackedLayer[] = [];
  const add = (opened: OpenedLayer, offset: LayerOffset, above: readonly string[]): void => {
    if (layers.length >= MAX_LAYERS || above.length >= MAX_SUBLAYER_DEPTH) {
      throw new FormatError(
        'USD_LIMIT',
        `The layer stack has more than ${MAX_LAYERS} sublayers or more than ${MAX_SUBLAYER_DEPTH} nesting levels`,
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
        report(
          source,
          'USD_COMPOSITION',
          'Relocates are not supported and were ignored. Prims keep their original paths.',
          opened.id,
        );
    }
    for (const [i, asset] of namesField(spec, 'subLayers').entries()) {
      const below = openLayer(source, asset, opened.id);
      if (below === null) continue;
      if (chain.includes(below.id)) {
        report(
          source,
          'USD_COMPOSITION',
          `The layer @${asset}@ is a sublayer of itself. The cyclic sublayer was ignored; remove it.`,
          opened.id,
        );
        continue;
      }
      const authored = offsets?.type === 'layerOffsets' ? (offsets.offsets[i] ?? IDENTITY_OFFSET) : IDENTITY_OFFSET;
      if (!isInvertibleOffset(authored)) {
        report(
          source,
          'USD_COMPOSITION',
          `The layer offset of the sublayer @${asset}@ is invalid and was ignored. Author a finite offset and a finite scale other than 0.`,
          opened.id,
        );
      }
      const rated = scaleByRates(
        isInvertibleOffset(authored) ? authored : IDENTITY_OFFSET,
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
