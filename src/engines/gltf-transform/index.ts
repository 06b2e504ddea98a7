/** Transforms and the extension EXT_skeleton_humanoid for glTF-Transform: `anyrig/gltf-transform`. Requires `@gltf-transform/core`. */

export type { SceneHumanoidOptions } from '../scene/find-scene-humanoid.ts';
export { type DefineHumanoidOptions, defineHumanoid } from './define-humanoid.ts';
export { EXTSkeletonHumanoid, HumanoidSkeleton, HumanoidSkeletons, HumanoidTarget } from './ext-skeleton-humanoid.ts';
export type { DocumentHumanoidOptions } from './find-document-humanoid.ts';
export { type RetargetTransformOptions, retarget } from './retarget.ts';
