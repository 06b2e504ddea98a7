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
export { readLayer, type UsdKind, usdKindOf } from './read-layer.ts';
export { layerAssets } from './stage/layer-assets.ts';
export type { OpenedLayer, ResolveLayer } from './stage/layer-stack.ts';
export { type PropertyInfo, primMetadata, propertyInfo, propertyMetadata } from './stage/metadata.ts';
export { type OpenStageOptions, openStage } from './stage/open-stage.ts';
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
