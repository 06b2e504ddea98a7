/** Limits for FBX files: far above every known file, far below the memory of a small machine. */

/** Depth of nested records. Real files have 6. */
export const MAX_RECORD_DEPTH = 64;
/** Bytes of all arrays of a file together after decompression: zlib can expand one byte to a thousand. */
export const MAX_ARRAY_BYTES: number = 1024 * 2 ** 20;
/** Bytes of one string, slightly below the limit of JavaScript engines. */
export const MAX_STRING_BYTES: number = 2 ** 28;
