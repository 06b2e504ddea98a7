/** Hot loops in WebAssembly SIMD: playback of many characters, CPU skinning of large meshes. */
export { type CrowdKernel, kernelCrowd, loadCrowdKernel } from './crowd/kernel-crowd.ts';
export { KernelMemory } from './kernel-memory.ts';
export {
  createPlaybackMemory,
  loadPlaybackKernel,
  PlaybackGroup,
  type PlaybackKernel,
  type PlaybackMemory,
} from './playback/playback-kernel.ts';
export type { KernelFrames } from './playback/records.ts';
export {
  type KernelSkin,
  type KernelVertices,
  loadSkinKernel,
  prepareKernelSkin,
  type SkinKernel,
  skinLinearByKernel,
} from './skin-linear.ts';
