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

/** Signatures of images that glTF does not name, but files refer to: TIFF, Radiance HDR, OpenEXR, KTX, Photoshop, JPEG 2000, HEIF. */
const OTHERS: readonly (readonly [offset: number, text: string])[] = [
  [0, 'II*\0'],
  [0, 'MM\0*'],
  [0, '#?RADIANCE'],
  [0, 'v/1\x01'],
  [0, '\xabKTX 11\xbb'],
  [0, '8BPS'],
  [4, 'jP  '],
  [4, 'ftyphei'],
  [4, 'ftypmif1'],
];

/** Types of TGA images: with palette, true color, gray; and these with run lengths. */
const TGA_TYPES = [1, 2, 3, 9, 10, 11];

function startsWith(image: Uint8Array, offset: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (image[offset + i] !== text.charCodeAt(i)) return false;
  return true;
}

/**
 * Detects the media type of an image file by its first bytes. Returns the media type, such as `image/png`; null for unknown content.
 */
export function imageType(image: Uint8Array): string | null {
  return SIGNATURES.find(([, offset, text]) => startsWith(image, offset, text))?.[0] ?? null;
}

/**
 * Tells by the first bytes whether a file is an image, also of types that {@link imageType} does not name. Text is none.
 */
export function isImage(file: Uint8Array): boolean {
  const type = imageType(file);
  // Text may start with BM; in a bitmap four zeros follow the size.
  if (type !== null) return type !== 'image/bmp' || startsWith(file, 6, '\0\0\0\0');
  if (OTHERS.some(([offset, text]) => startsWith(file, offset, text))) return true;
  // TGA has no signature: the first bytes are the length of a comment, whether there is a palette, and the type.
  return file.length > 18 && file[1] <= 1 && TGA_TYPES.includes(file[2]) && file[16] % 8 === 0 && file[16] <= 32;
}
