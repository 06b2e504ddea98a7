/** Whether red, green and blue of an image are the same, as far as its kind tells: nothing is decoded. */

/** PNG: the color types without color (0, and 4 with alpha) are in byte 25. */
function isGrayPng(image: Uint8Array): boolean {
  return image[25] === 0 || image[25] === 4;
}

/** JPEG: the frame header says how many components there are. */
function isGrayJpeg(image: Uint8Array): boolean {
  let at = 2;
  while (at + 9 < image.length && image[at] === 0xff) {
    const marker = image[at + 1];
    // Frame headers are C0 to CF, but for three other tables among them.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return image[at + 9] === 1;
    }
    at += marker === 0xff ? 1 : 2 + image[at + 2] * 256 + image[at + 3];
  }
  return false;
}

/** Whether a PNG or JPEG has one channel for all three colors; false for other kinds and for palettes. */
export function isGrayImage(image: Uint8Array, mimeType: string): boolean {
  if (mimeType === 'image/png') return isGrayPng(image);
  return mimeType === 'image/jpeg' && isGrayJpeg(image);
}
