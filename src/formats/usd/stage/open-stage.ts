import { FormatError } from '../../../core/report/format-error.ts';
import type { Layer } from '../layer/layer.ts';
import { composeNames, composePrim } from './compose-prim.ts';
import type { Composer } from './composer.ts';
import { type CompositionBudget, createBudget } from './composition-budget.ts';
import { IDENTITY_OFFSET, timeCodesPerSecondOf } from './layer-offset.ts';
import {
  createLayerSource,
  type LayerSource,
  type LayerStack,
  layerStackOf,
  type ResolveLayer,
} from './layer-stack.ts';
import { createSite, extendTree, opinionsAt, type Site } from './prim-index.ts';
import { numberField, textField } from './spec-fields.ts';
import type { Prim, Stage, StageMetrics } from './stage.ts';
import type { ClipSet } from './value-clips/clip-set.ts';
import { readClipSets } from './value-clips/read-clip-sets.ts';

/** Options of {@link openStage}. */
export interface OpenStageOptions {
  /** Id of the root layer; its asset paths are relative to it. Default: empty. */
  readonly id?: string;
  /** Opens referenced layers. Default: all are missing. */
  readonly resolve?: ResolveLayer;
  /** Variant of sets without a selection: none, as in OpenUSD, or the first. Default: `none`. */
  readonly variantFallback?: 'none' | 'first';
  /** Interpolation between time samples. Default: `linear`. */
  readonly interpolation?: 'linear' | 'held';
  /** Maximum number of prims. It also limits the budget of composition arcs and lists. Default: 200,000. */
  readonly maxPrims?: number;
}

/** Default limit, far more than characters have. */
const MAX_PRIMS = 200_000;

function rootSite(budget: CompositionBudget, stack: LayerStack): Site {
  const arc = { type: 'root', from: '/', to: '/', hasRootIdentity: true, namespaceDepth: 0, siblingIndex: 0 } as const;
  return createSite(budget, stack, '/', arc, null, IDENTITY_OFFSET);
}

/** A prim whose children are being composed, from `next` on. */
interface OpenedPrim {
  readonly tree: Site;
  readonly names: readonly string[];
  next: number;
  readonly parent: Prim | null;
  readonly namespaceDepth: number;
  /** Namespace depth of the nearest instance among the prim and its ancestors; null without. */
  readonly instance: number | null;
}

function layersOf(root: Layer, { opened }: LayerSource): Set<Layer> {
  const layers = new Set([root]);
  for (const found of opened.values()) if (found !== null) layers.add(found.layer);
  return layers;
}

/**
 * Composes a layer with its sublayers, references, payloads (all are loaded), inherits, specializes and variants. Values are not copied; they are
 * read from the layers on request. Missing layers, invalid targets and cyclic arcs are ignored and reported in `issues` of the stage. Relocates are
 * not supported.
 *
 * @param root The root layer.
 * @param options How layers are opened and values interpolated.
 * @returns The composed stage.
 * @throws FormatError USD_LIMIT if the scene has more than `maxPrims` prims, or its composition arcs and lists require far more budget than its prims
 *   do.
 * @example
 * ```ts
 * const stage = openStage(parseUsda(text));
 * for (const { path, typeName } of stage.prims) console.log(path, typeName);
 * ```
 */
export function openStage(root: Layer, options: OpenStageOptions = {}): Stage {
  const {
    id = '',
    resolve = () => null,
    variantFallback = 'none',
    interpolation = 'linear',
    maxPrims = MAX_PRIMS,
  } = options;
  const budget = createBudget(maxPrims);
  const source = createLayerSource(resolve, budget);
  const composer: Composer = { source, variantFallback, uniqueLists: new Set() };
  const stack = layerStackOf(source, { layer: root, id });
  const top = rootSite(budget, stack);
  const children = composeNames(composer, opinionsAt([top]), 'primChildren', 'primOrder');
  const prims: Prim[] = [];
  const primsByPath = new Map<string, Prim>();
  const prototypes = new Map<string, string>();
  const clipSets = new Map<string, readonly ClipSet[]>();
  const stackOfOpened: OpenedPrim[] = [];
  let pending = 0;
  const push = (opened: OpenedPrim): void => {
    pending += opened.names.length;
    if (prims.length + pending > maxPrims) {
      throw new FormatError(
        'USD_LIMIT',
        `The scene has more than ${maxPrims} prims. Open a part of the scene, or pass a larger maxPrims`,
      );
    }
    stackOfOpened.push(opened);
  };
  push({ tree: top, names: children, next: 0, parent: null, namespaceDepth: 1, instance: null });
  for (let opened = stackOfOpened.at(-1); opened !== undefined; opened = stackOfOpened.at(-1)) {
    if (opened.next === opened.names.length) {
      stackOfOpened.pop();
      continue;
    }
    const { parent, namespaceDepth, instance } = opened;
    const name = opened.names[opened.next++];
    pending--;
    budget.primSites = 0;
    const tree = extendTree(budget, opened.tree, name, instance);
    const prim = composePrim({ tree, name, parent, namespaceDepth }, composer, prototypes);
    if (primsByPath.has(prim.path)) continue;
    prims.push(prim);
    primsByPath.set(prim.path, prim);
    const sets = readClipSets(source, prim);
    if (sets.length > 0) clipSets.set(prim.path, sets);
    if (prim.children.length === 0) continue;
    const below = { tree, names: prim.children, next: 0, parent: prim, namespaceDepth: namespaceDepth + 1 };
    push({ ...below, instance: prim.isInstance ? namespaceDepth : instance });
  }
  return {
    prims,
    primsByPath,
    children,
    metrics: readMetrics(root, (path) => primsByPath.has(path)),
    clipSets,
    interpolation,
    issues: [...[...layersOf(root, source)].flatMap((layer) => layer.issues), ...source.issues.values()],
  };
}

/** Reads the stage metrics. Only opinions of the root layer count, not those of its sublayers. */
function readMetrics(layer: Layer, hasPrim: (path: string) => boolean): StageMetrics {
  const root = layer.specs.get('/');
  const upAxis = textField(root, 'upAxis');
  const unit = numberField(root, 'metersPerUnit');
  const isUnit = unit !== null && unit > 0 && Number.isFinite(unit);
  const name = textField(root, 'defaultPrim') ?? '';
  const path = name.startsWith('/') ? name : `/${name}`;
  return {
    upAxis: upAxis?.toUpperCase() === 'Z' ? 'Z' : 'Y',
    metersPerUnit: isUnit ? unit : 0.01,
    timeCodesPerSecond: timeCodesPerSecondOf(layer),
    startTimeCode: numberField(root, 'startTimeCode'),
    endTimeCode: numberField(root, 'endTimeCode'),
    defaultPrim: hasPrim(path) ? path : null,
    isUpAxisAuthored: upAxis !== null,
    isMetersPerUnitAuthored: isUnit,
  };
}
