import type { MmdModel } from '../../formats/mmd/model/mmd-model.ts';
import type { MmdFile, OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import type { FormatAdapter } from './format-adapter.ts';

/** Returns the model that a motion plays on. Throws OptionError (`model`) for a file that is none. */
function modelOf(file: OpenFile | undefined): MmdModel | null {
  if (file === undefined) return null;
  if (file.format === 'mmd' && file.model !== null) return file.model;
  throw new OptionError('model', `${file.name} is no PMX or PMD, but a motion of MMD plays on such a model`);
}

/** MMD: models (PMX, PMD), and motions (VMD, VPD), which play on one. The code is imported on first use. */
export const MMD_ADAPTER: FormatAdapter<MmdFile> = {
  format: 'mmd',
  open: async (bytes, { name = '', readResource = null, model: played }) => {
    const { isMmdModel, mmdAsset, modelGeometry, parseMmdModel, parseMmdMotion } = await import('./mmd-bundle.ts');
    const isModel = isMmdModel(bytes);
    const model = isModel ? parseMmdModel(bytes) : modelOf(played);
    const asset = mmdAsset(model, isModel ? null : parseMmdMotion(bytes));
    // Textures lie beside the model.
    const reader = isModel ? readResource : (played?.readResource ?? null);
    return { format: 'mmd', name, asset, model, readVertices: () => modelGeometry(model), readResource: reader };
  },
  resources: () => [],
  readGeometry: async ({ model, readResource, readVertices }) => {
    if (model === null) return { geometry: readVertices(), issues: [] };
    return (await import('./mmd-bundle.ts')).readMmdGeometry(model, readResource);
  },
  readVertices: (file) => file.readVertices(),
};
