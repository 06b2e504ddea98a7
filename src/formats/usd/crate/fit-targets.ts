/** Checks the targets of relationships and connections: a binary file can list any paths, a text file only some of them. */
import type { ListOp, Spec } from '../layer/layer.ts';
import { LIST_OP_LISTS } from '../layer/list-op.ts';

const FIELDS = ['targetPaths', 'connectionPaths'] as const;

/**
 * Leaves out targets that are empty, in a variant, or twice in a list, and lists of other values than paths.
 *
 * @param spec - The attribute or relationship; changed.
 * @returns Whether one was left out.
 */
export function fitTargets({ fields }: Spec): boolean {
  let isChanged = false;
  for (const field of FIELDS) {
    const op = fields.get(field);
    if (op === undefined) continue;
    if (op.type !== 'listOp' || op.of !== 'path') {
      fields.delete(field);
      isChanged = true;
      continue;
    }
    let fitted = op as ListOp<string>;
    for (const list of LIST_OP_LISTS) {
      const items = fitted[list];
      const kept = new Set(items?.filter((path) => path !== '' && !path.includes('{')));
      if (items !== null && kept.size < items.length) fitted = { ...fitted, [list]: [...kept] };
    }
    if (fitted === op) continue;
    fields.set(field, fitted);
    isChanged = true;
  }
  return isChanged;
}
