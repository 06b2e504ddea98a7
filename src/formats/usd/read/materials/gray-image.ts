/** Detects grayscale images from their headers, without decoding pixels. */

/** Checks the PNG color type in byte 25: 0 is grayscale, 4 is grayscale with alpha. */
function isGrayPng(image: Uint8Array): boolean {
  return image[25] === 0 || image[25] === 4;
}

/** Checks the number of components in the JPEG frame header. */
function isGrayJpeg(image: Uint8Array): boolean {
  let at = 2;
  while (at + 9 < image.length && image[at] === 0xff) {
    const marker = image[at + 1];
    // Frame headers have the markers C0 to CF, except C4, C8 and CC.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return image[at + 9] === 1;
    }
    at += marker === 0xff ? 1 : 2 + image[at + 2] * 256 + image[at + 3];
  }
  return false;
}

/**
 * Checks whether a PNG or JPEG is grayscale, so that its red, green and blue are equal.
 *
 * @returns Whether it is grayscale; false for other image types and for palette images.
 */
export function isGrayImage(image: Uint8Array, mimeType: string): boolean {
  if (mimeType === 'image/png') return isGrayPng(image);
  return mimeType === 'image/jpeg' && isGrayJpeg(image);
}
