/** Retargets objects and clips of three.js directly, from any loader: `anyrig/three`. */

export type { SceneHumanoidOptions } from '../scene/find-scene-humanoid.ts';
export type { ScenePairOptions } from '../scene/retarget-motion.ts';
export type { LiveOptions, Retargeter } from '../scene/retargeter.ts';
export {
  createHumanoid,
  type ThreeCharacter,
  type ThreeHumanoid,
  type ThreeHumanoidOptions,
} from './create-humanoid.ts';
export { CharacterCrowd, type CharacterCrowdOptions } from './crowd/character-crowd.ts';
export type { CrowdMaterialFactory, CrowdTextures } from './crowd/crowd-material.ts';
export { type ActionMixer, CharacterAction } from './mixer/character-action.ts';
export {
  type CharacterFinishedEvent,
  type CharacterLoopEvent,
  CharacterMixer,
  type CharacterMixerEvents,
} from './mixer/character-mixer.ts';
export {
  type CharacterRig,
  type CharacterRigOptions,
  type ClipActionOptions,
  createCharacterRig,
} from './mixer/character-rig.ts';
export {
  type RetargetClipOptions,
  type RetargetedThreeClip,
  retargetClip,
  type ThreePairOptions,
} from './retarget-clip.ts';
export { createRetargeter } from './retargeter.ts';
export { SkeletonHumanoidPlugin, type ThreeHumanoidClip, type ThreeHumanoidData } from './skeleton-humanoid-plugin.ts';
export type { VrmLike } from './vrm.ts';
