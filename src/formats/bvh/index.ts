/** BVH motion capture files: parse, read, write, serialize. */

export { BVH_CHANNELS, type BvhChannel, type BvhJoint, type BvhMotion, type BvhTree } from './bvh-tree.ts';
export { parseBvh } from './parse-bvh.ts';
export { type BvhContent, readBvh, readBvhFile } from './read-bvh.ts';
export { type SerializeBvhOptions, serializeBvh } from './serialize-bvh.ts';
export { type NewBvh, writeBvh } from './write-bvh.ts';
export { type WriteBvhOptions, type WrittenBvh, writeBvhClip } from './write-clip.ts';
export type { PlainSkeleton } from './zero-pose.ts';
