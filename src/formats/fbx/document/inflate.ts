import { Unzlib } from 'fflate';

/** Bytes fed at once. One chunk expands to at most 1,032 times as much before the size is checked again. */
const CHUNK_BYTES = 1 << 13;

/** Stops a stream that is longer than its output array. */
class TooLong extends Error {}

/**
 * Expands a zlib stream of known size into `out`. Stops as soon as the output would be longer, so that no stream can
 * fill the memory. Checksums are not verified.
 *
 * @param out Receives the expanded bytes; the stream must fill it exactly.
 */
export function inflateInto(stream: Uint8Array, out: Uint8Array): string | null {
  let filled = 0;
  const unzlib = new Unzlib((chunk) => {
    if (filled + chunk.length > out.length) throw new TooLong();
    out.set(chunk, filled);
    filled += chunk.length;
  });
  try {
    for (let at = 0; at < stream.length; at += CHUNK_BYTES) {
      unzlib.push(stream.subarray(at, at + CHUNK_BYTES), at + CHUNK_BYTES >= stream.length);
    }
  } catch (error) {
    return error instanceof TooLong ? 'expands to more' : 'is damaged';
  }
  return filled === out.length ? null : `expands to ${filled}`;
}
