/** Returns the value under a key of a map; creates and stores it where there is none. */
export function getOrCreate<Key, Value>(
  store: { readonly get: (key: Key) => Value | undefined; readonly set: (key: Key, value: Value) => unknown },
  key: Key,
  create: () => Value,
): Value {
  const known = store.get(key);
  if (known !== undefined) return known;
  const created = create();
  store.set(key, created);
  return created;
}
