/** Shares state between the steps of a composition, and counts their work. */
import type { LayerOffset, ListOp } from '../layer/layer.ts';
import { composeListOps } from './compose-list-ops.ts';
import { spendSteps } from './composition-budget.ts';
import type { LayerSource, LayerStack } from './layer-stack.ts';
import { type Arc, createSite, type Site } from './prim-index.ts';

export interface Composer {
  readonly source: LayerSource;
  readonly variantFallback: 'none' | 'first';
  /** Long lists of names that were checked for duplicates and have none. */
  readonly uniqueLists: Set<readonly string[]>;
}

/** Spends steps of the composition budget. */
export function spend({ source }: Composer, steps: number): void {
  spendSteps(source.budget, steps);
}

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

/** Budget steps per item of a list edit. */
const ITEM_STEPS = 2;

/** Applies list edits with {@link composeListOps}, counted: every edit visits the whole list. */
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
