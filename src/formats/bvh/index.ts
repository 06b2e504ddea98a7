/** BVH motion capture files: `anyrig/bvh`. */
export { parseBvh } from './parse.ts';
export { readBvh } from './read.ts';
export { BVH_CHANNELS, type BvhChannel, type BvhJoint, type BvhMotion, type BvhTree } from './tree.ts';
