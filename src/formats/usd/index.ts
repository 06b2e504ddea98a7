/** Reads and writes USD: text, binary and packaged layers, composed stages, UsdSkel skeletons and whole characters. */

// Layer files: .usda, .usdc, .usdz and .usd

export { parseUsdc } from './crate/parse-usdc.ts';
export { serializeUsdc } from './crate/serialize-usdc.ts';
export { readUsdz, type Usdz, type UsdzEntry } from './package/read-usdz.ts';
export { writeUsdz } from './package/write-usdz.ts';
export { detectUsdKind, readUsdLayer, type UsdKind } from './read-usd-layer.ts';
export { parseUsda } from './text/parse-usda.ts';
export { serializeUsda } from './text/serialize-usda.ts';

// Layers: specs, fields and values

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

// Stages: composition, values over time, metadata, targets, transforms

export { attributeValue, timeSamplesOf } from './stage/attribute-values.ts';
export { primMetadata, propertyMetadata } from './stage/composed-metadata.ts';
export { createFileResolver, type ReadAsset, type ReadFile } from './stage/file-resolver.ts';
export type { OpenedLayer, ResolveLayer } from './stage/layer-stack.ts';
export { type OpenStageOptions, openStage } from './stage/open-stage.ts';
export { targetsOf } from './stage/relationship-targets.ts';
export type { Prim, Stage, StageMetrics, Time } from './stage/stage.ts';
export { type LocalTransform, localToWorld, localTransform } from './stage/xform-ops.ts';

// UsdSkel: skeletons and animations

export type { SkelAnimation } from './skel/skel-animation.ts';
export { defineSkeleton, type SkeletonDefinition, type SkeletonReading } from './skel/skeleton-definition.ts';
export {
  type AnimatedSkeleton,
  type AnimatedSkeletonReading,
  readAnimatedSkeleton,
  type SkeletonSample,
  sampleSkeleton,
} from './skel/skeleton-sample.ts';

// UsdSkel: bindings and influences

export type { AnimationBinding } from './skel/binding-rules.ts';
export {
  type BindingOptions,
  readBindings,
  type SkelBinding,
  type SkelRootBindings,
  skeletonAnimation,
  skelRoots,
} from './skel/bindings.ts';
export {
  type AttributeHolders,
  type BoundPrim,
  geomBindTransform,
  type InheritedAttribute,
} from './skel/bound-prim.ts';
export { skelRootExtent } from './skel/joint-extents.ts';
export type { InfluenceDeclaration } from './skel/joint-influences.ts';

// UsdSkel: skinning and blend shapes

export { type InBetweenInput, setInBetween } from './author/author-in-between.ts';
export type { WeightedShape } from './skel/deform/apply-blend-shapes.ts';
export type { BlendShape } from './skel/deform/blend-shape.ts';
export {
  type DeformedPrim,
  deformPrim,
  type PrimDeformer,
  planPrim,
} from './skel/deform/deform-prim.ts';
export type { RestGeometry, RestMesh } from './skel/deform/rest-mesh.ts';

// UsdSkel: report

export { type DescribeSkelOptions, describeUsdSkel } from './skel/report/describe-usd-skel.ts';
export type {
  NumberRows,
  SkelBindingReport,
  SkelPrimReport,
  SkelSampleReport,
  SkelTargetReport,
  UsdSkelReport,
} from './skel/report/usd-skel-report.ts';

// Characters and motions: from and to assets

export { type ReadUsdOptions, readUsdAsset } from './read/read-usd-asset.ts';
export { readUsdGeometry, type UsdGeometryResult } from './read/read-usd-geometry.ts';
export { readUsdScene } from './read/read-usd-scene.ts';
export type { SceneSkeleton, UsdScene } from './read/scene.ts';
export { type AddAnimationsOptions, type AddAnimationsResult, addAnimations } from './write/add-animations.ts';
export type { UsdAnimation, UsdSpace } from './write/usd-animation.ts';
export { type CharacterLayerResult, writeCharacterLayer } from './write/write-character-layer.ts';
export { type MotionLayerResult, writeMotionLayer } from './write/write-motion-layer.ts';
