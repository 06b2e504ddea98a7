import type { LayerOffset, ListOp, Reference } from '../layer/layer.ts';
import { stripVariantSelections } from '../layer/paths.ts';
import { mapListOp } from './compose-list-ops.ts';
import { addSite, type Composer, composeListOpsCounted, spend } from './composer.ts';
import { CHARACTERS_PER_STEP } from './composition-budget.ts';
import { composeOffsets, IDENTITY_OFFSET, isInvertibleOffset, scaleByRates } from './layer-offset.ts';
import { type LayerStack, layerStackOf, openLayer, report, type StackedLayer } from './layer-stack.ts';
import { type Arc, addChild, allSites, extendTree, isCycle, opinionsAt, pathOnStage, type Site } from './prim-index.ts';
import { referenceListField, textField, textListField } from './spec-fields.ts';
import { followVariants, type PendingVariantSets, variantSetsOf } from './variant-selections.ts';

/** Budget steps per reference, in addition to its site. */
const REFERENCE_STEPS = 10;

interface AnchoredReference extends Omit<Reference, 'customData'> {
  readonly layer: StackedLayer;
}

/** Creates the site at the target of an arc, follows the arcs of its ancestors, and adds it to its parent. Returns null for a cycle. */
function follow(composer: Composer, parent: Site, stack: LayerStack, arc: Arc, offset: LayerOffset): Site | null {
  spend(composer, 1 + parent.arcCount);
  if (isCycle(parent, stack, arc.from)) {
    report(
      composer.source,
      'USD_COMPOSITION',
      `The ${arc.type} from ${arc.to} to ${arc.from} is cyclic and was ignored. Remove the arc, or target a prim outside of the cycle.`,
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

/** Lists the references or payloads of a site in strength order, with the layers that author them. */
function referencesOf(composer: Composer, site: Site, field: 'references' | 'payload'): readonly AnchoredReference[] {
  const edits: ListOp<AnchoredReference>[] = [];
  for (const { spec, layer } of opinionsAt([site])) {
    const edit = referenceListField(spec, field);
    if (edit === null) continue;
    edits.push(mapListOp(edit, ({ asset, path, offset, scale }) => ({ asset, path, offset, scale, layer })));
  }
  if (edits.length === 0) return [];
  const keyOf = ({ asset, path, offset, scale }: AnchoredReference): string => {
    spend(composer, REFERENCE_STEPS + (asset.length + path.length) / CHARACTERS_PER_STEP);
    return offset === 0 && scale === 1 ? `${asset}\n${path}` : `${asset}\n${path}\n${offset}\n${scale}`;
  };
  return composeListOpsCounted(composer, edits, keyOf);
}

function followReference(
  composer: Composer,
  site: Site,
  type: 'reference' | 'payload',
  reference: AnchoredReference,
  namespaceDepth: number,
  siblingIndex: number,
): Site | null {
  const { asset, layer } = reference;
  const { source } = composer;
  const opened = asset === '' ? null : openLayer(source, asset, layer.id);
  if (asset !== '' && opened === null) return null;
  const stack = opened === null ? site.stack : layerStackOf(source, opened);
  const to = stripVariantSelections(site.path);
  const reportArc = (problem: string): void => {
    const name = `The ${type} of ${to} to @${asset}@${reference.path === '' ? '' : `<${reference.path}>`}`;
    report(source, 'USD_COMPOSITION', `${name} ${problem}`, layer.id);
  };
  const byDefault = textField(stack.layers[0].layer.specs.get('/'), 'defaultPrim');
  if (reference.path === '' && (byDefault === null || byDefault === '')) {
    reportArc(
      'has no prim path, and the target layer has no defaultPrim. It was ignored; author a path or a defaultPrim.',
    );
    return null;
  }
  const named = reference.path === '' ? (byDefault as string) : reference.path;
  const from = named.startsWith('/') ? named : `/${named}`;
  if (!/^(?:\/[^/.{}]+)+$/.test(from)) {
    reportArc('does not target an absolute prim path and was ignored.');
    return null;
  }
  const isUsable = isInvertibleOffset(reference);
  if (!isUsable)
    reportArc(
      'has an invalid layer offset, which was ignored. Author a finite offset and a finite scale other than 0.',
    );
  const own = scaleByRates(
    isUsable ? reference : IDENTITY_OFFSET,
    site.stack.timeCodesPerSecond,
    stack.timeCodesPerSecond,
  );
  const offset = composeOffsets(site.offset, composeOffsets(layer.offset, own));
  const arc: Arc = { type, from, to, hasRootIdentity: opened === null, namespaceDepth, siblingIndex };
  const found = follow(composer, site, stack, arc, offset);
  if (found !== null && !allSites(found).some(({ hasSpec }) => hasSpec))
    reportArc(`targets ${from}, which does not exist.`);
  return found;
}

/**
 * Follows an inherit or specialize arc to a class, and the implied arcs to the same class in the layer stacks that reference the site, where stronger
 * opinions may override the class.
 */
function followClass(
  composer: Composer,
  site: Site,
  type: 'inherit' | 'specialize',
  from: string,
  namespaceDepth: number,
  siblingIndex: number,
): Site[] {
  const found: Site[] = [];
  const arcOf = (path: string, to: string): Arc => ({
    type,
    from: path,
    to,
    hasRootIdentity: true,
    namespaceDepth,
    siblingIndex,
  });
  const own = follow(composer, site, site.stack, arcOf(from, stripVariantSelections(site.path)), site.offset);
  if (own !== null) found.push(own);
  let path = from;
  for (let at = site; at.parent !== null; at = at.parent) {
    const above = at.parent;
    spend(composer, 1 + path.length / CHARACTERS_PER_STEP);
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

/** Follows the arcs of one site except variants. Returns the roots of the new subtrees. */
function followPlainArcs(composer: Composer, site: Site, namespaceDepth: number): Site[] {
  const found: Site[] = [];
  for (const [type, field] of [
    ['inherit', 'inheritPaths'],
    ['specialize', 'specializes'],
  ] as const) {
    const edits = opinionsAt([site]).flatMap(({ spec }) => textListField(spec, field) ?? []);
    if (edits.length === 0) continue;
    for (const [index, path] of composeListOpsCounted(composer, edits, (item) => item).entries()) {
      spend(composer, path.length / CHARACTERS_PER_STEP);
      if (/^(?:\/[^/.{}]+)+$/.test(path)) found.push(...followClass(composer, site, type, path, namespaceDepth, index));
    }
  }
  for (const [type, field] of [
    ['reference', 'references'],
    ['payload', 'payload'],
  ] as const) {
    for (const [index, reference] of referencesOf(composer, site, field).entries()) {
      const target = followReference(composer, site, type, reference, namespaceDepth, index);
      if (target !== null) found.push(target);
    }
  }
  return found;
}

/**
 * Follows all composition arcs of a prim, and those of the sites found. Variants are followed last, because other arcs may contribute variant
 * selections.
 */
export function followArcs(composer: Composer, root: Site, namespaceDepth: number): void {
  if (root.children.length === 0 && (root.isInert || !root.hasArcs)) return;
  const pending = allSites(root);
  const pendingSets: PendingVariantSets = new Map();
  for (let i = 0; ; i++) {
    if (i === pending.length) pending.push(...followVariants(composer, root, pendingSets, namespaceDepth));
    if (i === pending.length) return;
    const site = pending[i];
    if (site.isInert || !site.hasArcs) continue;
    for (const found of followPlainArcs(composer, site, namespaceDepth)) pending.push(...allSites(found));
    const sets = variantSetsOf(composer, site);
    if (sets.length > 0) pendingSets.set(site, [...sets]);
  }
}
