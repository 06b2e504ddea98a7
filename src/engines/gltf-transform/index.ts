/** The door into glTF-Transform: `anyrig/gltf-transform`. Needs `@gltf-transform/core`. */
export type { BodyOptions } from './body-of-document.ts';
export { EXTSkeletonHumanoid, HumanoidSkeleton, HumanoidSkeletons, HumanoidTarget } from './ext-skeleton-humanoid.ts';
export { type HumanoidTransformOptions, humanoid } from './humanoid.ts';
export { type RetargetTransformOptions, retarget } from './retarget.ts';
