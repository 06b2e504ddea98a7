/** Keys that keep no other memory alive. */
import type { Keys } from '../../core/animation/clip.ts';
import type { Floats } from '../../core/math/floats.ts';

/**
 * Copies the arrays of tracks that are views of a larger buffer, such as the binary chunk of a GLB, which they would keep in memory. Arrays that
 * several tracks have in common are copied once.
 */
export function createKeyOwner(): <T extends Keys>(tracks: readonly T[]) => T[] {
  const copies = new Map<Floats, Floats>();
  const own = (array: Floats): Floats => {
    if (array.byteLength === array.buffer.byteLength) return array;
    const copy = copies.get(array) ?? array.slice();
    copies.set(array, copy);
    return copy;
  };
  return (tracks) => tracks.map((track) => ({ ...track, times: own(track.times), values: own(track.values) }));
}
