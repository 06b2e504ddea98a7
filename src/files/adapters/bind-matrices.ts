import type { Asset } from '../../core/asset/asset.ts';
import type { Geometry } from '../../core/asset/geometry.ts';
import type { Floats } from '../../core/math/floats.ts';
import * as mat4 from '../../core/math/mat4.ts';
import { modelMatrices } from '../../core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';

/**
 * Collects the bind pose of the skeletons of a file for all nodes of a scene. Nodes that no skeleton binds are at rest. `rest`: local rest pose, 10
 * floats per node. Returns 16 floats per node, column-major, model space.
 */
export function bindMatrices(
  { skeletons }: Pick<Asset, 'skeletons'>,
  { nodes, sourceNodes }: Pick<Geometry, 'nodes' | 'sourceNodes'>,
  rest: Floats,
): Float64Array {
  const matrices = modelMatrices(nodes.parents, rest);
  const nodeOf = new Map(Array.from(sourceNodes, (source, node) => [source, node]));
  for (const { skeleton, sourceNodes: sources } of skeletons) {
    skeleton.joints.forEach((isJoint, k) => {
      const node = nodeOf.get(sources[k]);
      if (isJoint === 0 || skeleton.bind === null || node === undefined) return;
      mat4.copy(matrices, MATRIX_STRIDE * node, skeleton.bind, MATRIX_STRIDE * k);
    });
  }
  return matrices;
}
