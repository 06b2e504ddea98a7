/** Encodes text files while they are written, so that the whole text is not also in memory as a string. */

/** Characters that are encoded at once. */
const PART = 1 << 20;

export function encodeTextParts(write: (emit: (text: string) => void) => void): Uint8Array[] {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  let texts: string[] = [];
  let length = 0;
  const flush = (): void => {
    if (length > 0) parts.push(encoder.encode(texts.join('')));
    texts = [];
    length = 0;
  };
  write((text) => {
    texts.push(text);
    length += text.length;
    if (length >= PART) flush();
  });
  flush();
  return parts;
}
