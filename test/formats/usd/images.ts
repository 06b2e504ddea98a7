/** Headers of image files, enough to detect their type. */

/** A PNG of a color type (0 gray, 2 RGB, 4 gray with alpha, 6 RGBA); `mark` makes the bytes unique. */
export function PNG(mark: number, colorType = 6): Uint8Array {
  const head = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];
  return Uint8Array.of(...head, 0, 0, 0, 1, 0, 0, 0, 1, 8, colorType, 0, 0, 0, mark);
}

/** A JPEG with a number of components, and a table before its frame. */
export function JPEG(components: number): Uint8Array {
  const table = [0xff, 0xc4, 0, 4, 9, 9];
  return Uint8Array.of(0xff, 0xd8, ...table, 0xff, 0xff, 0xc2, 0, 11, 8, 0, 1, 0, 1, components, 1, 0x11, 0);
}
