/** Animations of a file brought to the nodes of a new document. */
import type { MorphTrack } from '../../core/asset/asset.ts';
import type { Geometry } from '../../core/asset/geometry.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import type { PlacedMeshes } from './geometry/place-meshes.ts';
import type { NewAnimation } from './write-clips.ts';

/** Nodes of a geometry by the number that the file has for them. */
export function nodesBySource({ sourceNodes }: Pick<Geometry, 'sourceNodes'>): ReadonlyMap<number, number> {
  return new Map(Array.from(sourceNodes, (source, node) => [source, node]));
}

/** The nodes of a geometry that an animation translates, rotates or scales. */
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
 * The animations on the nodes of the document. Morph weights go to every node that got the mesh of theirs. Tracks of nodes that the
 * geometry does not have and of meshes that have not as many morph targets are left out (issue CHANNELS_DROPPED), and
 * animations of which nothing is left (CLIP_EMPTY).
 */
export function placeAnimations(
  animations: readonly NewAnimation[],
  nodeOf: ReadonlyMap<number, number>,
  { meshes }: Geometry,
  { parts, placed }: PlacedMeshes,
  issues: Issue[],
): NewAnimation[] {
  let lost = 0;
  const written = animations.flatMap(({ name, clip, sourceNodes, morphs = [], humanoid }): NewAnimation[] => {
    const nodes = Int32Array.from(sourceNodes, (source) => nodeOf.get(source) ?? -1);
    const tracks = clip.tracks.filter(({ target }) => nodes[target] >= 0);
    const placedMorphs = morphs.flatMap((track): MorphTrack[] => {
      const node = nodeOf.get(track.sourceNode) ?? -1;
      const shows = placed.filter(({ shownBy, part }) => {
        return shownBy === node && meshes[parts[part].mesh].morphNames.length === track.targetCount;
      });
      if (shows.length === 0) lost++;
      return shows.map((show) => ({ ...track, sourceNode: show.node }));
    });
    lost += clip.tracks.length - tracks.length;
    if (tracks.length + placedMorphs.length + (humanoid?.tracks.length ?? 0) > 0) {
      const placed = { name, clip: { ...clip, tracks }, sourceNodes: nodes, morphs: placedMorphs };
      return [humanoid === undefined ? placed : { ...placed, humanoid }];
    }
    const message = `The clip ${JSON.stringify(name)} moves nothing that is written; it was left out`;
    issues.push(issue('CLIP_EMPTY', message));
    return [];
  });
  if (lost > 0) {
    const message = `${lost} tracks are not carried over: they are of nodes or morph targets that are not written`;
    issues.push(issue('CHANNELS_DROPPED', message));
  }
  return written;
}
