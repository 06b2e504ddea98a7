/** Values in one order of names brought into another, as UsdSkelAnimMapper does it. */
import type { Floats } from '../math/floats.ts';

/** Where values in a source order go in a target order. Plain data. */
export interface OrderMap {
  /**
   * `identity`: the same order. `ordered`: the source is one run of the target, from `offset` on. `sparse`: each value has
   * its own place. `null`: no name in common.
   */
  readonly kind: 'identity' | 'ordered' | 'sparse' | 'null';
  readonly sourceCount: number;
  readonly targetCount: number;
  /** Place in the target of the first source value, for `identity` and `ordered`; else 0. */
  readonly offset: number;
  /** Place in the target of every source value, −1 for none; empty but for `sparse`. */
  readonly places: Int32Array;
}

/**
 * The map from the order of `source` names to that of `target` names. Names that the target lacks are left out. Of names
 * that the target has twice the last one counts, but for a source that is one run of the target, where the first run does.
 */
export function planOrderMap(source: readonly string[], target: readonly string[]): OrderMap {
  const counts = { sourceCount: source.length, targetCount: target.length };
  const offset = source.length === 0 ? -1 : target.indexOf(source[0]);
  if (offset >= 0 && source.every((name, index) => target[offset + index] === name)) {
    const kind = source.length === target.length ? 'identity' : 'ordered';
    return { kind, ...counts, offset, places: new Int32Array(0) };
  }
  const placeByName = new Map(target.map((name, place) => [name, place]));
  const places = Int32Array.from(source, (name) => placeByName.get(name) ?? -1);
  if (places.every((place) => place < 0)) return { kind: 'null', ...counts, offset: 0, places: new Int32Array(0) };
  return { kind: 'sparse', ...counts, offset: 0, places };
}

/**
 * Copies values of `stride` floats each from the source order to the target order. Places of the target that no source
 * value goes to get `fallback` (`stride` floats); without it they keep what `out` had, so a rest pose laid in before shows
 * through. A source shorter than its order fills in what it has.
 */
export function remap(
  map: OrderMap,
  source: ArrayLike<number>,
  stride: number,
  out: Floats,
  fallback?: ArrayLike<number>,
): void {
  const count = Math.min(map.sourceCount, Math.floor(source.length / stride));
  if (fallback !== undefined && !(map.kind === 'identity' && count === map.sourceCount)) {
    const size = map.targetCount * stride;
    for (let c = 0; c < size; c++) out[c] = fallback[c % stride];
  }
  if (map.kind === 'null') return;
  if (map.kind === 'sparse') {
    for (let value = 0; value < count; value++) {
      const place = map.places[value];
      if (place < 0) continue;
      for (let c = 0; c < stride; c++) out[place * stride + c] = source[value * stride + c];
    }
    return;
  }
  const start = map.offset * stride;
  for (let c = 0; c < count * stride; c++) out[start + c] = source[c];
}
