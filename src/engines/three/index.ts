/** Retargets objects and clips of three.js directly, from any loader. */

// Retarget and play in three.js

export type { Retargeter } from '../scene/retargeter.ts';
export {
  createHumanoid,
  type ThreeHumanoid,
} from './create-humanoid.ts';
export { CharacterCrowd, type CharacterCrowdOptions } from './crowd/character-crowd.ts';
export type { CrowdMaterialFactory } from './crowd/crowd-material.ts';
export type { CharacterAction } from './mixer/character-action.ts';
export { CharacterMixer } from './mixer/character-mixer.ts';
export { type CharacterRig, createCharacterRig } from './mixer/character-rig.ts';
export {
  type RetargetClipOptions,
  type RetargetedThreeClip,
  retargetAnimationClip,
} from './retarget-animation-clip.ts';
export { createRetargeter } from './retargeter.ts';
export { SkeletonHumanoidPlugin, type ThreeHumanoidData } from './skeleton-humanoid-plugin.ts';
