/** Retargeting straight on nodes of Babylon.js: `anyrig/babylon`. */

export type { Retargeter } from '../scene/retargeter.ts';
export { type BabylonHumanoid, type BodyOptions, type Character, humanoidOf } from './humanoid-of.ts';
export {
  type PairOptions,
  type RetargetedGroup,
  type RetargetGroupOptions,
  retargetAnimationGroup,
} from './retarget-animation-group.ts';
export { createRetargeter } from './retargeter.ts';
export {
  type HumanoidClip,
  registerSkeletonHumanoid,
  type SkeletonHumanoidData,
  unregisterSkeletonHumanoid,
} from './skeleton-humanoid-extension.ts';
