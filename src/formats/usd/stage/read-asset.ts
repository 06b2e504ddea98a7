/** Files that are no layers: images. */

/**
 * The bytes of a file that an attribute names. `assetPath` is as written; `fromLayer` the id of the layer whose word it is. `<UDIM>` in it
 * is the first tile, 1001. The same file is the same array every time. Null when there is no such file; a FormatError, of a damaged package on the
 * way or a file that may not be read, counts as missing too.
 */
export type ReadAsset = (assetPath: string, fromLayer: string) => Uint8Array | null;
