/** BVH motion capture files: parse, read, write, serialize. */

// Read and write BVH

export type { BvhTree } from './bvh-tree.ts';
export { parseBvh } from './parse-bvh.ts';
export { readBvh, readBvhFile } from './read-bvh.ts';
export { serializeBvh } from './serialize-bvh.ts';
export { writeBvh } from './write-bvh.ts';
export { writeBvhClip } from './write-clip.ts';
