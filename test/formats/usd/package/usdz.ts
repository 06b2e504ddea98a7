/** Small packages for tests, and ways to patch them. */
import { writeUsdz } from '../../../../src/formats/usd/package/write-usdz.ts';

/** Bytes of a text. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A package of two files. */
export function smallPackage(): Uint8Array {
  return writeUsdz([
    { name: 'root.usda', bytes: utf8('#usda 1.0\n') },
    { name: 'tex/a.png', bytes: Uint8Array.of(1, 2, 3) },
  ]);
}

/** A copy with some 16 or 32 bit numbers set, at byte offsets. */
export function patched(
  bytes: Uint8Array,
  patches: readonly (readonly [at: number, bits: 16 | 32, value: number])[],
): Uint8Array {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  for (const [at, bits, value] of patches) {
    if (bits === 16) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
  }
  return copy;
}

/** Returns the offsets of the central directory and of the end record of a package without a comment. */
export function placesOf(bytes: Uint8Array): { list: number; end: number } {
  const end = bytes.length - 22;
  return { list: new DataView(bytes.buffer, bytes.byteOffset).getUint32(end + 16, true), end };
}
