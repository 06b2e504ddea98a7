/** What an FBX file may ask for at most: far above every file met, far below the memory of a small machine. */

/** Records inside records. Real files have 6. */
export const DEEPEST_RECORD = 64;
/** Bytes of all arrays of a file together, once decompressed: zlib can make a thousand bytes out of one. */
export const MOST_ARRAY_BYTES: number = 1024 * 2 ** 20;
/** Bytes of one string: strings of JavaScript engines end soon after. */
export const LONGEST_STRING: number = 2 ** 28;
