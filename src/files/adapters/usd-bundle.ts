/** The USD code as one module, imported on first use. */
export { addAnimations } from '../../formats/usd/write/add-animations.ts';
export { inspectUsdSkel } from '../jobs/inspect-usd-skel.ts';
export { losslessUsdFiles } from './usd/lossless-usd.ts';
export { openUsd, readUsdFileGeometry } from './usd/read-usd.ts';
export { usdCharacterFiles, usdMotionFiles } from './usd/write-usd.ts';
