/**
 * Where opinions on a prim come from: a tree of sites (a layer stack and a path in it), joined by arcs. After Pixar's LIVRPS: of one site the
 * local opinions are strongest, then come inherits, variants, references, payloads; specializes are weaker than all else.
 */
import { FormatError } from '../../../core/report/format-error.ts';
import type { LayerOffset, Spec } from '../layer/layer.ts';
import { childPath, propertyPath, stripVariantSelections } from '../layer/paths.ts';
import type { LayerStack, StackedLayer } from './layer-stack.ts';
import { countLookups, countSite, type CompositionBudget } from './composition-budget.ts';

export type ArcType = 'root' | 'inherit' | 'variant' | 'reference' | 'payload' | 'specialize';

/** How a site is joined to the one that it is below of. */
export interface Arc {
  readonly type: ArcType;
  /** The path that the arc leads to, and the one that it starts from; both without variants. */
  readonly from: string;
  readonly to: string;
  /** Whether paths outside of `from` mean the same on both sides. */
  readonly hasRootIdentity: boolean;
  /** Names in the path of the prim that has the arc. */
  readonly namespaceDepth: number;
  /** Place among arcs of a type. */
  readonly siblingIndex: number;
}

export interface Site {
  readonly stack: LayerStack;
  /** In the stack, with variants. */
  readonly path: string;
  readonly arc: Arc;
  readonly parent: Site | null;
  /** Times of the stack in those of the stage. */
  readonly offset: LayerOffset;
  /** Arcs between here and the root. */
  readonly arcCount: number;
  /** Says nothing: it is below an instance and not part of its prototype. */
  readonly isInert: boolean;
  /** Whether a layer of the stack says anything right here, and whether that has arcs or variants. */
  readonly hasSpec: boolean;
  readonly hasArcs: boolean;
  /** Filled while the prim is composed, by {@link addChild}. */
  children: readonly Site[];
}

/** A spec that says something about a prim or property, and where it stands. */
export interface Opinion {
  readonly spec: Spec;
  readonly path: string;
  readonly layer: StackedLayer;
  readonly site: Site;
}

const MAX_DEPTH = 100;
const RANKS: Readonly<Record<ArcType, number>> = {
  root: 0,
  inherit: 1,
  variant: 2,
  reference: 3,
  payload: 4,
  specialize: 5,
};

/** What most sites have: one list for all. */
const NO_SITES: readonly Site[] = [];

function isArc({ fields }: Spec): boolean {
  const isClass = fields.has('inheritPaths') || fields.has('specializes');
  return isClass || fields.has('references') || fields.has('payload') || fields.has('variantSetNames');
}

/** Whether a layer of a stack says anything at a path, and whether that has arcs. */
function look(work: CompositionBudget, { layers }: LayerStack, path: string): 'nothing' | 'spec' | 'arcs' {
  countLookups(work, layers.length, path);
  let found: 'nothing' | 'spec' | 'arcs' = 'nothing';
  for (let i = 0; i < layers.length; i++) {
    const spec = layers[i].layer.specs.get(path);
    if (spec !== undefined && found !== 'arcs') found = isArc(spec) ? 'arcs' : 'spec';
  }
  return found;
}

/**
 * A site at the end of an arc; not yet among the children of its parent. USD_LIMIT for more than 100 arcs in a row, or more sites than a scene may
 * have.
 */
export function createSite(
  work: CompositionBudget,
  stack: LayerStack,
  path: string,
  arc: Arc,
  parent: Site | null,
  offset: LayerOffset,
): Site {
  const depth = parent === null ? 0 : parent.arcCount + 1;
  if (depth > MAX_DEPTH) {
    throw new FormatError('USD_LIMIT', `More than ${MAX_DEPTH} references or other arcs in a row lead to ${path}`, {
      resource: stack.id,
    });
  }
  countSite(work, path);
  const found = look(work, stack, path);
  const isMuted = parent?.isInert ?? false;
  const hasSpec = found !== 'nothing';
  return { stack, path, arc, parent, offset, arcCount, isInert, hasSpec, hasArcs: found === 'arcs', children: NO_SITES };
}

/** Hangs a site below another one. */
export function addChild(parent: Site, child: Site): void {
  if (parent.children === NO_SITES) parent.children = [child];
  else (parent.children as Site[]).push(child);
}

/** The sites of a tree, a site before those below it. */
export function allSites(root: Site): Site[] {
  const sites = [root];
  for (let i = 0; i < sites.length; i++) sites.push(...sites[i].children);
  return sites;
}

function isStronger(a: Site, b: Site): number {
  return (
    RANKS[a.arc.type] - RANKS[b.arc.type] ||
    // What a prim says itself comes before what is said of a prim above it, whose path is shorter.
    b.arc.to.length - a.arc.to.length ||
    a.arc.siblingIndex - b.arc.siblingIndex
  );
}

/** All sites by strength, the strongest first. */
export function sitesInStrengthOrder(root: Site): Site[] {
  if (root.children.length === 0) return [root];
  const sorted: Site[] = [];
  const late: Site[] = [root];
  for (let i = 0; i < late.length; i++) {
    const open = [late[i]];
    const found: Site[] = [];
    for (let site = open.pop(); site !== undefined; site = open.pop()) {
      sorted.push(site);
      const below = site.children.length > 1 ? [...site.children].sort(isStronger) : site.children;
      for (let k = below.length - 1; k >= 0; k--) {
        const child = below[k];
        if (child.arc.type === 'specialize') found.push(child);
        else open.push(child);
      }
    }
    late.push(...found.sort((a, b) => a.arcCount - b.arcCount));
  }
  return sorted;
}

function extendSite(
  work: CompositionBudget,
  old: Site,
  name: string,
  parent: Site | null,
  mutedAbove: number | null,
  isAboveDirect: boolean,
): Site {
  const isDirect = isAboveDirect || (mutedAbove !== null && old.arc.namespaceDepth >= mutedAbove);
  const isMuted = old.isInert || (mutedAbove !== null && !isDirect);
  const { stack, arc, offset, arcCount, children } = old;
  const path = childPath(old.path, name);
  countSite(work, path);
  // Below what no layer speaks of nothing is spoken of.
  const found = old.hasSpec ? look(work, stack, path) : 'nothing';
  const hasSpec = found !== 'nothing';
  const hasArcs = found === 'arcs';
  const made = { stack, path, arc, parent, offset, depth, isMuted, hasSpec, hasArcs, children: NO_SITES };
  for (let i = 0; i < children.length; i++) {
    const child = children[i];
    if (child.children.length === 0 && !child.hasSpec) continue;
    const below = extendSite(work, child, name, made, mutedAbove, isDirect);
    if (below.children.length > 0 || below.hasSpec) addChild(made, below);
  }
  return made;
}

/**
 * The tree one name further down, without sites that say nothing there. `mutedAbove`: level of the instance whose own opinions on what is below it do
 * not count; null when there is none.
 */
export function extendTree(work: CompositionBudget, root: Site, name: string, mutedAbove: number | null): Site {
  return extendSite(work, root, name, root.parent, mutedAbove, false);
}

/** Whether a path is below another one. */
function isBelow(path: string, above: string): boolean {
  return path.length > above.length && path[above.length] === '/' && path.startsWith(above);
}

/** Whether an arc from a site to this place would lead into what it comes from. */
export function isCycle(from: Site, stack: LayerStack, path: string): boolean {
  for (let site: Site | null = from; site !== null; site = site.parent) {
    if (site.stack !== stack) continue;
    const known = stripVariantSelections(site.path);
    if (known === path || isBelow(known, path) || isBelow(path, known)) return true;
  }
  return false;
}

/** A path at one end of an arc, at its other end; null where it leads out of what the arc brings. */
function acrossArc(path: string, arc: Arc): string | null {
  if (arc.type === 'variant' || arc.type === 'root') return path;
  if (path === arc.from || path.startsWith(`${arc.from}/`) || path.startsWith(`${arc.from}.`)) {
    return arc.to + path.slice(arc.from.length);
  }
  return arc.hasRootIdentity ? path : null;
}

/** A path that a site names, in the namespace of the stage (or of `until`, a site above); null where it leads out. */
export function pathOnStage(site: Site, path: string, until: Site | null = null): string | null {
  let known: string | null = path;
  for (let at: Site | null = site; at !== null && at !== until && known !== null; at = at.parent) {
    known = acrossArc(known, at.arc);
  }
  return known;
}

/** What is said about the prim of these sites, or about one of its properties; strongest first. */
export function opinionsAt(sites: readonly Site[], property: string | null = null): Opinion[] {
  const opinions: Opinion[] = [];
  for (let k = 0; k < sites.length; k++) {
    const site = sites[k];
    if (site.isInert || (property === null && !site.hasSpec)) continue;
    const path = property === null ? site.path : propertyPath(site.path, property);
    const { layers } = site.stack;
    for (let i = 0; i < layers.length; i++) {
      const spec = layers[i].layer.specs.get(path);
      if (spec !== undefined) opinions.push({ spec, path, layer: layers[i], site });
    }
  }
  return opinions;
}
