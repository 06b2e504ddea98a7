/** All about USD files, which few runs need: a file of its own where the command line is bundled. */

export { addAnimations } from '../formats/usd/write/add-animations.ts';
export { inspectUsdSkel } from './inspect-usd-skel.ts';
export { keptUsdFiles } from './kept-usd.ts';
export { readUsdFile, readUsdFileGeometry } from './read-usd.ts';
export { usdCharacterFiles, usdMotionFiles } from './usd-outputs.ts';
