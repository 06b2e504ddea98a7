/** Following the arcs of prims: inherits, variants, references, payloads, specializes. */
import type { LayerOffset, ListOp, Reference } from '../layer/layer.ts';
import { stripVariantSelections } from '../layer/paths.ts';
import { addSite, type Composer, composeListOpsCounted, spend } from './composer.ts';
import { referenceListField, textField, textListField } from './spec-fields.ts';
import { composeOffsets, isInvertibleOffset, IDENTITY_OFFSET, scaleByRates } from './layer-offset.ts';
import { type LayerStack, layerStackOf, openLayer, report, type StackedLayer } from './layer-stack.ts';
import { mapListOp } from './compose-list-ops.ts';
import { type Arc, addChild, extendTree, isCycle, opinionsAt, pathOnStage, type Site, allSites } from './prim-index.ts';
import { followVariants, type PendingVariantSets, variantSetsOf } from './variant-selections.ts';

/** Characters of asset paths and paths that are put together in a step. */
const CHARACTERS = 32;

/** What a reference takes, beside its site. */
const REFERENCE_STEPS = 10;

interface AnchoredReference extends Omit<Reference, 'customData'> {
  readonly layer: StackedLayer;
}

/** The site at the end of an arc with all that speaks about it from above, and hung below its parent; null in a cycle. */
function follow(composer: Composer, parent: Site, stack: LayerStack, arc: Arc, offset: LayerOffset): Site | null {
  spend(composer, 1 + parent.arcCount);
  if (isCycle(parent, stack, arc.from)) {
    report(
      composer.source,
      'USD_COMPOSITION',
      `The ${arc.type} from ${arc.to} to ${arc.from} leads back to where it comes from; it was left out.`,
      stack.id,
    );
    return null;
  }
  const [first, ...names] = arc.from.slice(1).split('/');
  let site = addSite(composer, parent, stack, `/${first}`, arc, offset);
  for (const name of names) {
    followArcs(composer, site, arc.namespaceDepth);
    site = extendTree(composer.source.budget, site, name, null);
  }
  addChild(parent, site);
  return site;
}

/** References or payloads of a site, with their layers, in order. */
function referencesOf(composer: Composer, site: Site, field: 'references' | 'payload'): readonly AnchoredReference[] {
  const edits: ListOp<AnchoredReference>[] = [];
  for (const { spec, layer } of opinionsAt([site])) {
    const edit = referenceListField(spec, field);
    if (edit === null) continue;
    edits.push(mapListOp(edit, ({ asset, path, offset, scale }) => ({ asset, path, offset, scale, layer })));
  }
  if (edits.length === 0) return [];
  const keyOf = ({ asset, path, offset, scale }: AnchoredReference): string => {
    spend(composer, REFERENCE_STEPS + (asset.length + path.length) / CHARACTERS);
    return offset === 0 && scale === 1 ? `${asset}\n${path}` : `${asset}\n${path}\n${offset}\n${scale}`;
  };
  return composeListOpsCounted(composer, edits, keyOf);
}

function followReference(
  composer: Composer,
  site: Site,
  type: 'reference' | 'payload',
  reference: AnchoredReference,
  level: number,
  order: number,
): Site | null {
  const { asset, layer } = reference;
  const { source } = composer;
  const opened = asset === '' ? null : openLayer(source, asset, layer.id);
  if (asset !== '' && opened === null) return null;
  const stack = opened === null ? site.stack : layerStackOf(source, opened);
  const to = stripVariantSelections(site.path);
  const tell = (what: string): void => {
    const name = `The ${type} of ${to} to @${asset}@${reference.path === '' ? '' : `<${reference.path}>`}`;
    report(source, 'USD_COMPOSITION', `${name} ${what}`, layer.id);
  };
  const byDefault = textField(stack.layers[0].layer.specs.get('/'), 'defaultPrim');
  if (reference.path === '' && (byDefault === null || byDefault === '')) {
    tell('names no prim, and the file has no defaultPrim; it was left out.');
    return null;
  }
  const named = reference.path === '' ? (byDefault as string) : reference.path;
  const from = named.startsWith('/') ? named : `/${named}`;
  if (!/^(?:\/[^/.{}]+)+$/.test(from)) {
    tell('does not lead to a prim; it was left out.');
    return null;
  }
  const isUsable = isInvertibleOffset(reference);
  if (!isUsable) tell('has a layer offset that cannot be used; times stay.');
  const own = scaleByRates(isUsable ? reference : IDENTITY_OFFSET, site.stack.timeCodesPerSecond, stack.timeCodesPerSecond);
  const offset = composeOffsets(site.offset, composeOffsets(layer.offset, own));
  const arc: Arc = { type, from, to, hasRootIdentity: opened === null, namespaceDepth, siblingIndex };
  const found = follow(composer, site, stack, arc, offset);
  if (found !== null && !allSites(found).some(({ hasSpec }) => hasSpec)) tell(`leads to ${from}, which is not there.`);
  return found;
}

/**
 * A class that a site inherits or specializes, and the same class of every stack that brings the site in: there it can be changed for all that inherit.
 */
function followClass(
  composer: Composer,
  site: Site,
  type: 'inherit' | 'specialize',
  from: string,
  level: number,
  order: number,
): Site[] {
  const found: Site[] = [];
  const arcOf = (path: string, to: string): Arc => ({ type, from: path, to, hasRootIdentity: true, namespaceDepth, siblingIndex });
  const own = follow(composer, site, site.stack, arcOf(from, stripVariantSelections(site.path)), site.offset);
  if (own !== null) found.push(own);
  let path = from;
  for (let at = site; at.parent !== null; at = at.parent) {
    const above = at.parent;
    spend(composer, 1 + path.length / CHARACTERS);
    path = pathOnStage(at, path, above) ?? path;
    if (at.arc.type !== 'reference' && at.arc.type !== 'payload') continue;
    spend(composer, above.children.length + above.stack.layers.length + above.arcCount);
    const isKnown = above.children.some((child) => child.arc.type === type && child.path === path);
    const isThere = above.stack.layers.some(({ layer }) => layer.specs.has(path));
    if (isKnown || !isThere || isCycle(above, above.stack, path)) continue;
    const implied = follow(composer, above, above.stack, arcOf(path, stripVariantSelections(above.path)), above.offset);
    if (implied !== null) found.push(implied);
  }
  return found;
}

/** The sites at the ends of the arcs of one site, but for variants. */
function followPlainArcs(composer: Composer, site: Site, level: number): Site[] {
  const found: Site[] = [];
  for (const [type, field] of [
    ['inherit', 'inheritPaths'],
    ['specialize', 'specializes'],
  ] as const) {
    const edits = opinionsAt([site]).flatMap(({ spec }) => textListField(spec, field) ?? []);
    if (edits.length === 0) continue;
    for (const [order, path] of composeListOpsCounted(composer, edits, (item) => item).entries()) {
      spend(composer, path.length / CHARACTERS);
      if (/^(?:\/[^/.{}]+)+$/.test(path)) found.push(...followClass(composer, site, type, path, level, order));
    }
  }
  for (const [type, field] of [
    ['reference', 'references'],
    ['payload', 'payload'],
  ] as const) {
    for (const [order, reference] of referencesOf(composer, site, field).entries()) {
      const target = followReference(composer, site, type, reference, level, order);
      if (target !== null) found.push(target);
    }
  }
  return found;
}

/**
 * Follows all arcs that the sites of a tree have at the prim they stand at, and those of the sites found. Variants come last, as what is
 * found may choose them.
 *
 * @throws FormatError USD_LIMIT for hostile numbers of arcs.
 */
export function followArcs(composer: Composer, root: Site, level: number): void {
  if (root.children.length === 0 && (root.isInert || !root.hasArcs)) return;
  const pending = allSites(root);
  const open: PendingVariantSets = new Map();
  for (let i = 0; ; i++) {
    if (i === pending.length) pending.push(...followVariants(composer, root, open, level));
    if (i === pending.length) return;
    const site = pending[i];
    if (site.isInert || !site.hasArcs) continue;
    for (const found of followPlainArcs(composer, site, level)) pending.push(...allSites(found));
    const sets = variantSetsOf(composer, site);
    if (sets.length > 0) open.set(site, [...sets]);
  }
}
