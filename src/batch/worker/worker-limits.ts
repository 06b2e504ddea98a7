/** What a worker keeps for its next tasks. */

/** Bytes of the characters that stay open, as on disk. */
export const CHARACTER_BYTES = 64e6;
/** Bytes of the motions that stay open: clips and their samples. */
export const MOTION_BYTES = 6e6;
