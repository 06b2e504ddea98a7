import type { Document, Node } from '@gltf-transform/core';
import type { Clip } from '../../core/animation/clip.ts';
import type { ContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import { findSceneHumanoid, type SceneHumanoid, type SceneHumanoidOptions } from '../scene/find-scene-humanoid.ts';
import { lazySurface } from '../scene/scene-surface.ts';
import { definedHumanoids, readDocument } from './read-document.ts';
import { readMeshes } from './read-meshes.ts';

interface DocumentHumanoid extends SceneHumanoid<Node> {
  /** Describes what of its meshes can touch the ground and itself, at the first call. */
  readonly describeSurface: () => ContactSurface;
}

/** User-supplied facts about a character. Everything that is omitted is detected. */
export type DocumentHumanoidOptions = SceneHumanoidOptions<Node>;

/**
 * Finds the humanoid of a document: the one that it defines with EXT_skeleton_humanoid, else the one that is detected. The unit is the meter. When
 * the document defines several, the option `skeleton` is the index of one. `motion`: a clip of the character on nodes of the document's graph, or
 * null. Throws RangeError when the document has no humanoid, or several and none is selected.
 */
export function findDocumentHumanoid(
  document: Document,
  options: DocumentHumanoidOptions,
  motion: Clip | null,
): DocumentHumanoid {
  const graph = readDocument(document);
  const defined = options.bones === undefined ? definedHumanoids(document, graph) : [];
  const inMeters = { metersPerUnit: 1, ...options };
  const meshesOf = (nodes: readonly Node[]) => readMeshes(graph.nodes, nodes);
  const withSurface = (found: SceneHumanoid<Node>): DocumentHumanoid => {
    return { ...found, describeSurface: lazySurface(found.humanoid, () => meshesOf(found.nodes)) };
  };
  if (defined.length === 0) return withSurface(findSceneHumanoid(graph, inMeters, motion, null, meshesOf));
  const { skeleton, ...others } = inMeters;
  const index = skeleton ?? 0;
  if (typeof index !== 'number' || defined[index] === undefined || (skeleton === undefined && defined.length > 1)) {
    const range = defined.length === 1 ? '0' : `0 to ${defined.length - 1}`;
    const found = skeleton === undefined ? '' : ` and the option skeleton is ${JSON.stringify(skeleton)}`;
    throw new RangeError(
      `The document defines ${defined.length} humanoid skeletons${found}; set the option skeleton to an index: ${range}`,
    );
  }
  return withSurface(findSceneHumanoid(graph, others, motion, defined[index], meshesOf));
}
