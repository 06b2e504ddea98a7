/** Motions in files of NumPy: of body models, motion capture from video, and generators of motion. */

// Read NPZ

export type { NpzOptions, UpAxis } from './read-npz.ts';
export { readNpz } from './read-npz.ts';
