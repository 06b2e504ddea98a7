/** Composing one prim: what all its sites together say. */
import { applyListOp, emptyListOp } from '../layer/list-op.ts';
import { followArcs } from './composition-arcs.ts';
import { type Composer, composeListOpsCounted, spend } from './composer.ts';
import { boolField, namesField, textField, textListField } from './spec-fields.ts';
import { report } from './layer-stack.ts';
import { type Opinion, opinionsAt, type Site, sitesInStrengthOrder } from './prim-index.ts';
import type { Prim } from './stage.ts';
import { variantsOf } from './variant-selections.ts';

/** What most prims of large scenes have of something: one list for all. */
const NOTHING: readonly string[] = [];
/** What a prim takes, beside its sites and names. */
const PRIM_STEPS = 10;
/** Characters of paths that are put together in a step. */
const CHARACTERS = 32;

/** Lists of so many names are looked through pair by pair. */
const SHORT = 8;

function isUnique(composer: Composer, names: readonly string[]): boolean {
  if (names.length > SHORT) {
    // Many prims may have the same list.
    if (composer.uniqueLists.has(names)) return true;
    spend(composer, names.length);
    if (new Set(names).size < names.length) return false;
    composer.uniqueLists.add(names);
    return true;
  }
  for (let i = 1; i < names.length; i++) if (names.lastIndexOf(names[i], i - 1) >= 0) return false;
  return true;
}

/** Children or properties in order: those of the weakest opinion first. The layer's own list where it is the only one. */
export function composeNames(
  composer: Composer,
  opinions: readonly Opinion[],
  field: 'primChildren' | 'properties',
  orderField: string,
): readonly string[] {
  let said = 0;
  let last = -1;
  for (let i = 0; i < opinions.length; i++) {
    const { fields } = opinions[i].spec;
    if (!fields.has(field) && !fields.has(orderField)) continue;
    said++;
    last = i;
  }
  if (said === 0) return NOTHING;
  const list = namesField(opinions[last].spec, field);
  if (said === 1 && !opinions[last].spec.fields.has(orderField) && isUnique(composer, list)) return list;
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
function prototypeKey(composer: Composer, sites: readonly Site[], level: number): string | null {
  const keys: string[] = [];
  for (const site of sites) {
    let isDirect = false;
    for (let at: Site | null = site; at !== null && !isDirect; at = at.parent) isDirect = at.arc.namespaceDepth === level;
    spend(composer, 1 + site.arcCount + (site.stack.id.length + site.path.length) / CHARACTERS);
    if (isDirect)
      keys.push(`${site.arc.type} ${site.stack.id} ${site.path} ${site.offset.offset} ${site.offset.scale}`);
  }
  return keys.length === 0 ? null : keys.join('\n');
}

/** A prim to be composed. */
export interface PrimToCompose {
  readonly tree: Site;
  readonly name: string;
  readonly parent: Prim | null;
  readonly level: number;
}

function isRelocated({ spec }: Opinion): boolean {
  return spec.fields.has('relocates');
}

/**
 * The prim of a tree, after all its arcs are followed. `prototypes`: paths by what instances are made of.
 *
 * @throws FormatError USD_LIMIT for hostile numbers of arcs.
 */
export function composePrim(
  { tree, name, parent, level }: PrimToCompose,
  composer: Composer,
  prototypes: Map<string, string>,
): Prim {
  followArcs(composer, tree, level);
  const { path } = tree;
  const sites = sitesInStrengthOrder(tree).filter((site) => !site.isInert && site.hasSpec);
  const opinions = opinionsAt(sites);
  spend(composer, PRIM_STEPS + sites.length);
  const specifier = composedSpecifier(opinions);
  const isActive = strongest(opinions, ({ spec }) => boolField(spec, 'active')) ?? true;
  const isInstanceable = strongest(opinions, ({ spec }) => boolField(spec, 'instanceable')) ?? false;
  const key = isInstanceable ? prototypeKey(composer, sites, level) : null;
  const above = parent?.prototype ?? null;
  // Inside of a prototype the path in the first instance of the outer one tells where the data is shared.
  const shared = above === null ? path : `${above}/${name}`;
  const prototype = key === null ? (above === null ? null : shared) : (prototypes.get(key) ?? shared);
  if (key !== null && !prototypes.has(key)) prototypes.set(key, shared);
  for (const { layer } of opinions.filter(isRelocated)) {
    const message = `Relocates of ${path} are not followed; prims stay where they were.`;
    report(composer.source, 'USD_COMPOSITION', message, layer.id);
  }
  const schemas = opinions.some(({ spec }) => spec.fields.has('apiSchemas'))
    ? opinions.flatMap(({ spec }) => textListField(spec, 'apiSchemas') ?? [])
    : [];
  return {
    path,
    name,
    parent: parent?.path ?? '/',
    children: isActive ? composeNames(composer, opinions, 'primChildren', 'primOrder') : NOTHING,
    typeName: strongest(opinions, ({ spec }) => textField(spec, 'typeName') || null) ?? '',
    specifier,
    isActive,
    isDefined: specifier !== 'over' && (parent?.isDefined ?? true),
    isAbstract: specifier === 'class' || (parent?.isAbstract ?? false),
    apiSchemas: schemas.length === 0 ? NOTHING : composeListOpsCounted(composer, schemas, (schema) => schema),
    isInstance: key !== null,
    isInstanceProxy: parent !== null && (parent.isInstance || parent.isInstanceProxy),
    prototype,
    variants: variantsOf(composer, sites),
    properties: composeNames(composer, opinions, 'properties', 'propertyOrder'),
    sites,
  };
}
