import type { PointsFile } from '../open-file.ts';
import type { FormatAdapter } from './format-adapter.ts';

/** Joint positions: TRC, keypoints in JSON, and BVH without rotations. The code is loaded on first use. */
export const POINTS_ADAPTER: FormatAdapter<PointsFile> = {
  format: 'points',
  open: async (bytes, options) => (await import('./points/open-points.ts')).openPoints(bytes, options),
  resources: () => [],
};
