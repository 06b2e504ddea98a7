/** Maps the animations of a file to the nodes of a new document. */
import type { MorphTrack, NewAnimation } from '../../../core/asset/asset.ts';
import type { Geometry } from '../../../core/asset/geometry.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { MeshNodePlan } from '../meshes/plan-mesh-nodes.ts';

export function nodesBySource({ sourceNodes }: Pick<Geometry, 'sourceNodes'>): ReadonlyMap<number, number> {
  return new Map(Array.from(sourceNodes, (source, node) => [source, node]));
}

/** Collects the nodes of a geometry that animations translate, rotate or scale. */
export function animatedNodes(
  animations: readonly NewAnimation[],
  nodeOf: ReadonlyMap<number, number>,
): ReadonlySet<number> {
  const nodes = new Set<number>();
  for (const { clip, sourceNodes } of animations) {
    for (const { target } of clip.tracks) nodes.add(nodeOf.get(sourceNodes[target]) ?? -1);
  }
  return nodes;
}

/**
 * Maps animations to the nodes of a new document. Morph weights are copied to every node that shows the mesh. `issues` receives CHANNELS_DROPPED
 * for tracks whose node or morph targets are not written, and CLIP_EMPTY for animations without remaining tracks, which are dropped.
 */
export function remapAnimations(
  animations: readonly NewAnimation[],
  nodeOf: ReadonlyMap<number, number>,
  { meshes }: Geometry,
  { parts, instances }: MeshNodePlan,
  issues: Issue[],
): NewAnimation[] {
  let lost = 0;
  const written = animations.flatMap((animation): NewAnimation[] => {
    const { name, clip, sourceNodes, morphs = [], humanoid } = animation;
    const nodes = Int32Array.from(sourceNodes, (source) => nodeOf.get(source) ?? -1);
    const tracks = clip.tracks.filter(({ target }) => nodes[target] >= 0);
    const remappedMorphs = morphs.flatMap((track): MorphTrack[] => {
      const node = nodeOf.get(track.sourceNode) ?? -1;
      const targets = instances.filter(({ sourceNode, part }) => {
        return sourceNode === node && meshes[parts[part].mesh].morphNames.length === track.targetCount;
      });
      if (targets.length === 0) lost++;
      return targets.map((target) => ({ ...track, sourceNode: target.node }));
    });
    lost += clip.tracks.length - tracks.length;
    if (tracks.length + remappedMorphs.length + (humanoid?.tracks.length ?? 0) > 0) {
      return [{ ...animation, clip: { ...clip, tracks }, sourceNodes: nodes, morphs: remappedMorphs }];
    }
    const message = `The clip ${JSON.stringify(name)} animates only nodes and morph targets that are not written; it was dropped`;
    issues.push(issue('CLIP_EMPTY', message));
    return [];
  });
  if (lost > 0) {
    const message = `${lost} tracks animate nodes or morph targets that are not written; these tracks were dropped`;
    issues.push(issue('CHANNELS_DROPPED', message));
  }
  return written;
}
