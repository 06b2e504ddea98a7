/** Vectors, quaternions, matrices and Euler angles on flat arrays; changes of unit and axes. */
export { changeClipSpace } from '../animation/change-clip-space.ts';
export { changeGeometrySpace } from '../asset/geometry-space.ts';
export * as euler from '../math/euler.ts';
export type { Floats } from '../math/floats.ts';
export * as mat4 from '../math/mat4.ts';
export * as quat from '../math/quat.ts';
export * as vec3 from '../math/vec3.ts';
export { changeSpace, type SpaceChange } from '../skeleton/change-space.ts';
