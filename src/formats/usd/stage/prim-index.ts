/**
 * Builds prim indexes: the tree of sites (layer stack and path) that contribute opinions to a prim, joined by composition arcs. Strength order is
 * OpenUSD's LIVRPS: of one site, local opinions are strongest, followed by inherits, variants, references and payloads; specializes are weaker than
 * everything else.
 */
import { FormatError } from '../../../core/report/format-error.ts';
import type { LayerOffset, Spec } from '../layer/layer.ts';
import { childPath, propertyPath, stripVariantSelections } from '../layer/paths.ts';
import { type CompositionBudget, countLookups, countSite } from './composition-budget.ts';
import type { LayerStack, StackedLayer } from './layer-stack.ts';

/** Types of composition arcs; `root` is that of the stage itself. */
export type ArcType = 'root' | 'inherit' | 'variant' | 'reference' | 'payload' | 'specialize';

/** A composition arc: how a site is joined to its parent. */
export interface Arc {
  /** Type of the arc. */
  readonly type: ArcType;
  /** Target path of the arc, without variant selections. */
  readonly from: string;
  /** Path of the prim with the arc, without variant selections. */
  readonly to: string;
  /** True if paths outside of `from` are the same on both sides, as for arcs inside of one layer stack. */
  readonly hasRootIdentity: boolean;
  /** Number of names in the path of the prim with the arc. */
  readonly namespaceDepth: number;
  /** Index among the arcs of the same type. */
  readonly siblingIndex: number;
}

/** A node of a prim index: a layer stack, a path in it, and the arc that joins it to its parent. */
export interface Site {
  /** The layer stack. */
  readonly stack: LayerStack;
  /** Path in the layer stack, with variant selections. */
  readonly path: string;
  /** The arc from the parent. */
  readonly arc: Arc;
  /** The parent site; null for the root. */
  readonly parent: Site | null;
  /** Layer offset from the layer stack to the stage. */
  readonly offset: LayerOffset;
  /** Number of arcs between the root and this site. */
  readonly arcCount: number;
  /** True if the site contributes no opinions: it is below an instance and not part of the prototype. */
  readonly isInert: boolean;
  /** True if a layer of the stack has a spec at the path. */
  readonly hasSpec: boolean;
  /** True if such a spec has arcs or variant sets. */
  readonly hasArcs: boolean;
  /** Set by {@link addChild} while the prim is composed. */
  children: readonly Site[];
}

/** A spec of a prim or property, and where it is authored. */
export interface Opinion {
  readonly spec: Spec;
  readonly layer: StackedLayer;
  readonly site: Site;
}

const MAX_ARCS = 100;
/** Strength of arcs of one site, strongest first. */
const RANKS: Readonly<Record<ArcType, number>> = {
  root: 0,
  inherit: 1,
  variant: 2,
  reference: 3,
  payload: 4,
  specialize: 5,
};

/** Shared empty list; most sites have no children. */
const NO_SITES: readonly Site[] = [];

function isArc({ fields }: Spec): boolean {
  const isClass = fields.has('inheritPaths') || fields.has('specializes');
  return isClass || fields.has('references') || fields.has('payload') || fields.has('variantSetNames');
}

/** Looks up whether a layer of a stack has a spec at a path, and whether it has arcs or variant sets. */
function findSpecs(budget: CompositionBudget, { layers }: LayerStack, path: string): 'nothing' | 'spec' | 'arcs' {
  countLookups(budget, layers.length, path);
  let found: 'nothing' | 'spec' | 'arcs' = 'nothing';
  for (let i = 0; i < layers.length; i++) {
    const spec = layers[i].layer.specs.get(path);
    if (spec !== undefined && found !== 'arcs') found = isArc(spec) ? 'arcs' : 'spec';
  }
  return found;
}

/** Creates the site at the target of an arc. It is not yet a child of its parent. `parent`: the parent site; null for the root. */
export function createSite(
  budget: CompositionBudget,
  stack: LayerStack,
  path: string,
  arc: Arc,
  parent: Site | null,
  offset: LayerOffset,
): Site {
  const arcCount = parent === null ? 0 : parent.arcCount + 1;
  if (arcCount > MAX_ARCS) {
    throw new FormatError(
      'USD_LIMIT',
      `More than ${MAX_ARCS} nested references or other arcs lead to ${path}; expected fewer`,
      {
        resource: stack.id,
      },
    );
  }
  countSite(budget, path);
  const found = findSpecs(budget, stack, path);
  const isInert = parent?.isInert ?? false;
  const hasSpec = found !== 'nothing';
  return {
    stack,
    path,
    arc,
    parent,
    offset,
    arcCount,
    isInert,
    hasSpec,
    hasArcs: found === 'arcs',
    children: NO_SITES,
  };
}

export function addChild(parent: Site, child: Site): void {
  if (parent.children === NO_SITES) parent.children = [child];
  else (parent.children as Site[]).push(child);
}

export function allSites(root: Site): Site[] {
  const sites = [root];
  for (let i = 0; i < sites.length; i++) sites.push(...sites[i].children);
  return sites;
}

function isStronger(a: Site, b: Site): number {
  return (
    RANKS[a.arc.type] - RANKS[b.arc.type] ||
    // Arcs of the prim itself are stronger than arcs of its ancestors, whose paths are shorter.
    b.arc.to.length - a.arc.to.length ||
    a.arc.siblingIndex - b.arc.siblingIndex
  );
}

export function sitesInStrengthOrder(root: Site): Site[] {
  if (root.children.length === 0) return [root];
  const sites: Site[] = [];
  const specialized: Site[] = [root];
  for (let i = 0; i < specialized.length; i++) {
    const open = [specialized[i]];
    const found: Site[] = [];
    for (let site = open.pop(); site !== undefined; site = open.pop()) {
      sites.push(site);
      const below = site.children.length > 1 ? [...site.children].sort(isStronger) : site.children;
      for (let k = below.length - 1; k >= 0; k--) {
        const child = below[k];
        if (child.arc.type === 'specialize') found.push(child);
        else open.push(child);
      }
    }
    specialized.push(...found.sort((a, b) => a.arcCount - b.arcCount));
  }
  return sites;
}

function extendSite(
  budget: CompositionBudget,
  old: Site,
  name: string,
  parent: Site | null,
  instanceDepth: number | null,
  isAboveDirect: boolean,
): Site {
  const isDirect = isAboveDirect || (instanceDepth !== null && old.arc.namespaceDepth >= instanceDepth);
  const isInert = old.isInert || (instanceDepth !== null && !isDirect);
  const { stack, arc, offset, arcCount, children } = old;
  const path = childPath(old.path, name);
  countSite(budget, path);
  // A prim without specs has no specs below it.
  const found = old.hasSpec ? findSpecs(budget, stack, path) : 'nothing';
  const hasSpec = found !== 'nothing';
  const hasArcs = found === 'arcs';
  const made = { stack, path, arc, parent, offset, arcCount, isInert, hasSpec, hasArcs, children: NO_SITES };
  for (let i = 0; i < children.length; i++) {
    const child = children[i];
    if (child.children.length === 0 && !child.hasSpec) continue;
    const below = extendSite(budget, child, name, made, instanceDepth, isDirect);
    if (below.children.length > 0 || below.hasSpec) addChild(made, below);
  }
  return made;
}

/**
 * Extends a prim index by one name, to that of a child prim. Sites without opinions are removed. `instanceDepth`: namespace arcCount of the
 * instance whose local opinions on descendants are ignored; null without.
 */
export function extendTree(budget: CompositionBudget, root: Site, name: string, instanceDepth: number | null): Site {
  return extendSite(budget, root, name, root.parent, instanceDepth, false);
}

function isBelow(path: string, above: string): boolean {
  return path.length > above.length && path[above.length] === '/' && path.startsWith(above);
}

/** Tests whether an arc would target the prim it comes from, or its ancestor or descendant. */
export function isCycle(from: Site, stack: LayerStack, path: string): boolean {
  for (let site: Site | null = from; site !== null; site = site.parent) {
    if (site.stack !== stack) continue;
    const known = stripVariantSelections(site.path);
    if (known === path || isBelow(known, path) || isBelow(path, known)) return true;
  }
  return false;
}

/** Maps a path from the target side of an arc to its source side; null if it is outside of the target namespace. */
function acrossArc(path: string, arc: Arc): string | null {
  if (arc.type === 'variant' || arc.type === 'root') return path;
  if (path === arc.from || path.startsWith(`${arc.from}/`) || path.startsWith(`${arc.from}.`)) {
    return arc.to + path.slice(arc.from.length);
  }
  return arc.hasRootIdentity ? path : null;
}

/** Maps a path from the namespace of a site to that of the stage. Returns the mapped path; null if it is outside of the namespace of an arc. */
export function pathOnStage(site: Site, path: string, until: Site | null = null): string | null {
  let known: string | null = path;
  for (let at: Site | null = site; at !== null && at !== until && known !== null; at = at.parent) {
    known = acrossArc(known, at.arc);
  }
  return known;
}

/** Lists the opinions on a prim or one of its properties. `property`: name of the property; null for the prim. */
export function opinionsAt(sites: readonly Site[], property: string | null = null): Opinion[] {
  const opinions: Opinion[] = [];
  for (let k = 0; k < sites.length; k++) {
    const site = sites[k];
    if (site.isInert || (property === null && !site.hasSpec)) continue;
    const path = property === null ? site.path : propertyPath(site.path, property);
    const { layers } = site.stack;
    for (let i = 0; i < layers.length; i++) {
      const spec = layers[i].layer.specs.get(path);
      if (spec !== undefined) opinions.push({ spec, layer: layers[i], site });
    }
  }
  return opinions;
}
