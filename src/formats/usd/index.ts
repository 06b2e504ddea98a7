/** Reads and writes USD: text, binary and packaged layers, composed stages, UsdSkel skeletons and whole characters. */

// Read and write USD

export { serializeUsdc } from './crate/serialize-usdc.ts';
export type { Layer } from './layer/layer.ts';
export { readUsdz } from './package/read-usdz.ts';
export { writeUsdz } from './package/write-usdz.ts';
export { readUsdAsset } from './read/read-usd-asset.ts';
export { readUsdGeometry } from './read/read-usd-geometry.ts';
export { readUsdScene } from './read/read-usd-scene.ts';
export type { UsdScene } from './read/scene.ts';
export { readUsdLayer } from './read-usd-layer.ts';
export { attributeValue } from './stage/attribute-values.ts';
export { createFileResolver } from './stage/file-resolver.ts';
export { openStage } from './stage/open-stage.ts';
export type { Prim, Stage } from './stage/stage.ts';
export { parseUsda } from './text/parse-usda.ts';
export { serializeUsda } from './text/serialize-usda.ts';
export { addAnimations } from './write/add-animations.ts';
export { writeCharacterLayer } from './write/write-character-layer.ts';
export { writeMotionLayer } from './write/write-motion-layer.ts';

// Work with UsdSkel

export {
  expandConstantInfluences,
  normalizeInfluences,
  resizeInfluences,
  sortInfluences,
} from '../../core/deform/edit-influences.ts';
export { createJointMapper, mapJoints } from '../../core/skeleton/joint-mapper.ts';
export { setInBetween } from './author/author-in-between.ts';
export { readBindings, type SkelBinding, skeletonAnimation, skelRoots } from './skel/bindings.ts';
export { skelRootExtent } from './skel/joint-extents.ts';
export { describeUsdSkel } from './skel/report/describe-usd-skel.ts';
export type { UsdSkelReport } from './skel/report/usd-skel-report.ts';
export { defineSkeleton } from './skel/skeleton-definition.ts';
export { type AnimatedSkeleton, readAnimatedSkeleton, sampleSkeleton } from './skel/skeleton-sample.ts';
