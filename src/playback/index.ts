/** Plays clips: players that blend them, masks, root motion, live retargeting, crowds. What runs per frame does not allocate. */
export { type BoneWeights, createBoneMask } from './blend/bone-mask.ts';
export {
  type AnimatedNodes,
  addPose,
  beginBlend,
  beginLayer,
  blendPose,
  createPoseBlend,
  finishBlend,
  type PoseBlend,
  type PoseInput,
} from './blend/pose-blend.ts';
export { type CompileOptions, compileClip } from './compile-clip.ts';
export { type CompiledClip, type FrameGrid, sampleCompiledClip } from './compiled-clip.ts';
export { Crowd, type CrowdOptions, type Playhead, type PlayheadOptions } from './crowd/crowd.ts';
export { CROWD_ROWS, type CrowdPlan, type CrowdTarget, type CrowdTopology } from './crowd/crowd-plan.ts';
export { CROWD_GLSL, CROWD_WGSL } from './crowd/crowd-shaders.ts';
export { type CrowdModel, type CrowdPlanning, planCrowd } from './crowd/plan-crowd.ts';
export { createPlaybackMemory, type PlaybackMemory } from './kernel/playback-memory.ts';
export { createLiveRetarget, type LiveRetarget } from './live/live-retarget.ts';
export { setModelPosition, setModelRotations } from './live/model-pose.ts';
export type { PlaybackPlan, PlaybackSkin } from './matrices/playback-plan.ts';
export { playbackSkin } from './matrices/playback-skin.ts';
export type { Action, ActionOwner, LoopMode } from './player/action.ts';
export { Player, type PlayerEvent } from './player/player.ts';
export { type PlayerClip, type PlayerClipOptions, planPlayerClip } from './player/player-clip.ts';
export type { Clock, Ramp } from './player/ramp.ts';
export { type ExtractedMotion, extractRootMotion } from './root-motion/extract-root-motion.ts';
export { applyRootMotion, type MotionSpan, type RootMotion } from './root-motion/root-motion.ts';
