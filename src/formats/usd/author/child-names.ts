import type { FieldValue, Spec } from '../layer/layer.ts';

/** Lists that only one layer holds: they grow in place, because a new list for each of many siblings would be quadratic. */
const unshared = new WeakSet<readonly string[]>();

export function appendChild({ fields }: Spec, name: string): void {
  const listed = fields.get('primChildren');
  const names = listed?.type === 'names' ? listed.names : [];
  if (unshared.has(names)) {
    (names as string[]).push(name);
    return;
  }
  const own = [...names, name];
  unshared.add(own);
  fields.set('primChildren', { type: 'names', names: own });
}

/** Marks a value as one that several layers hold, before a layer is copied. */
export function shareValue(value: FieldValue): void {
  if (value.type === 'names') unshared.delete(value.names);
}
