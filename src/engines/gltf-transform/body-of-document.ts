/** The humanoid of a document that is meant. */
import type { Document, Node } from '@gltf-transform/core';
import type { Clip } from '../../core/animation/clip.ts';
import { chooseBody, type SceneBody, type BodyOptions as SceneBodyOptions } from '../scene/choose-body.ts';
import { type DocumentGraph, definedHumanoids, readDocument } from './read-document.ts';

/** What the caller says about a character; all is found where nothing is said. */
export type BodyOptions = SceneBodyOptions<Node>;

/** A humanoid of a document, and the document as a graph. */
export interface DocumentBody {
  readonly graph: DocumentGraph;
  readonly body: SceneBody<Node>;
}

/**
 * The humanoid of a document: the one that it defines by EXT_skeleton_humanoid (of several, `skeleton` is the index of one), else the one that
 * is found. A glTF is in meters.
 *
 * @throws RangeError with the reason where there is none, or several.
 */
export function bodyOfDocument(document: Document, options: BodyOptions, motion: Clip | null): DocumentBody {
  const graph = readDocument(document);
  const defined = options.bones === undefined ? definedHumanoids(document, graph) : [];
  const inMeters = { metersPerUnit: 1, ...options };
  if (defined.length === 0) return { graph, body: chooseBody(graph, inMeters, motion, null) };
  const { skeleton, ...others } = inMeters;
  const index = skeleton ?? 0;
  if (typeof index !== 'number' || defined[index] === undefined || (skeleton === undefined && defined.length > 1)) {
    const range = defined.length === 1 ? '0' : `0 to ${defined.length - 1}`;
    throw new RangeError(
      `The document defines ${defined.length} humanoid skeletons; choose one by the option skeleton: ${range}`,
    );
  }
  return { graph, body: chooseBody(graph, others, motion, defined[index]) };
}
