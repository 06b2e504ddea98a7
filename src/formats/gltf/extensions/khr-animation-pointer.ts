/** Channels of KHR_animation_pointer that animate nodes as plain channels do. */
import type { JsonObject } from '../document/json-access.ts';
import { objectOf, textOf } from '../document/loose-json.ts';

export const KHR_ANIMATION_POINTER = 'KHR_animation_pointer';

export type NodePath = 'translation' | 'rotation' | 'scale' | 'weights';

const POINTER = /^\/nodes\/(0|[1-9]\d*)\/(translation|rotation|scale|weights)$/;

export function hasPointer(target: JsonObject): boolean {
  return Object.hasOwn(objectOf(target, 'extensions'), KHR_ANIMATION_POINTER);
}

/**
 * Returns the index of the node and the property that a channel of the extension animates; null for other channels, other pointers and missing nodes.
 */
export function pointedNode(target: JsonObject, nodeCount: number): { node: number; path: NodePath } | null {
  const match = POINTER.exec(textOf(target, 'extensions', KHR_ANIMATION_POINTER, 'pointer'));
  if (match === null || !(Number(match[1]) < nodeCount)) return null;
  return { node: Number(match[1]), path: match[2] as NodePath };
}
