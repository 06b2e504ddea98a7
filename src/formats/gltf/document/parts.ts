/** Lists of byte arrays that are written one after the other. */

/** Returns the number of padding bytes up to the next multiple of 4. */
export function padding(length: number): number {
  return -length & 3;
}

export function totalLength(parts: readonly Uint8Array[]): number {
  let length = 0;
  for (const part of parts) length += part.length;
  return length;
}

/**
 * Joins parts into one array.
 *
 * @param parts Byte arrays.
 * @returns A new array; a single part is returned itself.
 */
export function concatParts(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const whole = allocate(totalLength(parts));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Allocates memory that the caller overwrites completely. Node can skip zeroing it, which would cost as much as the copy. */
function allocate(length: number): Uint8Array {
  if (typeof Buffer === 'undefined') return new Uint8Array(length);
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}
