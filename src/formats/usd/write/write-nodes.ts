/** Nodes that no joint moves, as Xform prims. */
import type { Geometry } from '../../../core/asset/geometry.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { Layer } from '../layer/layer.ts';
import { addPrim } from './add-prim.ts';
import type { LinearAnimation } from './linear-animation.ts';
import { nodesWithoutEffect } from './nodes-without-effect.ts';
import type { SkeletonPlan } from './plan-skeletons.ts';
import type { TimeCodes } from './time-codes.ts';
import { writeMotion, writePlace } from './write-xform.ts';

/**
 * Adds an Xform below `root` for every node that is no joint, stands below none and has an effect; its path by node, '' for others. They move by the first clip; what others
 * do to them is left out (CHANNELS_DROPPED), as a transform cannot be one of several.
 */
export function addNodePrims(
  layer: Layer,
  root: string,
  geometry: Geometry,
  { carrierOf }: Pick<SkeletonPlan, 'carrierOf'>,
  clips: readonly LinearAnimation[],
  codes: TimeCodes,
  issues: Issue[],
): string[] {
  const { names, parents, rest } = geometry.nodes;
  const isStill = nodesWithoutEffect(geometry);
  const paths = names.map(() => '');
  let lost = 0;
  for (const [node, name] of names.entries()) {
    if (carrierOf[node] >= 0 || isStill[node] === 1) continue;
    const parent = parents[node] < 0 ? root : paths[parents[node]];
    paths[node] = addPrim(layer, parent, name, 'Node', 'Xform');
    const local = rest.subarray(node * POSE_STRIDE, (node + 1) * POSE_STRIDE);
    const tracks = clips[0]?.tracks.get(node);
    if (tracks === undefined) writePlace(layer, paths[node], local);
    else writeMotion(layer, paths[node], local, tracks, clips[0].duration, codes);
    for (const clip of clips.slice(1)) lost += Object.keys(clip.tracks.get(node) ?? {}).length;
  }
  if (lost > 0) {
    const message = `${lost} tracks of other clips than the first are not carried over: they move nodes of no skin, which USD lets one clip move`;
    issues.push(issue('CHANNELS_DROPPED', message));
  }
  return paths;
}
