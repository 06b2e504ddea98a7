/** Playback at run time: compiled clips, players that blend them, masks, root motion, live retargeting, matrices for many characters. Nothing here allocates per frame. */
export { playbackSkin } from '../asset/playback-skin.ts';
export { createAdditiveClip } from '../runtime/blend/additive-clip.ts';
export { type AnimatedNodes, listAnimatedNodes } from '../runtime/blend/animated-nodes.ts';
export { type BoneWeights, createBoneMask } from '../runtime/blend/bone-mask.ts';
export {
  addPose,
  beginBlend,
  beginLayer,
  blendPose,
  createPoseBlend,
  finishBlend,
  type PoseBlend,
  type PoseInput,
} from '../runtime/blend/pose-blend.ts';
export { type CompileOptions, compileClip } from '../runtime/compile-clip.ts';
export {
  CHANNEL_STRIDE,
  type CompiledClip,
  type FrameGrid,
  locateFrame,
  sampleCompiledClip,
  sampleFrames,
} from '../runtime/compiled-clip.ts';
export { Crowd, type CrowdOptions, type Playhead, type PlayheadOptions } from '../runtime/crowd/crowd.ts';
export {
  type CrowdBackend,
  type CrowdBackendFactory,
  type CrowdSize,
  plainCrowd,
} from '../runtime/crowd/crowd-backend.ts';
export {
  CROWD_MATRIX_STRIDE,
  CROWD_ROWS,
  CROWD_TRANSLATION_STRIDE,
  type CrowdPlan,
  type CrowdTarget,
  type CrowdTopology,
} from '../runtime/crowd/crowd-plan.ts';
export { CROWD_GLSL, CROWD_WGSL } from '../runtime/crowd/crowd-shaders.ts';
export { type CrowdModel, type CrowdPlanning, planCrowd } from '../runtime/crowd/plan-crowd.ts';
export { createLiveRetarget, type LiveRetarget } from '../runtime/live/live-retarget.ts';
export { setModelPosition, setModelRotations } from '../runtime/live/model-pose.ts';
export { type PlaybackPlanning, planPlayback } from '../runtime/playback/plan-playback.ts';
export { hipsFrames, type PlaybackClipPlanning, planPlaybackClip } from '../runtime/playback/plan-playback-clip.ts';
export { planRetargetPlayback } from '../runtime/playback/plan-retarget-playback.ts';
export { createPlaybackWork, type PlaybackWork, playFrames, playMatrices } from '../runtime/playback/play-matrices.ts';
export type { HipsFrames, PlaybackClip, PlaybackPlan, PlaybackSkin } from '../runtime/playback/playback-plan.ts';
export type { Action, ActionOwner, LoopMode } from '../runtime/player/action.ts';
export { Player, type PlayerEvent } from '../runtime/player/player.ts';
export { type PlayerClip, type PlayerClipOptions, planPlayerClip } from '../runtime/player/player-clip.ts';
export type { Clock, Ramp } from '../runtime/player/ramp.ts';
export { type ExtractedMotion, extractRootMotion } from '../runtime/root-motion/extract-root-motion.ts';
export {
  applyRootMotion,
  type MotionSpan,
  measureRootMotion,
  ROOT_MOTION_STRIDE,
  type RootMotion,
} from '../runtime/root-motion/root-motion.ts';
