/** Nodes that no joint moves, as Xform prims. */
import type { Geometry } from '../../../core/asset/geometry.ts';
import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { Layer } from '../layer/layer.ts';
import { addPrim } from './add-prim.ts';
import type { LinearAnimation } from './linear-animation.ts';
import { nodesWithoutEffect } from './nodes-without-effect.ts';
import type { planSkeletons, SkeletonPlan } from './plan-skeletons.ts';
import type { TimeCodes } from './time-codes.ts';
import { writeMotion, writePlace } from './write-xform.ts';

/**
 * Adds an Xform below `root` for every node that is no joint, stands below none and has an effect; its path by node, '' for others. They move by the
 * first clip: what others move are joints (see {@link planSkeletons}).
 */
export function addNodePrims(
  layer: Layer,
  root: string,
  geometry: Geometry,
  { carrierOf }: Pick<SkeletonPlan, 'carrierOf'>,
  clips: readonly LinearAnimation[],
  codes: TimeCodes,
): string[] {
  const { names, parents, rest } = geometry.nodes;
  const isStill = nodesWithoutEffect(geometry);
  const paths = names.map(() => '');
  for (const [node, name] of names.entries()) {
    if (carrierOf[node] >= 0 || isStill[node] === 1) continue;
    const parent = parents[node] < 0 ? root : paths[parents[node]];
    paths[node] = addPrim(layer, parent, name, 'Node', 'Xform');
    const local = rest.subarray(node * POSE_STRIDE, (node + 1) * POSE_STRIDE);
    const tracks = clips[0]?.tracks.get(node);
    if (tracks === undefined) writePlace(layer, paths[node], local);
    else writeMotion(layer, paths[node], local, tracks, clips[0].duration, codes);
  }
  return paths;
}
