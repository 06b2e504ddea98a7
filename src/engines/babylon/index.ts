/** Retargets nodes and animation groups of Babylon.js directly. */

// Retarget and play in Babylon.js

export type { Retargeter } from '../scene/retargeter.ts';
export {
  type BabylonHumanoid,
  createHumanoid,
} from './create-humanoid.ts';
export { BabylonMixer } from './mixer/babylon-mixer.ts';
export { type BabylonRig, createCharacterRig } from './mixer/babylon-rig.ts';
export type { CharacterAnimation } from './mixer/character-animation.ts';
export { type RetargetedGroup, type RetargetGroupOptions, retargetAnimationGroup } from './retarget-animation-group.ts';
export { createRetargeter } from './retargeter.ts';
export { type BabylonHumanoidClip, registerSkeletonHumanoid } from './skeleton-humanoid-extension.ts';
