/** Hot loops in WebAssembly SIMD: playback of many characters, retargeting of whole clips, CPU skinning and morph targets of large meshes. */

export type { RotationMapper } from '../core/retarget/map-keys.ts';
export { type CrowdKernel, kernelCrowd, loadCrowdKernel } from './crowd/kernel-crowd.ts';
export { KernelMemory } from './kernel-memory.ts';
export { createLazyRotationMapper, createRotationMapper } from './map-keys.ts';
export { type KernelMorph, loadMorphKernel, type MorphKernel, morphByKernel, prepareKernelMorph } from './morph.ts';
export {
  createPlaybackMemory,
  loadPlaybackKernel,
  type Play,
  PlaybackGroup,
  type PlaybackKernel,
  type PlaybackMemory,
  type PlayParts,
} from './playback/playback-kernel.ts';
export type { KernelFrames } from './playback/records.ts';
export {
  type KernelWorker,
  type PlaybackThreads,
  serveThread,
  startPlaybackThreads,
  type ThreadMessage,
} from './playback/threads.ts';
export {
  type KernelSkin,
  type KernelVertices,
  loadSkinKernel,
  prepareKernelSkin,
  type SkinKernel,
  skinLinearByKernel,
} from './skin-linear.ts';
