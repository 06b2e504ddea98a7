/** The clips of a character by the nodes of its geometry. */

import type { Geometry } from '../../../core/asset/geometry.ts';
import { pointExtents } from '../../../core/deform/extents.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { localToModelMatrices, modelPositions } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, type Skeleton } from '../../../core/skeleton/skeleton.ts';
import { type LinearAnimation, linearAnimation } from './linear-animation.ts';
import { nodesWithoutEffect } from './nodes-without-effect.ts';
import type { UsdAnimation } from './usd-animation.ts';

/** Animations by nodes of the geometry, as linear keys; those of which nothing is left are reported and left out. */
export function characterAnimations(
  geometry: Geometry,
  animations: readonly UsdAnimation[],
  issues: Issue[],
): LinearAnimation[] {
  const { nodes, sourceNodes, instances, meshes } = geometry;
  const nodeOf = new Map(Array.from(sourceNodes, (source, node) => [source, node]));
  const still = nodesWithoutEffect(geometry);
  const size = sizeOf(nodes);
  let lost = 0;
  const linear = animations.flatMap((animation): LinearAnimation[] => {
    const made = linearAnimation(animation, (source) => nodeOf.get(source) ?? -1, size);
    lost += made.lost;
    const tracks = new Map([...made.animation.tracks].filter(([node]) => still[node] === 0));
    const morphs = new Map(
      [...made.animation.morphs].filter(([node, { targetCount }]) => {
        const isShown = instances.some(
          (one) => one.node === node && meshes[one.mesh].morphNames.length === targetCount,
        );
        if (!isShown) lost++;
        return isShown;
      }),
    );
    if (tracks.size + morphs.size > 0) return [{ ...made.animation, tracks, morphs }];
    const message = `The clip ${JSON.stringify(animation.name)} moves nothing that is written; it was left out`;
    issues.push(issue('CLIP_EMPTY', message));
    return [];
  });
  if (lost > 0) {
    const message = `${lost} tracks are not carried over: they are of nodes or morph targets that are not written`;
    issues.push(issue('CHANNELS_DROPPED', message));
  }
  return linear;
}

/** The diagonal of the box around all nodes at rest; 0 where there is none. */
export function sizeOf(nodes: Skeleton): number {
  const count = nodes.parents.length;
  const worlds = new Float64Array(MATRIX_STRIDE * count);
  localToModelMatrices(worlds, nodes.parents, nodes.rest);
  const positions = new Float64Array(3 * count);
  modelPositions(positions, worlds);
  const box = new Float64Array(6);
  pointExtents(box, 0, positions);
  const size = Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  return Number.isFinite(size) ? size : 0;
}
