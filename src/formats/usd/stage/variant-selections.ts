import { stripVariantSelections } from '../layer/paths.ts';
import { addSite, type Composer, composeListOpsCounted, spend } from './composer.ts';
import { type Arc, addChild, opinionsAt, type Site, sitesInStrengthOrder } from './prim-index.ts';
import { namesField, textListField } from './spec-fields.ts';

/** Shared empty list; most sites have no variant sets. */
const NO_SETS: readonly string[] = [];
/** Shared empty map; most prims have no variants. */
const NO_VARIANTS: ReadonlyMap<string, string> = new Map();
/** Budget steps per site to sort. */
const SORT_STEPS = 2;

/** Selected variants by variant set, of one layer. */
type Selections = ReadonlyMap<string, string>;

function selectionsAt(sites: readonly Site[]): Selections[] {
  const found: Selections[] = [];
  for (const { spec } of opinionsAt(sites)) {
    const field = spec.fields.get('variantSelection');
    if (field?.type === 'variantSelections') found.push(field.selections);
  }
  return found;
}

/** Returns the selected variant of a set; null without a selection. */
function selectedVariant(composer: Composer, selections: readonly Selections[], set: string): string | null {
  spend(composer, 1 + selections.length);
  for (const chosen of selections) {
    const name = chosen.get(set);
    if (name !== undefined) return name;
  }
  return null;
}

export function variantSetsOf(composer: Composer, site: Site): readonly string[] {
  if (!site.hasArcs) return NO_SETS;
  const edits = opinionsAt([site]).flatMap(({ spec }) => textListField(spec, 'variantSetNames') ?? []);
  return composeListOpsCounted(composer, edits, (item) => item);
}

function firstVariant(site: Site, set: string): string | null {
  for (const { layer } of site.stack.layers) {
    const names = namesField(layer.specs.get(`${site.path}{${set}=}`), 'variantChildren');
    if (names.length > 0) return names[0];
  }
  return null;
}

/** Variant sets that are not resolved yet, by site. */
export type PendingVariantSets = Map<Site, string[]>;

/** Tests whether a variant may change the selections of other sets: it has selections, or arcs that may contribute some. */
function mayChangeSelections(site: Site): boolean {
  return site.hasArcs || opinionsAt([site]).some(({ spec }) => spec.fields.has('variantSelection'));
}

/** Creates the sites of the next selected variants in strength order, up to the first one that may change the selections of other sets. */
export function followVariants(
  composer: Composer,
  root: Site,
  pending: PendingVariantSets,
  namespaceDepth: number,
): Site[] {
  if (pending.size === 0) return [];
  const sites = sitesInStrengthOrder(root);
  spend(composer, SORT_STEPS * sites.length);
  const selections = selectionsAt(sites);
  const found: Site[] = [];
  for (const site of sites) {
    const sets = pending.get(site);
    if (sets === undefined) continue;
    while (sets.length > 0) {
      const set = sets.shift() as string;
      const chosen =
        selectedVariant(composer, selections, set) ??
        (composer.variantFallback === 'first' ? firstVariant(site, set) : null);
      if (chosen === null || chosen === '') continue;
      const path = `${site.path}{${set}=${chosen}}`;
      const to = stripVariantSelections(site.path);
      const arc: Arc = {
        type: 'variant',
        from: to,
        to,
        hasRootIdentity: true,
        namespaceDepth,
        siblingIndex: -sets.length,
      };
      const variant = addSite(composer, site, site.stack, path, arc, site.offset);
      if (!variant.hasSpec) continue;
      addChild(site, variant);
      found.push(variant);
      if (mayChangeSelections(variant)) return found;
    }
    pending.delete(site);
  }
  return found;
}

/** Lists the variants of a prim: those composed, and selections without such a variant. */
export function variantsOf(composer: Composer, sites: readonly Site[]): ReadonlyMap<string, string> {
  if (!sites.some(({ arc, hasArcs }) => hasArcs || arc.type === 'variant')) return NO_VARIANTS;
  const sets = sites.flatMap((site) => variantSetsOf(composer, site));
  const variants = new Map<string, string>();
  for (const { arc, path } of sites) {
    const [, set, name] = (arc.type === 'variant' && /\{([^={}]*)=([^{}]*)\}$/.exec(path)) || [];
    if (set !== undefined && !variants.has(set)) variants.set(set, name);
  }
  const selections = selectionsAt(sites);
  for (const set of sets) {
    const chosen = variants.has(set) ? null : selectedVariant(composer, selections, set);
    if (chosen !== null && chosen !== '') variants.set(set, chosen);
  }
  return variants;
}
