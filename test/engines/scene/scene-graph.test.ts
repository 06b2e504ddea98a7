import { describe, expect, it } from 'vitest';
import { readSceneSkeletons } from '../../../src/engines/scene/scene-graph.ts';

describe('readSceneSkeletons', () => {
  it('names the End Sites of BVH loaders after their parents, as the BVH reader does', () => {
    const names = ['Hips', 'LeftHand', 'ENDSITE', 'ENDSITE', 'Toes', 'EndSite'];
    const rest = Float64Array.from({ length: 10 * names.length }, (_, i) => (i % 10 >= 6 ? 1 : i % 10 === 1 ? 1 : 0));
    const parents = Int32Array.of(-1, 0, 1, 0, 3, 4);
    const { skeletons } = readSceneSkeletons({ nodes: names, names, parents, rest, skins: [] }, null);
    // A node with children is a joint, whatever its name.
    expect(skeletons[0].skeleton.names).toEqual(['Hips', 'LeftHand', 'LeftHand_end', 'ENDSITE', 'Toes', 'Toes_end']);
  });
});
