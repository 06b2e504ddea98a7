/** Decompression of zlib data whose size is known. */
import { Unzlib } from 'fflate';

/** Bytes that are fed at once: what comes of them before the size is looked at again is at most 1,032 times as much. */
const FED = 1 << 13;

class TooLong extends Error {}

/**
 * Expands a zlib stream into `out`, which it has to fill exactly; stops where it would be longer, so that no stream can fill the
 * memory. Null when all is well, else what is wrong with the stream, as the end of a sentence. Checksums are not compared.
 */
export function inflateInto(stream: Uint8Array, out: Uint8Array): string | null {
  let filled = 0;
  const unzlib = new Unzlib((chunk) => {
    if (filled + chunk.length > out.length) throw new TooLong();
    out.set(chunk, filled);
    filled += chunk.length;
  });
  try {
    for (let at = 0; at < stream.length; at += FED) {
      unzlib.push(stream.subarray(at, at + FED), at + FED >= stream.length);
    }
  } catch (error) {
    return error instanceof TooLong ? 'expands to more' : 'is damaged';
  }
  return filled === out.length ? null : `expands to ${filled}`;
}
