/** USD: text, binary and packaged files, `.usda`, `.usdc`, `.usdz` and `.usd`. */
export { parseUsdc } from './crate/parse-usdc.ts';
export { printUsdc } from './crate/print-usdc.ts';
export type {
  FieldValue,
  Layer,
  LayerOffset,
  ListOp,
  Reference,
  Spec,
  SpecType,
  TimeSamples,
} from './layer/layer.ts';
export { applyListOp, emptyListOp, explicitListOp } from './layer/list-op.ts';
export type {
  BlockValue,
  DictionaryValue,
  Numbers,
  NumericValue,
  StoredType,
  TextValue,
  UnregisteredValue,
  Value,
} from './layer/value.ts';
export { readUsdz, type Usdz, type UsdzEntry } from './package/read-usdz.ts';
export { writeUsdz } from './package/write-usdz.ts';
export { type ReadUsdOptions, readUsdAsset } from './read/read-asset.ts';
export { readUsdGeometry } from './read/read-geometry.ts';
export { readUsdScene } from './read/read-scene.ts';
export type { SceneSkeleton, UsdScene } from './read/scene.ts';
export { readLayer, type UsdKind, usdKindOf } from './read-layer.ts';
export { type InBetweenInput, inBetweensOf, setInBetween } from './skel/author-in-between.ts';
export { applyBindingApi, setInfluences } from './skel/author-influences.ts';
export type { AnimationBinding } from './skel/binding-rules.ts';
export {
  type BindingOptions,
  readBindings,
  type SkelBinding,
  type SkelRootBindings,
  skeletonAnimation,
  skelRoots,
} from './skel/bindings.ts';
export { type BlendShape, readBlendShape } from './skel/blend-shape.ts';
export { type WeightedShape, weightedShapes } from './skel/blend-shapes.ts';
export {
  type AttributeHolders,
  type BoundPrim,
  geomBindTransform,
  hasBlendShapes,
  type InheritedAttribute,
  readInfluences,
} from './skel/bound-prim.ts';
export { type Crowd, type CrowdMember, type CrowdPrim, deformCrowd, planCrowd } from './skel/crowd.ts';
export {
  type DeformedPrim,
  deformPrim,
  makePrimRoom,
  type PrimDeformer,
  type PrimRoom,
  planPrim,
  type RestMeshes,
} from './skel/deform-prim.ts';
export { sampledTimes } from './skel/describe-sample.ts';
export { type DescribeSkelOptions, describeUsdSkel } from './skel/describe-skel.ts';
export { extentPadding, jointsExtent, skelRootExtent } from './skel/joint-extents.ts';
export type { InfluenceDeclaration, InfluenceReading } from './skel/joint-influences.ts';
export { type MapFlags, mapFlags } from './skel/joint-transforms.ts';
export { type PrimSpaceResult, toPrimSpace } from './skel/prim-space.ts';
export type { RestGeometry, RestMesh } from './skel/rest-mesh.ts';
export { animationTimes, type SkelAnimation } from './skel/skel-animation.ts';
export type {
  NumberRows,
  SkelBindingReport,
  SkelPrimReport,
  SkelSampleReport,
  SkelTargetReport,
  UsdSkelReport,
} from './skel/skel-report.ts';
export { defineSkeleton, type SkeletonDefinition, type SkeletonReading } from './skel/skeleton-definition.ts';
export { planSkeletonPose, poseSkeleton, type SkeletonPose } from './skel/skeleton-pose.ts';
export {
  type AnimatedSkeleton,
  readAnimatedSkeleton,
  type SkeletonSample,
  sampleSkeleton,
} from './skel/skeleton-sample.ts';
export { makeFileResolver, type ReadFile } from './stage/file-resolver.ts';
export { layerAssets } from './stage/layer-assets.ts';
export type { OpenedLayer, ResolveLayer } from './stage/layer-stack.ts';
export { type PropertyInfo, primMetadata, propertyInfo, propertyMetadata } from './stage/metadata.ts';
export { type OpenStageOptions, openStage } from './stage/open-stage.ts';
export type { ReadAsset } from './stage/read-asset.ts';
export {
  childrenOf,
  isUsable,
  type Prim,
  primAndAncestors,
  primAt,
  type Stage,
  type StageMetrics,
  type Time,
} from './stage/stage.ts';
export { connectionsOf, forwardedTargetsOf, targetsOf } from './stage/targets.ts';
export { attributeValue, hasAuthoredValue, timeSamplesOf } from './stage/values.ts';
export { type LocalTransform, localToWorld, localTransform, transformTimes } from './stage/xform-ops.ts';
export { parseUsda } from './text/parse-usda.ts';
export { printUsda } from './text/print-usda.ts';
export { type AddAnimationsOptions, addAnimations } from './write/add-animations.ts';
export type { UsdAnimation, UsdSpace } from './write/usd-animation.ts';
export { writeCharacterLayer } from './write/write-character.ts';
export { writeMotionLayer } from './write/write-motion.ts';
