import type { NpzFile } from '../open-file.ts';
import type { FormatAdapter } from './format-adapter.ts';

/** NPZ, NPY, .smpl and pickles: motions only. The code is loaded on first use. */
export const NPZ_ADAPTER: FormatAdapter<NpzFile> = {
  format: 'npz',
  open: async (bytes, { name = '', readResource = null, frameRate, up }) => {
    const { readNpz } = await import('../../formats/npz/read-npz.ts');
    const options = { ...(frameRate === undefined ? {} : { frameRate }), ...(up === undefined ? {} : { up }) };
    return { format: 'npz', name, asset: readNpz(bytes, options), readResource };
  },
  resources: () => [],
};
