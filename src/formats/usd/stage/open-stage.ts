/** Opening a stage: all prims of a layer and of what it refers to. */
import { FormatError } from '../../../core/report/format-error.ts';
import type { Layer } from '../layer/layer.ts';
import { applyListOp, emptyListOp } from '../layer/list-op.ts';
import { followArcs } from './arcs.ts';
import type { ClipSet } from './clip-set.ts';
import type { Composer } from './composer.ts';
import { boolField, namesField, textField, textListField } from './fields.ts';
import { SAME_TIME } from './layer-offset.ts';
import {
  type LayerSource,
  type LayerStack,
  layerStackOf,
  makeLayerSource,
  type ResolveLayer,
  report,
} from './layer-stack.ts';
import { composeLists } from './list-opinions.ts';
import { readMetrics } from './metrics.ts';
import { readClipSets } from './read-clips.ts';
import {
  extendTree,
  hasSpec,
  makeSite,
  type Opinion,
  opinionsAt,
  type Site,
  sitesByStrength,
  sitesOf,
} from './site.ts';
import type { Prim, Stage } from './stage.ts';
import { chosenVariant, variantSetsOf } from './variants.ts';

export interface OpenStageOptions {
  /** The id of the root layer: where its asset paths start from. */
  readonly id?: string;
  /** How to open the layers that are named; without it there are none. */
  readonly resolve?: ResolveLayer;
  /** Which variant is taken where none is chosen: none, as in OpenUSD, or the first. */
  readonly variantFallback?: 'none' | 'first';
  readonly interpolation?: 'linear' | 'held';
  /** More prims are an error. */
  readonly maxPrims?: number;
}

/** Many more than characters have; what small hostile files ask for. */
const MAX_PRIMS = 200_000;
/**
 * Places that speak about prims, all together: those of any scene, more for each spec of its layers, as many references may lead to the same, and what no scene
 * has. A few prims that refer to each other twice make up billions.
 */
const FREE_SITES = 200_000;
const SITES_PER_SPEC = 500;
const MAX_SITES = 2_000_000;

/** What most prims of large scenes have of something: one list, one map for all. */
const NOTHING: readonly string[] = [];
const NO_VARIANTS: ReadonlyMap<string, string> = new Map();

/** Children or properties in order: those of the weakest opinion first. The layer's own list where it is the only one. */
function composedNames(
  opinions: readonly Opinion[],
  field: 'primChildren' | 'properties',
  orderField: string,
): readonly string[] {
  const said = opinions.filter(({ spec }) => spec.fields.has(field) || spec.fields.has(orderField));
  let list = NOTHING;
  let names = new Set<string>();
  for (const { spec } of said.reverse()) {
    list = namesField(spec, field);
    for (const name of list) names.add(name);
    const order = namesField(spec, orderField);
    if (order.length === 0) continue;
    names = new Set(applyListOp({ ...emptyListOp<string>('token'), ordered: order }, [...names], (name) => name));
    list = NOTHING;
  }
  return said.length <= 1 && names.size === list.length ? list : [...names];
}

/** `def` or `class` of the strongest layer that has one. A class that is inherited makes none of what inherits. */
function composedSpecifier(opinions: readonly Opinion[]): Prim['specifier'] {
  for (const { spec, site } of opinions) {
    const word = textField(spec, 'specifier');
    const isInherited = site.arc.type === 'inherit' || site.arc.type === 'specialize';
    if (word === 'def' || (word === 'class' && !isInherited)) return word;
  }
  return 'over';
}

function strongest<Found>(opinions: readonly Opinion[], read: (opinion: Opinion) => Found | null): Found | null {
  for (const opinion of opinions) {
    const found = read(opinion);
    if (found !== null) return found;
  }
  return null;
}

/** What the prototype of an instance is made of; null when it has no arcs of its own. */
function prototypeKey(sites: readonly Site[], level: number): string | null {
  const keys: string[] = [];
  for (const site of sites) {
    let isDirect = false;
    for (let at: Site | null = site; at !== null && !isDirect; at = at.parent) isDirect = at.arc.level === level;
    if (isDirect)
      keys.push(`${site.arc.type} ${site.stack.id} ${site.path} ${site.offset.offset} ${site.offset.scale}`);
  }
  return keys.length === 0 ? null : keys.join('\n');
}

/** The variants that were taken, and those that are chosen but not there. */
function variantsOf(sites: readonly Site[]): ReadonlyMap<string, string> {
  const sets = sites.flatMap(variantSetsOf);
  if (sets.length === 0 && !sites.some(({ arc }) => arc.type === 'variant')) return NO_VARIANTS;
  const variants = new Map<string, string>();
  for (const { arc, path } of sites) {
    const [, set, name] = (arc.type === 'variant' && /\{([^={}]*)=([^{}]*)\}$/.exec(path)) || [];
    if (set !== undefined && !variants.has(set)) variants.set(set, name);
  }
  for (const set of sets) {
    const chosen = variants.has(set) ? null : chosenVariant(sites, set);
    if (chosen !== null && chosen !== '') variants.set(set, chosen);
  }
  return variants;
}

/** A prim to be composed. */
interface Open {
  readonly tree: Site;
  readonly path: string;
  readonly name: string;
  readonly parent: Prim | null;
  readonly level: number;
  /** Level of the nearest instance above. */
  readonly instance: number | null;
}

function composePrim(open: Open, composer: Composer, prototypes: Map<string, string>): Prim {
  const { tree, path, name, parent, level } = open;
  followArcs(composer, tree, level);
  const sites = sitesByStrength(tree).filter((site) => !site.isMuted && hasSpec(site));
  const opinions = opinionsAt(sites);
  const specifier = composedSpecifier(opinions);
  const isActive = strongest(opinions, ({ spec }) => boolField(spec, 'active')) ?? true;
  const isInstanceable = strongest(opinions, ({ spec }) => boolField(spec, 'instanceable')) ?? false;
  const key = isInstanceable ? prototypeKey(sites, level) : null;
  const above = parent?.prototype ?? null;
  // Inside of a prototype the path in the first instance of the outer one tells where the data is shared.
  const shared = above === null ? path : `${above}/${name}`;
  const prototype = key === null ? (above === null ? null : shared) : (prototypes.get(key) ?? shared);
  if (key !== null && !prototypes.has(key)) prototypes.set(key, shared);
  for (const { spec, layer } of opinions) {
    if (spec.fields.has('relocates'))
      report(
        composer.source,
        'USD_COMPOSITION',
        `Relocates of ${path} are not followed; prims stay where they were.`,
        layer.id,
      );
  }
  const schemas = opinions.flatMap(({ spec }) => textListField(spec, 'apiSchemas') ?? []);
  return {
    path,
    name,
    parent: parent?.path ?? '/',
    children: isActive ? composedNames(opinions, 'primChildren', 'primOrder') : NOTHING,
    typeName: strongest(opinions, ({ spec }) => textField(spec, 'typeName') || null) ?? '',
    specifier,
    isActive,
    isDefined: specifier !== 'over' && (parent?.isDefined ?? true),
    isAbstract: specifier === 'class' || (parent?.isAbstract ?? false),
    apiSchemas: composeLists(schemas, (schema) => schema) ?? NOTHING,
    isInstance: key !== null,
    isInstanceProxy: parent !== null && (parent.isInstance || parent.isInstanceProxy),
    prototype,
    variants: variantsOf(sites),
    properties: composedNames(opinions, 'properties', 'propertyOrder'),
    sites,
  };
}

function rootSite(stack: LayerStack): Site {
  const arc = { type: 'root', from: '/', to: '/', keepsOthers: true, level: 0, order: 0 } as const;
  return makeSite(stack, '/', arc, null, SAME_TIME);
}

/** All layers that were opened, the root first. */
function layersOf(root: Layer, { opened }: LayerSource): Set<Layer> {
  const layers = new Set([root]);
  for (const found of opened.values()) if (found !== null) layers.add(found.layer);
  return layers;
}

/** How many sites the scene of these layers may have. */
function mostSites(layers: Iterable<Layer>): number {
  let specs = 0;
  for (const layer of layers) specs += layer.specs.size;
  return Math.min(MAX_SITES, FREE_SITES + SITES_PER_SPEC * specs);
}

/**
 * Composes a layer with its sublayers, references, payloads (all are loaded), inherits, specializes and variants. Nothing is copied: values are read when they are
 * asked for. What is missing, leads nowhere or in a circle is left out and told in `issues`; relocates are not followed.
 *
 * @throws FormatError USD_LIMIT for more prims than `maxPrims`, or hostile numbers of arcs.
 */
export function openStage(root: Layer, options: OpenStageOptions = {}): Stage {
  const {
    id = '',
    resolve = () => null,
    variantFallback = 'none',
    interpolation = 'linear',
    maxPrims = MAX_PRIMS,
  } = options;
  const source = makeLayerSource(resolve);
  const composer: Composer = { source, variantFallback, sites: 0 };
  const stack = layerStackOf(source, { layer: root, id });
  const top = rootSite(stack);
  const children = composedNames(opinionsAt([top]), 'primChildren', 'primOrder');
  const prims: Prim[] = [];
  const primsByPath = new Map<string, Prim>();
  const prototypes = new Map<string, string>();
  const clipSets = new Map<string, readonly ClipSet[]>();
  const stackOfOpen: Open[] = [];
  const push = (
    names: readonly string[],
    tree: Site,
    parent: Prim | null,
    level: number,
    instance: number | null,
  ): void => {
    if (prims.length + stackOfOpen.length + names.length > maxPrims) {
      throw new FormatError(
        'USD_LIMIT',
        `The scene has more than ${maxPrims} prims; open a part of it, or allow more with maxPrims`,
      );
    }
    // Last in, first out: the first child comes next.
    for (let i = names.length - 1; i >= 0; i--) {
      const name = names[i];
      stackOfOpen.push({ tree, path: `${parent?.path ?? ''}/${name}`, name, parent, level, instance });
    }
  };
  push(children, top, null, 1, null);
  let sites = 0;
  let siteLimit = FREE_SITES;
  for (let open = stackOfOpen.pop(); open !== undefined; open = stackOfOpen.pop()) {
    const tree = extendTree(open.tree, open.name, open.instance);
    composer.sites = sitesOf(tree).length;
    const prim = composePrim({ ...open, tree }, composer, prototypes);
    sites += composer.sites;
    if (sites > siteLimit) {
      siteLimit = mostSites(layersOf(root, source));
      if (sites > siteLimit)
        throw new FormatError('USD_LIMIT', `More than ${siteLimit} references or other arcs make up the scene`);
    }
    if (primsByPath.has(prim.path)) continue;
    prims.push(prim);
    primsByPath.set(prim.path, prim);
    const sets = readClipSets(source, prim);
    if (sets.length > 0) clipSets.set(prim.path, sets);
    push(prim.children, tree, prim, open.level + 1, prim.isInstance ? open.level : open.instance);
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
