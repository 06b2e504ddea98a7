/** From poses to deformed meshes: geometry, model matrices, influences, skinning, blend shapes. */
export { bakeBindShapes } from '../asset/bake-bind-shapes.ts';
export type { Geometry, Mesh, MeshInstance, MeshPrimitive, PrimitiveMode, Skin } from '../asset/geometry.ts';
export type { Material, Texture, TextureUse, Wrap } from '../asset/material.ts';
export { type DualQuaternionPose, makeDualQuaternionPose, poseDualQuaternions } from '../deform/dual-quaternions.ts';
export {
  expandConstantInfluences,
  mergeRepeatedJoints,
  normalizeInfluences,
  reorderJoints,
  resizeInfluences,
  sortInfluences,
} from '../deform/edit-influences.ts';
export { pointExtents } from '../deform/extents.ts';
export { type InBetweenPlan, inBetweenWeights, planInBetweens } from '../deform/in-betweens.ts';
export {
  type InfluenceSet,
  type Influences,
  type JointIndices,
  joinInfluenceSets,
  jointIndices,
  validateInfluences,
} from '../deform/influences.ts';
export { type MorphTarget, morph, normalizeDirections, validateMorphTargets } from '../deform/morph.ts';
export { skinDualQuaternion } from '../deform/skin-dual-quaternion.ts';
export { skinLinear } from '../deform/skin-linear.ts';
export { planSkin, type SkinPlan } from '../deform/skin-plan.ts';
export { normalMatrices, skinningMatrices } from '../deform/skinning-matrices.ts';
export type { Vertices } from '../deform/vertices.ts';
export type { Validity } from '../report/validity.ts';
export { bindPose, localToModelMatrices, localToModelRotations, modelPositions } from '../skeleton/pose.ts';
export { MATRIX_STRIDE } from '../skeleton/skeleton.ts';
