import type { NewAnimation } from '../../../../core/asset/asset.ts';
import type { Geometry } from '../../../../core/asset/geometry.ts';
import { skinnedMeshNodes } from '../../../../core/asset/written-geometry.ts';
import { type Issue, issue } from '../../../../core/report/issue.ts';
import { skeletonSize } from '../../../../core/skeleton/skeleton-size.ts';
import { type LinearAnimation, linearAnimation } from './linear-animation.ts';

/** Converts animations to linear keys on the nodes of a geometry. Tracks and clips that animate nothing are dropped. */
export function characterAnimations(
  geometry: Geometry,
  animations: readonly NewAnimation[],
  issues: Issue[],
): LinearAnimation[] {
  const { nodes, sourceNodes, instances, meshes } = geometry;
  const nodeOf = new Map(Array.from(sourceNodes, (source, node) => [source, node]));
  const isSkinnedMesh = skinnedMeshNodes(geometry);
  const size = skeletonSize(nodes);
  let lost = 0;
  const linear = animations.flatMap((animation): LinearAnimation[] => {
    const converted = linearAnimation(animation, (source) => nodeOf.get(source) ?? -1, nodes, size);
    lost += converted.lost;
    const tracks = new Map([...converted.animation.tracks].filter(([node]) => isSkinnedMesh[node] === 0));
    const morphs = new Map(
      [...converted.animation.morphs].filter(([node, { targetCount }]) => {
        const isShown = instances.some(
          (one) => one.node === node && meshes[one.mesh].morphNames.length === targetCount,
        );
        if (!isShown) lost++;
        return isShown;
      }),
    );
    if (tracks.size + morphs.size > 0) return [{ ...converted.animation, tracks, morphs }];
    const message = `The clip ${JSON.stringify(animation.name)} animates none of the written nodes and was dropped. Check that it belongs to this character.`;
    issues.push(issue('CLIP_EMPTY', message));
    return [];
  });
  if (lost > 0) {
    const message = `${lost} tracks animate nodes or morph targets that are not written to the USD file and were dropped.`;
    issues.push(issue('CHANNELS_DROPPED', message));
  }
  return linear;
}
