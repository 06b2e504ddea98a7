/** glTF 2.0: lossless documents, accessors and containers; reads an Asset, writes clips and characters. */
export {
  type AccessorData,
  type AccessorInfo,
  type AccessorType,
  accessorInfo,
  type ComponentArray,
  type ComponentType,
  readAccessor,
  readFloats,
} from './accessors/accessor.ts';
export { type AccessorLayout, appendAccessor, appendAccessors, type NewAccessor } from './accessors/append-accessor.ts';
export {
  bufferBytes,
  type GltfResource,
  listResources,
  loadResources,
  type ReadResource,
  viewBytes,
} from './document/buffers.ts';
export { toGlb, toGltf } from './document/convert-container.ts';
export type { DracoDecoder, DracoMesh, DracoRequest, MeshoptDecoder } from './document/decoders.ts';
export {
  createDocument,
  type GltfDocument,
  type GltfSource,
  type ParseGltfOptions,
  parseGltf,
} from './document/document.ts';
export { attachDracoDecoder, hasDracoMeshes } from './document/draco.ts';
export {
  concatParts,
  type EncodedChunk,
  type Glb,
  type GlbChunk,
  type GlbContent,
  isGlb,
  parseGlb,
  serializeGlb,
} from './document/glb.ts';
export type { JsonObject } from './document/json-access.ts';
export { GLTF_LIMITS, type GltfLimits } from './document/limits.ts';
export { attachDecoder, hasCompressedViews } from './document/meshopt.ts';
export { patchJsonText } from './document/patch-json-text.ts';
export {
  type SerializedGltf,
  type SerializedResource,
  type SerializeGltfOptions,
  serializeGltf,
} from './document/serialize-gltf.ts';
export {
  addSkeletonDefinition,
  EXT_SKELETON_HUMANOID,
  type HumanoidSkeletonDefinition,
  type HumanoidSkeletonDefinitions,
  readSkeletonDefinitions,
  replaceSkeletonDefinition,
} from './extensions/ext-skeleton-humanoid.ts';
export {
  type AddVrmResult,
  addVrmHumanoid,
  definitionOfVrm,
  type VrmDefinition,
  type VrmMeta,
} from './extensions/vrm-conversion.ts';
export { type GeometryResult, readGeometry } from './meshes/read-geometry.ts';
export { loadImages } from './meshes/read-textures.ts';
export { type CharacterDocument, writeCharacterDocument } from './meshes/write-geometry.ts';
export { type FileFace, readFace } from './read/read-face.ts';
export { type ReadGltfOptions, readGltf } from './read/read-gltf.ts';
export type { MeasuredSkeleton } from './validate/check-pose.ts';
export {
  type HumanoidValidation,
  type ValidatedAnimation,
  type ValidateOptions,
  validateHumanoids,
} from './validate/validate-humanoids.ts';
export {
  type ConvertedVrm,
  type ConvertVrmOptions,
  convertVrm,
  type VrmVersion,
  vrmVersion,
} from './vrm-convert/convert-vrm.ts';
export { gltfSpace, toGltfSpace } from './write/gltf-space.ts';
export {
  type AppendedClip,
  type AppendedClips,
  appendClip,
  appendClips,
  type NewAnimation,
  type RemovedAnimations,
  removeAnimations,
  replaceClips,
} from './write/write-clips.ts';
export { addHumanoidAnimation, addHumanoidAnimations, writeHumanoidClips } from './write/write-humanoid-clips.ts';
export { writeMotionDocument } from './write/write-motion.ts';
export { type VrmaDocument, writeVrma } from './write/write-vrma.ts';
