/** Opening a stage: all prims of a layer and of what it refers to. */
import { FormatError } from '../../../core/report/format-error.ts';
import type { Layer } from '../layer/layer.ts';
import type { ClipSet } from './value-clips/clip-set.ts';
import { composeNames, composePrim } from './compose-prim.ts';
import type { Composer } from './composer.ts';
import { IDENTITY_OFFSET } from './layer-offset.ts';
import { type LayerSource, type LayerStack, layerStackOf, createLayerSource, type ResolveLayer } from './layer-stack.ts';
import { readMetrics } from './stage-metrics.ts';
import { readClipSets } from './value-clips/read-clip-sets.ts';
import { extendTree, createSite, opinionsAt, type Site } from './prim-index.ts';
import type { Prim, Stage } from './stage.ts';
import { type CompositionBudget, createBudget } from './composition-budget.ts';

export interface OpenStageOptions {
  /** The id of the root layer: where its asset paths start from. */
  readonly id?: string;
  /** How to open the layers that are named; without it there are none. */
  readonly resolve?: ResolveLayer;
  /** Which variant is taken where none is chosen: none, as in OpenUSD, or the first. */
  readonly variantFallback?: 'none' | 'first';
  readonly interpolation?: 'linear' | 'held';
  /** More prims are an error, and so are references and lists that ask for far more work than scenes of so many prims. */
  readonly maxPrims?: number;
}

/** Many more than characters have; what small hostile files ask for. */
const MAX_PRIMS = 200_000;

function rootSite(work: CompositionBudget, stack: LayerStack): Site {
  const arc = { type: 'root', from: '/', to: '/', keepsOthers: true, level: 0, order: 0 } as const;
  return createSite(work, stack, '/', arc, null, IDENTITY_OFFSET);
}

/** The children of a prim that are to be composed, from `next` on. */
interface Opened {
  readonly tree: Site;
  readonly names: readonly string[];
  next: number;
  readonly parent: Prim | null;
  /** Names in the paths of the children. */
  readonly level: number;
  /** Level of the nearest instance above. */
  readonly instance: number | null;
}

/** All layers that were opened, the root first. */
function layersOf(root: Layer, { opened }: LayerSource): Set<Layer> {
  const layers = new Set([root]);
  for (const found of opened.values()) if (found !== null) layers.add(found.layer);
  return layers;
}

/**
 * Composes a layer with its sublayers, references, payloads (all are loaded), inherits, specializes and variants. Nothing is copied: values are read
 * when they are asked for. What is missing, leads nowhere or in a circle is left out and told in `issues`; relocates are not followed.
 *
 * @throws FormatError USD_LIMIT for more prims than `maxPrims`, or arcs and lists that ask for far more than scenes of so many prims do.
 */
export function openStage(root: Layer, options: OpenStageOptions = {}): Stage {
  const {
    id = '',
    resolve = () => null,
    variantFallback = 'none',
    interpolation = 'linear',
    maxPrims = MAX_PRIMS,
  } = options;
  const work = createBudget(maxPrims);
  const source = createLayerSource(resolve, work);
  const composer: Composer = { source, variantFallback, uniqueLists: new Set() };
  const stack = layerStackOf(source, { layer: root, id });
  const top = rootSite(work, stack);
  const children = composeNames(composer, opinionsAt([top]), 'primChildren', 'primOrder');
  const prims: Prim[] = [];
  const primsByPath = new Map<string, Prim>();
  const prototypes = new Map<string, string>();
  const clipSets = new Map<string, readonly ClipSet[]>();
  const stackOfOpened: Opened[] = [];
  let waiting = 0;
  const push = (opened: Opened): void => {
    waiting += opened.names.length;
    if (prims.length + waiting > maxPrims) {
      throw new FormatError(
        'USD_LIMIT',
        `The scene has more than ${maxPrims} prims; open a part of it, or allow more with maxPrims`,
      );
    }
    stackOfOpened.push(opened);
  };
  push({ tree: top, names: children, next: 0, parent: null, level: 1, instance: null });
  for (let opened = stackOfOpened.at(-1); opened !== undefined; opened = stackOfOpened.at(-1)) {
    if (opened.next === opened.names.length) {
      stackOfOpened.pop();
      continue;
    }
    const { parent, level, instance } = opened;
    const name = opened.names[opened.next++];
    waiting--;
    work.primSites = 0;
    const tree = extendTree(work, opened.tree, name, instance);
    const prim = composePrim({ tree, name, parent, level }, composer, prototypes);
    if (primsByPath.has(prim.path)) continue;
    prims.push(prim);
    primsByPath.set(prim.path, prim);
    const sets = readClipSets(source, prim);
    if (sets.length > 0) clipSets.set(prim.path, sets);
    if (prim.children.length === 0) continue;
    const below = { tree, names: prim.children, next: 0, parent: prim, level: level + 1 };
    push({ ...below, instance: prim.isInstance ? level : instance });
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
