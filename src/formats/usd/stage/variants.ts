/** Variants: which sets a prim has, which of each is chosen. */
import { withoutVariants } from '../layer/paths.ts';
import { addSite, type Composer } from './composer.ts';
import { namesField, textListField } from './fields.ts';
import { composeLists } from './list-opinions.ts';
import { type Arc, hasSpec, opinionsAt, type Site, sitesByStrength } from './site.ts';

/** The variant of a set that sites choose, the strongest first; null when none does. */
export function chosenVariant(sites: readonly Site[], set: string): string | null {
  for (const { spec } of opinionsAt(sites)) {
    const field = spec.fields.get('variantSelection');
    const choice = field?.type === 'variantSelections' ? field.selections.get(set) : undefined;
    if (choice !== undefined) return choice;
  }
  return null;
}

/** The names of the variant sets of a site. */
export function variantSetsOf(site: Site): readonly string[] {
  const edits = opinionsAt([site]).flatMap(({ spec }) => textListField(spec, 'variantSetNames') ?? []);
  return composeLists(edits, (item) => item) ?? [];
}

function firstVariant(site: Site, set: string): string | null {
  for (const { layer } of site.stack.layers) {
    const names = namesField(layer.specs.get(`${site.path}{${set}=}`), 'variantChildren');
    if (names.length > 0) return names[0];
  }
  return null;
}

/** Variant sets that were not yet looked at, by site. */
export type OpenSets = Map<Site, string[]>;

/** The site of the next variant that is chosen and was not yet looked at, in order of strength. */
export function followNextVariant(composer: Composer, root: Site, open: OpenSets, level: number): Site | null {
  if (![...open.values()].some((sets) => sets.length > 0)) return null;
  const sites = sitesByStrength(root);
  for (const site of sites) {
    const sets = open.get(site) ?? [];
    for (let set = sets.shift(); set !== undefined; set = sets.shift()) {
      const chosen =
        chosenVariant(sites, set) ?? (composer.variantFallback === 'first' ? firstVariant(site, set) : null);
      if (chosen === null || chosen === '') continue;
      const path = `${site.path}{${set}=${chosen}}`;
      const to = withoutVariants(site.path);
      const arc: Arc = { type: 'variant', from: to, to, keepsOthers: true, level, order: -sets.length };
      const variant = addSite(composer, site, site.stack, path, arc, site.offset);
      if (!hasSpec(variant)) continue;
      site.children.push(variant);
      return variant;
    }
  }
  return null;
}
