/** Skinning in WebAssembly SIMD, for CPU skinning of large meshes. */
export {
  type KernelSkin,
  type KernelVertices,
  loadSkinKernel,
  prepareKernelSkin,
  type SkinKernel,
  skinLinearByKernel,
} from './skin-linear.ts';
