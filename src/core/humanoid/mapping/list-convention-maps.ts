import type { Skeleton } from '../../skeleton/skeleton.ts';
import type { BoneMap } from '../humanoid.ts';
import { mapByConventions } from './by-name/map-by-conventions.ts';
import { createNamedRig } from './by-name/named-rig.ts';

/**
 * Maps a skeleton by each naming convention that names at least four of its nodes. `mapBones` chooses among these maps, and
 * combines them with the shape of the skeleton; the list is for a user who knows the convention.
 *
 * @param skeleton The skeleton to map.
 * @returns One map per convention, best first; `from` is the convention, for example `mixamo`. Bones may be missing or misplaced.
 * @example const [best] = listConventionMaps(asset.skeletons[0].skeleton); const { from } = best; // 'mixamo'
 */
export function listConventionMaps(skeleton: Skeleton): BoneMap[] {
  return mapByConventions(createNamedRig(skeleton)).map(({ from, nodes, confidences }) => {
    return { from, nodes, confidence: confidences.map((confidence, bone) => (nodes[bone] >= 0 ? confidence : 0)) };
  });
}
