/** Signatures of image files: bytes at an offset, as Latin-1 text. */
const SIGNATURES: readonly (readonly [mimeType: string, offset: number, text: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/webp', 8, 'WEBP'],
  ['image/ktx2', 0, '\xabKTX 20\xbb\r\n\x1a\n'],
  ['image/avif', 4, 'ftypavif'],
  ['image/gif', 0, 'GIF8'],
  ['image/vnd-ms.dds', 0, 'DDS '],
  ['image/bmp', 0, 'BM'],
];

/**
 * Detects the media type of an image file by its first bytes.
 *
 * @param image Bytes of the file.
 * @returns The media type, such as `image/png`; null for unknown content.
 */
export function imageType(image: Uint8Array): string | null {
  const found = SIGNATURES.find(([, offset, text]) => {
    for (let i = 0; i < text.length; i++) if (image[offset + i] !== text.charCodeAt(i)) return false;
    return true;
  });
  return found?.[0] ?? null;
}
