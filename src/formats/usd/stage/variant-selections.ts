/** Variants: which sets a prim has, which of each is chosen. */
import { stripVariantSelections } from '../layer/paths.ts';
import { addSite, type Composer, composeListOpsCounted, spend } from './composer.ts';
import { namesField, textListField } from './spec-fields.ts';
import { type Arc, addChild, opinionsAt, type Site, sitesInStrengthOrder } from './prim-index.ts';

/** What most sites and prims have: one list, one map for all. */
const NOTHING: readonly string[] = [];
const NO_VARIANTS: ReadonlyMap<string, string> = new Map();
/** What putting a site in order takes. */
const SORT_STEPS = 2;

/** Variants by the names of their sets, as one layer chooses them. */
type Selections = ReadonlyMap<string, string>;

/** What sites choose, the strongest first. */
function selectionsAt(sites: readonly Site[]): Selections[] {
  const found: Selections[] = [];
  for (const { spec } of opinionsAt(sites)) {
    const field = spec.fields.get('variantSelection');
    if (field?.type === 'variantSelections') found.push(field.selections);
  }
  return found;
}

/** The variant of a set that is chosen; null when none is. */
function chosenVariant(composer: Composer, selections: readonly Selections[], set: string): string | null {
  spend(composer, 1 + selections.length);
  for (const chosen of selections) {
    const name = chosen.get(set);
    if (name !== undefined) return name;
  }
  return null;
}

/** The names of the variant sets of a site. */
export function variantSetsOf(composer: Composer, site: Site): readonly string[] {
  if (!site.hasArcs) return NOTHING;
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

/** Variant sets that were not yet looked at, by site. */
export type PendingVariantSets = Map<Site, string[]>;

/** Whether what other sets choose may be another thing with this variant: it chooses itself, or brings in others that may. */
function mayChoose(site: Site): boolean {
  return site.hasArcs || opinionsAt([site]).some(({ spec }) => spec.fields.has('variantSelection'));
}

/**
 * The sites of the next variants that are chosen and were not yet looked at, in order of strength, up to the first that may change what others choose; none
 * when all are known.
 */
export function followVariants(composer: Composer, root: Site, open: PendingVariantSets, level: number): Site[] {
  if (open.size === 0) return [];
  const sites = sitesInStrengthOrder(root);
  spend(composer, SORT_STEPS * sites.length);
  const selections = selectionsAt(sites);
  const found: Site[] = [];
  for (const site of sites) {
    const sets = open.get(site);
    if (sets === undefined) continue;
    while (sets.length > 0) {
      const set = sets.shift() as string;
      const chosen =
        chosenVariant(composer, selections, set) ??
        (composer.variantFallback === 'first' ? firstVariant(site, set) : null);
      if (chosen === null || chosen === '') continue;
      const path = `${site.path}{${set}=${chosen}}`;
      const to = stripVariantSelections(site.path);
      const arc: Arc = { type: 'variant', from: to, to, hasRootIdentity: true, namespaceDepth, siblingIndex: -sets.length };
      const variant = addSite(composer, site, site.stack, path, arc, site.offset);
      if (!variant.hasSpec) continue;
      addChild(site, variant);
      found.push(variant);
      if (mayChoose(variant)) return found;
    }
    open.delete(site);
  }
  return found;
}

/** The variants that were taken, and those that are chosen but not there, by their sets. */
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
    const chosen = variants.has(set) ? null : chosenVariant(composer, selections, set);
    if (chosen !== null && chosen !== '') variants.set(set, chosen);
  }
  return variants;
}
