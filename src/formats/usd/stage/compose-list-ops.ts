import type { ListOp } from '../layer/layer.ts';
import { applyListOp } from '../layer/list-op.ts';

/** Applies list edits of several layers. Returns the resulting list; null without edits. */
export function composeListOps<Item>(
  edits: readonly ListOp<Item>[],
  keyOf: (item: Item) => string,
): readonly Item[] | null {
  if (edits.length === 0) return null;
  const explicit = edits.findIndex((edit) => edit.explicit !== null);
  const counted = explicit < 0 ? edits : edits.slice(0, explicit + 1);
  return counted.reduceRight<readonly Item[]>((list, edit) => applyListOp(edit, list, keyOf), []);
}

/** Converts the items of a list edit. `change`: converts an item; null drops it. */
export function mapListOp<From, To>(op: ListOp<From>, change: (item: From) => To | null): ListOp<To> {
  const changed = (items: readonly From[]): To[] =>
    items.map(change).filter((item): item is Awaited<To> & To => item !== null);
  return {
    type: 'listOp',
    of: op.of,
    explicit: op.explicit === null ? null : changed(op.explicit),
    added: changed(op.added),
    prepended: changed(op.prepended),
    appended: changed(op.appended),
    deleted: changed(op.deleted),
    ordered: changed(op.ordered),
  };
}
