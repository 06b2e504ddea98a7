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
export { parseUsda } from './text/parse-usda.ts';
export { printUsda } from './text/print-usda.ts';
