/** The hot loops in WebAssembly SIMD, for who moves many vertices on the processor. */
export {
  type KernelSkin,
  type KernelVertices,
  loadSkinKernel,
  prepareKernelSkin,
  type SkinKernel,
  skinLinearByKernel,
} from './skin-linear.ts';
