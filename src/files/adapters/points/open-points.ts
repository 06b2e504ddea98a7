import { readPoints } from '../../../formats/points/read-points.ts';
import { detectFormat } from '../../detect.ts';
import type { OpenOptions, PointsFile } from '../../open-file.ts';
import { readPositionBvh } from './read-position-bvh.ts';

/** Opens joint positions. Throws FormatError as of `readPoints`; `BVH_SYNTAX` for a BVH that cannot be parsed. */
export function openPoints(bytes: Uint8Array, { name = '', readResource }: OpenOptions): PointsFile {
  const container = detectFormat(bytes);
  const asset =
    container === 'bvh' ? readPositionBvh(bytes) : readPoints(bytes, container === 'trc' ? 'trc' : 'keypoints');
  return { format: 'points', name, asset, readResource: readResource ?? null };
}
