/** USD: text, binary and packaged files, `.usda`, `.usdc`, `.usdz` and `.usd`. */
export { parseUsdc } from './crate/parse-usdc.ts';
export { serializeUsdc } from './crate/serialize-usdc.ts';
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
export { type ReadUsdOptions, readUsdAsset } from './read/read-usd-asset.ts';
export { readUsdGeometry } from './read/read-usd-geometry.ts';
export { readUsdScene } from './read/read-usd-scene.ts';
export type { SceneSkeleton, UsdScene } from './read/scene.ts';
export { readUsdLayer, type UsdKind, detectUsdKind } from './read-usd-layer.ts';
export { type InBetweenInput, inBetweensOf, setInBetween } from './author/author-in-between.ts';
export { applyBindingApi, setInfluences } from './author/author-influences.ts';
export type { AnimationBinding } from './skel/binding-rules.ts';
export {
  type BindingOptions,
  readBindings,
  type SkelBinding,
  type SkelRootBindings,
  skeletonAnimation,
  skelRoots,
} from './skel/bindings.ts';
export { type BlendShape, readBlendShape } from './skel/deform/blend-shape.ts';
export { type WeightedShape, weightedShapes } from './skel/deform/apply-blend-shapes.ts';
export {
  type AttributeHolders,
  type BoundPrim,
  geomBindTransform,
  hasBlendShapes,
  type InheritedAttribute,
  readInfluences,
} from './skel/bound-prim.ts';
export { type SkinnedInstances, type SkinnedInstance, type SkinnedInstancePrim, deformSkinnedInstances, planSkinnedInstances } from './skel/deform/skinned-instances.ts';
export {
  type DeformedPrim,
  deformPrim,
  createPrimBuffers,
  type PrimDeformer,
  type PrimBuffers,
  planPrim,
  type RestMeshes,
} from './skel/deform/deform-prim.ts';
export { sampledTimes } from './skel/report/describe-skel-sample.ts';
export { type DescribeSkelOptions, describeUsdSkel } from './skel/report/describe-usd-skel.ts';
export { extentPadding, jointsExtent, skelRootExtent } from './skel/joint-extents.ts';
export type { InfluenceDeclaration, InfluenceReading } from './skel/joint-influences.ts';
export { type MapFlags, mapFlags } from './skel/joint-transforms.ts';
export { type PrimSpaceResult, toPrimSpace } from './skel/deform/prim-space.ts';
export type { RestGeometry, RestMesh } from './skel/deform/rest-mesh.ts';
export { animationTimes, type SkelAnimation } from './skel/skel-animation.ts';
export type {
  NumberRows,
  SkelBindingReport,
  SkelPrimReport,
  SkelSampleReport,
  SkelTargetReport,
  UsdSkelReport,
} from './skel/report/usd-skel-report.ts';
export { defineSkeleton, type SkeletonDefinition, type SkeletonReading } from './skel/skeleton-definition.ts';
export { planSkeletonPose, poseSkeleton, type SkeletonPose } from './skel/skeleton-pose.ts';
export {
  type AnimatedSkeleton,
  readAnimatedSkeleton,
  type SkeletonSample,
  sampleSkeleton,
} from './skel/skeleton-sample.ts';
export { createFileResolver, type ReadFile } from './stage/file-resolver.ts';
export { layerAssets } from './stage/layer-assets.ts';
export type { OpenedLayer, ResolveLayer } from './stage/layer-stack.ts';
export { type PropertyInfo, primMetadata, propertyInfo, propertyMetadata } from './stage/composed-metadata.ts';
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
export { connectionsOf, forwardedTargetsOf, targetsOf } from './stage/relationship-targets.ts';
export { attributeValue, hasAuthoredValue, timeSamplesOf } from './stage/attribute-values.ts';
export { type LocalTransform, localToWorld, localTransform, transformTimes } from './stage/xform-ops.ts';
export { parseUsda } from './text/parse-usda.ts';
export { serializeUsda } from './text/serialize-usda.ts';
export { type AddAnimationsOptions, addAnimations } from './write/add-animations.ts';
export type { UsdAnimation, UsdSpace } from './write/usd-animation.ts';
export { writeCharacterLayer } from './write/write-character-layer.ts';
export { writeMotionLayer } from './write/write-motion-layer.ts';
