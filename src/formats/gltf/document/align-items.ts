import { isSameItem } from './json-equal.ts';

/** The original item that an edited item corresponds to. */
interface ItemOrigin {
  /** Index of the original item; −1 for a new item. */
  readonly origin: number;
  /** True when the item is unchanged. */
  readonly same: boolean;
}

/**
 * Matches edited array items to original items: first equal items, then the unmatched items between equal neighbors, in
 * order. Arrays of the same length are matched index by index.
 */
export function alignItems(source: readonly unknown[], edited: readonly unknown[]): ItemOrigin[] {
  if (source.length === edited.length) {
    return edited.map((value, i) => ({ origin: i, same: isSameItem(source[i], value) }));
  }
  const indices = new Map<string, number>();
  source.forEach((value, i) => {
    const key = JSON.stringify(value);
    if (!indices.has(key)) indices.set(key, i);
  });
  const origins = edited.map((value): ItemOrigin => {
    const origin = indices.get(JSON.stringify(value === undefined ? null : value)) ?? -1;
    const same = origin >= 0 && isSameItem(source[origin], value);
    return { origin: same ? origin : -1, same };
  });

  let end = source.length;
  for (let i = origins.length - 1; i >= 0; ) {
    if (origins[i]!.same) {
      end = origins[i--]!.origin;
      continue;
    }
    let start = i;
    while (start >= 0 && !origins[start]!.same) start--;
    const free = start < 0 ? 0 : origins[start]!.origin + 1;
    for (let k = start + 1; k <= i && free + k - start - 1 < end; k++) {
      origins[k] = { origin: free + k - start - 1, same: false };
    }
    i = start;
  }
  return origins;
}
