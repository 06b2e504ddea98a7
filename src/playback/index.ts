/** Plays clips: players that blend them, masks, root motion, live retargeting, crowds. What runs per frame does not allocate. */

// Play clips

export { createBoneMask } from './blend/bone-mask.ts';
export {
  addPose,
  beginBlend,
  beginLayer,
  blendPose,
  createPoseBlend,
  finishBlend,
  type PoseBlend,
} from './blend/pose-blend.ts';
export { compileClip } from './compile-clip.ts';
export { type CompiledClip, sampleCompiledClip } from './compiled-clip.ts';
export { createPlaybackMemory, type PlaybackMemory } from './kernel/playback-memory.ts';
export type { PlayerAction } from './player/action.ts';
export { Player, type PlayerEvent } from './player/player.ts';
export { type PlayerClip, planPlayerClip } from './player/player-clip.ts';
export { extractRootMotion } from './root-motion/extract-root-motion.ts';
export { applyRootMotion, type RootMotion } from './root-motion/root-motion.ts';

// Retarget live

export { createLiveRetarget, type LiveRetarget } from './live/live-retarget.ts';
export { setModelPosition, setModelRotations } from './live/model-pose.ts';

// Play crowds

export { Crowd, type CrowdOptions, type Playhead } from './crowd/crowd.ts';
export { CROWD_ROWS, type CrowdPlan } from './crowd/crowd-plan.ts';
export { CROWD_GLSL, CROWD_WGSL } from './crowd/crowd-shaders.ts';
export { planCrowd } from './crowd/plan-crowd.ts';
export { playbackSkin } from './matrices/playback-skin.ts';
