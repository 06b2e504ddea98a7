/** What composing prims needs to know, and what it counts. */
import type { LayerOffset, ListOp } from '../layer/layer.ts';
import type { LayerSource, LayerStack } from './layer-stack.ts';
import { composeListOps } from './compose-list-ops.ts';
import { type Arc, createSite, type Site } from './prim-index.ts';
import { spendSteps } from './composition-budget.ts';

/** What composing needs to know. */
export interface Composer {
  readonly source: LayerSource;
  /** Which variant is taken where none is chosen. */
  readonly variantFallback: 'none' | 'first';
  /** Long lists of names that were seen to have none twice. */
  readonly uniqueLists: Set<readonly string[]>;
}

/** Counts steps of composing. USD_LIMIT for more than a scene may take. */
export function spend({ source }: Composer, steps: number): void {
  spendSteps(source.budget, steps);
}

/** {@link createSite}, counted. */
export function addSite(
  { source }: Composer,
  parent: Site,
  stack: LayerStack,
  path: string,
  arc: Arc,
  offset: LayerOffset,
): Site {
  return createSite(source.budget, stack, path, arc, parent, offset);
}

/** What an item of a list takes in an edit. */
const ITEM_STEPS = 2;

/** {@link composeListOps}, counted: every edit goes over the whole list. */
export function composeListOpsCounted<Item>(
  composer: Composer,
  edits: readonly ListOp<Item>[],
  keyOf: (item: Item) => string,
): readonly Item[] {
  let items = 0;
  let steps = 0;
  for (let k = edits.length - 1; k >= 0; k--) {
    const { explicit, added, prepended, appended, deleted, ordered } = edits[k];
    items += (explicit ?? added).length + prepended.length + appended.length + deleted.length + ordered.length;
    steps += ITEM_STEPS * items;
  }
  spend(composer, steps);
  return composeListOps(edits, keyOf) ?? [];
}
