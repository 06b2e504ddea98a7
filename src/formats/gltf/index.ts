/** glTF 2.0: lossless documents; reads an Asset, writes clips and characters, converts VRM. */

// Read and write glTF

export type { NewAnimation } from '../../core/asset/asset.ts';
export { loadResources } from './document/buffers.ts';
export { type GltfDocument, parseGltf } from './document/document.ts';
export { attachDracoDecoder } from './document/draco.ts';
export { attachMeshoptDecoder } from './document/meshopt.ts';
export { concatParts } from './document/parts.ts';
export { type SerializedGltf, serializeGltf } from './document/serialize-gltf.ts';
export { readGeometry } from './meshes/read-geometry.ts';
export { writeCharacterDocument } from './meshes/write-geometry.ts';
export { readGltf } from './read/read-gltf.ts';
export { appendClips, replaceClips } from './write/write-clips.ts';
export { writeMotionDocument } from './write/write-motion.ts';

// Read and write EXT_skeleton_humanoid

export {
  addSkeletonDefinition,
  type HumanoidSkeletonDefinition,
  readSkeletonDefinitions,
} from './extensions/ext-skeleton-humanoid.ts';
export { validateHumanoids } from './validate/validate-humanoids.ts';
export { addHumanoidAnimations, writeHumanoidClips } from './write/write-humanoid-clips.ts';

// Read and write VRM

export { addVrmHumanoid, definitionOfVrm } from './extensions/vrm-conversion.ts';
export { convertVrm } from './vrm-convert/convert-vrm.ts';
export { writeVrma } from './write/write-vrma.ts';
