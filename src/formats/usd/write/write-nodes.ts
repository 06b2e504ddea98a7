/** Writes nodes that no joint moves as Xform prims. */
import type { Geometry } from '../../../core/asset/geometry.ts';
import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { addPrim } from '../author/add-prim.ts';
import { authorAnimatedTransform, authorTransform } from '../author/author-xform-ops.ts';
import type { Layer } from '../layer/layer.ts';
import type { TimeCodes } from '../time-codes.ts';
import type { LinearAnimation } from './animation/linear-animation.ts';
import { checkPathLengths } from './path-budget.ts';
import type { planSkeletons, SkeletonPlan } from './skeletons/plan-skeletons.ts';
import { skinnedMeshNodes } from './skinned-mesh-nodes.ts';

/**
 * Adds an Xform for each node that is neither a joint nor below one. Nodes that only hold skinned meshes are omitted. The first clip animates the
 * Xforms; nodes that other clips animate are joints (see {@link planSkeletons}).
 *
 * @param layer The layer, changed in place.
 * @param codes Converts seconds to time codes.
 * @returns Path of the prim of each node; empty for omitted nodes.
 */
export function addNodePrims(
  layer: Layer,
  root: string,
  geometry: Geometry,
  { nearestJointNode }: Pick<SkeletonPlan, 'nearestJointNode'>,
  clips: readonly LinearAnimation[],
  codes: TimeCodes,
): string[] {
  const { names, parents, rest } = geometry.nodes;
  const isSkinnedMesh = skinnedMeshNodes(geometry);
  const isWritten = (node: number): boolean => nearestJointNode[node] < 0 && isSkinnedMesh[node] === 0;
  checkPathLengths(names, parents, isWritten);
  const paths = names.map(() => '');
  for (const [node, name] of names.entries()) {
    if (!isWritten(node)) continue;
    const parent = parents[node] < 0 ? root : paths[parents[node]];
    paths[node] = addPrim(layer, parent, name, 'Node', 'Xform');
    const local = rest.subarray(node * POSE_STRIDE, (node + 1) * POSE_STRIDE);
    const tracks = clips[0]?.tracks.get(node);
    if (tracks === undefined) authorTransform(layer, paths[node], local);
    else authorAnimatedTransform(layer, paths[node], local, tracks, clips[0].duration, codes);
  }
  return paths;
}
