/** Transforms and the extension EXT_skeleton_humanoid for glTF-Transform. Requires `@gltf-transform/core`. */

// Retarget in glTF-Transform

export { defineHumanoid } from './define-humanoid.ts';
export { EXTSkeletonHumanoid, HumanoidSkeleton, HumanoidSkeletons, HumanoidTarget } from './ext-skeleton-humanoid.ts';
export { retarget } from './retarget.ts';
