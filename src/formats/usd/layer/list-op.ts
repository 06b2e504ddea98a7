import type { ListOp } from './layer.ts';

export const LIST_OP_LISTS = [
  'explicit',
  'added',
  'prepended',
  'appended',
  'deleted',
  'ordered',
] as const satisfies (keyof ListOp<unknown>)[];

export function emptyListOp<Item>(of: ListOp<Item>['of']): ListOp<Item> {
  return { type: 'listOp', of, explicit: null, added: [], prepended: [], appended: [], deleted: [], ordered: [] };
}

export function explicitListOp<Item>(of: ListOp<Item>['of'], items: readonly Item[]): ListOp<Item> {
  return { ...emptyListOp<Item>(of), explicit: items };
}

/**
 * Applies a list op to the list of weaker layers. Order of OpenUSD's SdfListOp: explicit; else delete, add (at the end if missing), prepend, append,
 * reorder (named items first in their order, each followed by the unnamed items after it).
 */
export function applyListOp<Item>(op: ListOp<Item>, weaker: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const { explicit, added, prepended, appended, deleted, ordered } = op;
  const unique = (items: readonly Item[]): Item[] => [...new Map(items.map((item) => [keyOf(item), item])).values()];
  if (explicit !== null) return unique(explicit);
  const without = (items: readonly Item[], gone: readonly Item[]): Item[] => {
    const keys = new Set(gone.map(keyOf));
    return items.filter((item) => !keys.has(keyOf(item)));
  };
  let list = without(weaker, deleted);
  list = [...list, ...without(unique(added), list)];
  list = [...unique(prepended), ...without(list, prepended)];
  list = [...without(list, appended), ...unique(appended)];
  return ordered.length === 0 ? list : reorder(list, unique(ordered), keyOf);
}

function reorder<Item>(list: readonly Item[], order: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const named = new Set(order.map(keyOf));
  const groups = new Map<string, Item[]>();
  const head: Item[] = [];
  let group = head;
  for (const item of list) {
    const key = keyOf(item);
    if (named.has(key)) {
      group = [];
      groups.set(key, group);
    }
    group.push(item);
  }
  return [...head, ...order.flatMap((item) => groups.get(keyOf(item)) ?? [])];
}
