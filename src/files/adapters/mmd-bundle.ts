/** The code of MMD as one module, imported on first use. */
export { modelGeometry } from '../../formats/mmd/model/model-geometry.ts';
export { isMmdModel, mmdAsset, parseMmdModel, parseMmdMotion, readMmdGeometry } from '../../formats/mmd/read-mmd.ts';
