import { applyListOp, emptyListOp } from '../layer/list-op.ts';
import { type Composer, composeListOpsCounted, spend } from './composer.ts';
import { followArcs } from './composition-arcs.ts';
import { CHARACTERS_PER_STEP } from './composition-budget.ts';
import { report } from './layer-stack.ts';
import { type Opinion, opinionsAt, type Site, sitesInStrengthOrder } from './prim-index.ts';
import { boolField, namesField, textField, textListField } from './spec-fields.ts';
import type { Prim } from './stage.ts';
import { variantsOf } from './variant-selections.ts';

/** Shared empty list; most prims of large scenes have several. */
const NO_NAMES: readonly string[] = [];
/** Budget steps per prim, in addition to its sites and names. */
const PRIM_STEPS = 10;
/** Maximum length of lists whose names are compared pair by pair. */
const MAX_PAIRWISE = 8;

function isUnique(composer: Composer, names: readonly string[]): boolean {
  if (names.length > MAX_PAIRWISE) {
    // Many prims may share one list.
    if (composer.uniqueLists.has(names)) return true;
    spend(composer, names.length);
    if (new Set(names).size < names.length) return false;
    composer.uniqueLists.add(names);
    return true;
  }
  for (let i = 1; i < names.length; i++) if (names.lastIndexOf(names[i], i - 1) >= 0) return false;
  return true;
}

/** Composes the children or properties of a prim, starting with those of the weakest opinion. */
export function composeNames(
  composer: Composer,
  opinions: readonly Opinion[],
  field: 'primChildren' | 'properties',
  orderField: string,
): readonly string[] {
  let count = 0;
  let last = -1;
  for (let i = 0; i < opinions.length; i++) {
    const { fields } = opinions[i].spec;
    if (!fields.has(field) && !fields.has(orderField)) continue;
    count++;
    last = i;
  }
  if (count === 0) return NO_NAMES;
  const list = namesField(opinions[last].spec, field);
  if (count === 1 && !opinions[last].spec.fields.has(orderField) && isUnique(composer, list)) return list;
  let names = new Set<string>();
  for (let i = last; i >= 0; i--) {
    const { spec } = opinions[i];
    const added = namesField(spec, field);
    const order = namesField(spec, orderField);
    spend(composer, 1 + added.length + (order.length === 0 ? 0 : 2 * (order.length + names.size + added.length)));
    for (const name of added) names.add(name);
    if (order.length === 0) continue;
    names = new Set(applyListOp({ ...emptyListOp<string>('token'), ordered: order }, [...names], (name) => name));
  }
  return [...names];
}

/** Returns `def` or `class` of the strongest opinion with one of them. The specifier `class` of inherited classes is ignored. */
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

/** Returns a key that is equal for instances of the same prototype; null if the prim has no composition arcs of its own. */
function prototypeKey(composer: Composer, sites: readonly Site[], namespaceDepth: number): string | null {
  const keys: string[] = [];
  for (const site of sites) {
    let isDirect = false;
    for (let at: Site | null = site; at !== null && !isDirect; at = at.parent)
      isDirect = at.arc.namespaceDepth === namespaceDepth;
    spend(composer, 1 + site.arcCount + (site.stack.id.length + site.path.length) / CHARACTERS_PER_STEP);
    if (isDirect)
      keys.push(`${site.arc.type} ${site.stack.id} ${site.path} ${site.offset.offset} ${site.offset.scale}`);
  }
  return keys.length === 0 ? null : keys.join('\n');
}

interface PrimToCompose {
  /** Prim index of its parent, extended by its name. */
  readonly tree: Site;
  readonly name: string;
  readonly parent: Prim | null;
  readonly namespaceDepth: number;
}

function isRelocated({ spec }: Opinion): boolean {
  return spec.fields.has('relocates');
}

/** Composes a prim: follows all its arcs and resolves its metadata. */
export function composePrim(
  { tree, name, parent, namespaceDepth }: PrimToCompose,
  composer: Composer,
  prototypes: Map<string, string>,
): Prim {
  followArcs(composer, tree, namespaceDepth);
  const { path } = tree;
  const sites = sitesInStrengthOrder(tree).filter((site) => !site.isInert && site.hasSpec);
  const opinions = opinionsAt(sites);
  spend(composer, PRIM_STEPS + sites.length);
  const specifier = composedSpecifier(opinions);
  const isActive = strongest(opinions, ({ spec }) => boolField(spec, 'active')) ?? true;
  const isInstanceable = strongest(opinions, ({ spec }) => boolField(spec, 'instanceable')) ?? false;
  const key = isInstanceable ? prototypeKey(composer, sites, namespaceDepth) : null;
  const above = parent?.prototype ?? null;
  // Descendants of instances share data by their path in the first instance of the outer prototype.
  const shared = above === null ? path : `${above}/${name}`;
  const prototype = key === null ? (above === null ? null : shared) : (prototypes.get(key) ?? shared);
  if (key !== null && !prototypes.has(key)) prototypes.set(key, shared);
  for (const { layer } of opinions.filter(isRelocated)) {
    const message = `The relocates of ${path} are not supported and were ignored. Prims keep their original paths.`;
    report(composer.source, 'USD_COMPOSITION', message, layer.id);
  }
  const schemas = opinions.some(({ spec }) => spec.fields.has('apiSchemas'))
    ? opinions.flatMap(({ spec }) => textListField(spec, 'apiSchemas') ?? [])
    : [];
  return {
    path,
    name,
    parent: parent?.path ?? '/',
    children: isActive ? composeNames(composer, opinions, 'primChildren', 'primOrder') : NO_NAMES,
    typeName: strongest(opinions, ({ spec }) => textField(spec, 'typeName') || null) ?? '',
    specifier,
    isActive,
    isDefined: specifier !== 'over' && (parent?.isDefined ?? true),
    isAbstract: specifier === 'class' || (parent?.isAbstract ?? false),
    apiSchemas: schemas.length === 0 ? NO_NAMES : composeListOpsCounted(composer, schemas, (schema) => schema),
    isInstance: key !== null,
    isInstanceProxy: parent !== null && (parent.isInstance || parent.isInstanceProxy),
    prototype,
    variants: variantsOf(composer, sites),
    properties: composeNames(composer, opinions, 'properties', 'propertyOrder'),
    sites,
  };
}
