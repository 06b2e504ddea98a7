/** All about USD files, which few runs need: a file of its own where the command line is bundled. */
export { inspectUsdSkel } from './inspect-usd-skel.ts';
export { editedUsdLayer, keptUsdFiles } from './kept-usd.ts';
export { readUsdFile, readUsdFileGeometry } from './read-usd.ts';
export { usdCharacterFiles, usdMotionFiles } from './usd-outputs.ts';
