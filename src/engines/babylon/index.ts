/** Retargets nodes and animation groups of Babylon.js directly: `anyrig/babylon`. */

export type { SceneHumanoidOptions } from '../scene/find-scene-humanoid.ts';
export type { ScenePairOptions } from '../scene/retarget-motion.ts';
export type { LiveOptions, Retargeter } from '../scene/retargeter.ts';
export {
  type BabylonCharacter,
  type BabylonHumanoid,
  type BabylonHumanoidOptions,
  createHumanoid,
} from './create-humanoid.ts';
export { BabylonMixer } from './mixer/babylon-mixer.ts';
export {
  type BabylonAnimationOptions,
  type BabylonRig,
  type BabylonRigOptions,
  createCharacterRig,
} from './mixer/babylon-rig.ts';
export { CharacterAnimation } from './mixer/character-animation.ts';
export {
  type BabylonPairOptions,
  type RetargetedGroup,
  type RetargetGroupOptions,
  retargetAnimationGroup,
} from './retarget-animation-group.ts';
export { createRetargeter } from './retargeter.ts';
export {
  type BabylonHumanoidClip,
  type BabylonHumanoidData,
  registerSkeletonHumanoid,
  unregisterSkeletonHumanoid,
} from './skeleton-humanoid-extension.ts';
