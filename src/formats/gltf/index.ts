/** glTF 2.0: the lossless document, accessors, containers; reading into an Asset, writing of clips. */
export {
  type AccessorData,
  type AccessorInfo,
  type AccessorType,
  accessorInfo,
  type ComponentArray,
  type ComponentType,
  readAccessor,
  readFloats,
} from './accessor.ts';
export { type AccessorLayout, appendAccessor, appendAccessors, type NewAccessor } from './append.ts';
export {
  bufferBytes,
  type GltfResource,
  listResources,
  loadResources,
  type ReadResource,
  viewBytes,
} from './buffers.ts';
export { toGlb, toGltf } from './container.ts';
export { createDocument, type GltfDocument, type ParseGltfOptions, parseGltf } from './document.ts';
export { attachDracoDecoder, type DracoDecoder, type DracoMesh, type DracoRequest, hasDracoMeshes } from './draco.ts';
export {
  addSkeletonDefinition,
  EXT_SKELETON_HUMANOID,
  readSkeletonDefinitions,
  replaceSkeletonDefinition,
  type SkeletonDefinition,
} from './extensions/ext-skeleton-humanoid.ts';
export { addVrmHumanoid, definitionOfVrm, type VrmMeta } from './extensions/vrm-neighbors.ts';
export { readGeometry } from './geometry/read-geometry.ts';
export { loadImages } from './geometry/read-textures.ts';
export { writeCharacterDocument } from './geometry/write-geometry.ts';
export { concatParts, type Glb, type GlbChunk, type GlbContent, isGlb, parseGlb, printGlb } from './glb.ts';
export { gltfSpace, toGltfSpace } from './gltf-space.ts';
export { GLTF_LIMITS, type GltfLimits } from './limits.ts';
export { attachDecoder, hasCompressedViews, type MeshoptDecoder } from './meshopt.ts';
export { type PrintedGltf, type PrintedResource, type PrintGltfOptions, printGltf } from './print.ts';
export { type ReadGltfOptions, readGltf } from './read.ts';
export { readFace } from './read-face.ts';
export { reprint } from './reprint.ts';
export type { JsonObject } from './schema.ts';
export type { MeasuredSkeleton } from './validate/check-pose.ts';
export {
  type HumanoidValidation,
  type ValidatedAnimation,
  type ValidateOptions,
  validateHumanoids,
} from './validate/validate-humanoids.ts';
export { appendClip, appendClips, type NewAnimation, removeAnimations, replaceClips } from './write-clips.ts';
export { addHumanoidAnimation, addHumanoidAnimations, writeHumanoidClips } from './write-humanoid-clips.ts';
export { writeMotionDocument } from './write-motion.ts';
export { writeVrma } from './write-vrma.ts';
