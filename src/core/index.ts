/** The core: skeletons, clips, humanoids and retargeting between them. No dependency, no input or output. */
export { changeClipSpace } from './animation/change-clip-space.ts';
export { changeSpeed } from './animation/change-speed.ts';
export {
  type Clip,
  type Interpolation,
  type Keys,
  lastKeyTime,
  PATH_WIDTH,
  type Track,
  type TrackPath,
} from './animation/clip.ts';
export { isConstantTrack } from './animation/constant.ts';
export { linearTrack } from './animation/linear-track.ts';
export { loopClip, type Traveller } from './animation/loop-clip.ts';
export { type MendedTrack, mendTrack } from './animation/mend-track.ts';
export { mirrorClip } from './animation/mirror-clip.ts';
export { reduceKeys } from './animation/reduce-keys.ts';
export {
  type LinearKeys,
  resampleFunction,
  type TimeFunction,
  uniformTimes,
  unionTimes,
} from './animation/resample.ts';
export { resampleClip } from './animation/resample-clip.ts';
export { sampleClip, sampleTrack } from './animation/sample.ts';
export { trimClip } from './animation/trim-clip.ts';
export { trimKeys } from './animation/trim-keys.ts';
export { UNIT_TOLERANCE, validateClip } from './animation/validate-clip.ts';
export type { Asset, AssetClip, AssetSkeleton, MorphTrack } from './asset/asset.ts';
export { bakeBindShapes } from './asset/bake-bind-shapes.ts';
export { changeAssetClipSpeed, reduceMorphTrack, trimAssetClip } from './asset/edit-asset-clip.ts';
export type {
  Geometry,
  Mesh,
  MeshInstance,
  MeshPrimitive,
  PrimitiveMode,
  Skin,
} from './asset/geometry.ts';
export { changeGeometrySpace } from './asset/geometry-space.ts';
export { imageType } from './asset/image-type.ts';
export type { Material, Texture, TextureUse, Wrap } from './asset/material.ts';
export { type DualQuaternionPose, makeDualQuaternionPose, poseDualQuaternions } from './deform/dual-quaternions.ts';
export {
  expandConstantInfluences,
  mergeRepeatedJoints,
  normalizeInfluences,
  reorderJoints,
  resizeInfluences,
  sortInfluences,
} from './deform/edit-influences.ts';
export { pointExtents } from './deform/extents.ts';
export { type InBetweenPlan, inBetweenWeights, planInBetweens } from './deform/in-betweens.ts';
export {
  type InfluenceSet,
  type Influences,
  type JointIndices,
  joinInfluenceSets,
  jointIndices,
  validateInfluences,
} from './deform/influences.ts';
export { type MorphTarget, morph, normalizeDirections, validateMorphTargets } from './deform/morph.ts';
export { skinDualQuaternion } from './deform/skin-dual-quaternion.ts';
export { skinLinear } from './deform/skin-linear.ts';
export { planSkin, type SkinPlan } from './deform/skin-plan.ts';
export { normalMatrices, skinningMatrices } from './deform/skinning-matrices.ts';
export type { Vertices } from './deform/vertices.ts';
export { type BakedMorphs, bakeFace } from './face/bake-face.ts';
export type {
  FaceBind,
  FaceExpression,
  FaceRig,
  GazeRig,
  MorphNode,
  Override,
  RangeMap,
} from './face/face-rig.ts';
export type { ExpressionTrack, FaceTracks, LookAtTrack } from './face/face-tracks.ts';
export { defaultGaze, eyeTracks, gazeExpressions, yawPitch } from './face/gaze.ts';
export { type NamedShape, shapeOfName } from './face/name-shape.ts';
export {
  type FacePlan,
  type FaceSource,
  type FaceTerm,
  faceSources,
  type PlannedMorph,
  planFace,
} from './face/plan-face.ts';
export { mirrorExpressions, mirrorLookAt, mirrorSource, portableFace } from './face/portable-face.ts';
export { FACE_RECIPES, type Recipe } from './face/recipes.ts';
export { FACE_CONVENTIONS, type FaceConvention, type ShapeNames } from './face/shape-names.ts';
export {
  ARKIT_SHAPES,
  type ArkitShape,
  FACE_SHAPES,
  type FaceShape,
  mirrorShape,
  presetOfShape,
  shapeOfPreset,
  VRM_PRESETS,
  type VrmPreset,
} from './face/shapes.ts';
export {
  BONE,
  BONE_COUNT,
  BONE_MIRRORS,
  BONE_PARENTS,
  BONES,
  type BoneName,
  isBoneName,
  presentParent,
  REQUIRED_BONES,
} from './humanoid/bones.ts';
export { CANONICAL_FRAMES } from './humanoid/canonical-frames.ts';
export { type DescribeOptions, type Description, describeHumanoid } from './humanoid/describe-humanoid.ts';
export {
  type BoneChoice,
  type BoneMap,
  type DeclaredHumanoid,
  type GivenBones,
  type Humanoid,
  LIMBS,
  type Limb,
  type PartFinding,
  POSED_PARTS,
  type PosedPart,
  type ReferenceKind,
  type ReferencePose,
} from './humanoid/humanoid.ts';
export { clipOfHumanoidClip, type HumanoidClip, humanoidClipOf } from './humanoid/humanoid-clip.ts';
export { CONVENTION_NAMES, type ConventionName } from './humanoid/mapping/conventions.ts';
export { mapFromGiven } from './humanoid/mapping/given-map.ts';
export { type BoneMapping, type MapOptions, mapBones } from './humanoid/mapping/map-bones.ts';
export { mirrorHumanoid } from './humanoid/mirror-humanoid.ts';
export { isNormalized, normalizedHumanoid } from './humanoid/normalized-humanoid.ts';
export { type PortableBody, portableBody } from './humanoid/portable-body.ts';
export type { BoundPoints } from './humanoid/reference/bound-points.ts';
export type { PoseChoice } from './humanoid/reference/choose-reference.ts';
export type { UnitSource } from './humanoid/reference/ground.ts';
export { type ModelPose, modelPose } from './humanoid/reference/model-pose.ts';
export type { Sides } from './humanoid/reference/palm-and-heading.ts';
export { travellerOf } from './humanoid/traveller.ts';
export * as euler from './math/euler.ts';
export type { Floats } from './math/floats.ts';
export * as mat4 from './math/mat4.ts';
export * as quat from './math/quat.ts';
export * as vec3 from './math/vec3.ts';
export { type BoneConformance, type Conformance, measureConformance } from './measure/conformance.ts';
export {
  type FootMeasure,
  type FootSkateMeasure,
  type FootSkateOptions,
  measureFootSkate,
} from './measure/foot-skate.ts';
export { type GestureMeasure, type GestureOptions, type JointAngles, measureGesture } from './measure/gesture.ts';
export { CODES, type IssueCode, type Severity } from './report/codes.ts';
export { FormatError, type Place, printPlace } from './report/format-error.ts';
export { type Issue, issue } from './report/issue.ts';
export type { Validity } from './report/validity.ts';
export { type ExtractPlan, extractClip, humanoidOfBody, planExtract } from './retarget/extract-clip.ts';
export { RETARGET_DEFAULTS, type RetargetOptions } from './retarget/options.ts';
export { planRetarget } from './retarget/plan.ts';
export { type ClipOptions, retargetClip } from './retarget/retarget-clip.ts';
export type {
  AttachmentPlan,
  HeldValue,
  HipsPlan,
  RetargetPlan,
  ScalePlan,
  SharePlan,
  TranslationPlan,
} from './retarget/retarget-plan.ts';
export { retargetPose } from './retarget/retarget-pose.ts';
export { changeSpace, type SpaceChange } from './skeleton/change-space.ts';
export { mirrorPose, mirrorSkeleton } from './skeleton/mirror-skeleton.ts';
export { type OrderMap, planOrderMap, remap } from './skeleton/order-map.ts';
export {
  bindPose,
  localToModelMatrices,
  localToModelRotations,
  modelPositions,
  modelToLocalMatrices,
  restPose,
} from './skeleton/pose.ts';
export { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from './skeleton/skeleton.ts';
export {
  type ChildRanges,
  childRanges,
  commonAncestor,
  depths,
  isAncestor,
  parentsFromPaths,
  type SortedTopology,
  sortParentsFirst,
  validateTopology,
} from './skeleton/topology.ts';
