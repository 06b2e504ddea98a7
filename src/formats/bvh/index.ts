/** BVH motion capture files: `anyrig/bvh`. */
export { parseBvh } from './parse.ts';
export { type PrintBvhOptions, printBvh } from './print.ts';
export { type BvhFile, readBvh, readBvhFile } from './read.ts';
export { BVH_CHANNELS, type BvhChannel, type BvhJoint, type BvhMotion, type BvhTree } from './tree.ts';
export { type NewBvh, writeBvh } from './write.ts';
export { type WriteBvhOptions, type WrittenBvh, writeBvhClip } from './write-clip.ts';
export type { PlainBody } from './zero-pose.ts';
