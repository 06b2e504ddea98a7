/**
 * Joins the pieces of a file.
 *
 * @param parts The pieces, in order.
 * @returns A copy of all bytes.
 */
export function joinParts(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
