/** Channels of KHR_animation_pointer that animate nodes as plain channels do. */
import { isObject, type JsonObject, memberAt } from '../document/json-access.ts';

/** Name of the extension. */
export const KHR_ANIMATION_POINTER = 'KHR_animation_pointer';

/** Animated property of a node. */
export type NodePath = 'translation' | 'rotation' | 'scale' | 'weights';

const POINTER = /^\/nodes\/(0|[1-9]\d*)\/(translation|rotation|scale|weights)$/;

/** Checks whether a channel uses the extension. */
export function hasPointer(target: JsonObject): boolean {
  const extensions = memberAt(target, 'extensions');
  return isObject(extensions) && Object.hasOwn(extensions, KHR_ANIMATION_POINTER);
}

/**
 * Returns the node and property that a channel of the extension animates.
 *
 * @returns Index of the node and path; null for other channels, other pointers and missing nodes.
 */
export function pointedNode(target: JsonObject, nodeCount: number): { node: number; path: NodePath } | null {
  const extensions = memberAt(target, 'extensions');
  const extension = isObject(extensions) ? memberAt(extensions, KHR_ANIMATION_POINTER) : undefined;
  const text = isObject(extension) ? memberAt(extension, 'pointer') : undefined;
  const match = typeof text === 'string' ? POINTER.exec(text) : null;
  if (match === null || !(Number(match[1]) < nodeCount)) return null;
  return { node: Number(match[1]), path: match[2] as NodePath };
}
