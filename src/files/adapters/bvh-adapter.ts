import type { BvhFile } from '../open-file.ts';
import type { FormatAdapter } from './format-adapter.ts';

/** BVH: motions on a skeleton. The code is loaded on first use. */
export const BVH_ADAPTER: FormatAdapter<BvhFile> = {
  format: 'bvh',
  open: async (bytes, options) => (await import('./bvh/open-bvh.ts')).openBvh(bytes, options),
  resources: () => [],
  writeMotion: async (skeleton, clips, destination, fps, issues) => {
    const { writeBvhMotion } = await import('./bvh/write-bvh-motion.ts');
    return writeBvhMotion(skeleton, clips, destination, fps, issues);
  },
};
