/** Retargeting straight on objects of three.js, of any loader: `anyrig/three`. */

export type { Retargeter } from '../scene/retargeter.ts';
export { type BodyOptions, type Character, humanoidOf, type ThreeHumanoid } from './humanoid-of.ts';
export {
  type PairOptions,
  type RetargetClipOptions,
  type RetargetedClip,
  retargetClip,
} from './retarget-clip.ts';
export { createRetargeter } from './retargeter.ts';
export { type HumanoidClip, type SkeletonHumanoidData, SkeletonHumanoidPlugin } from './skeleton-humanoid-plugin.ts';
export type { VrmLike } from './vrm.ts';
