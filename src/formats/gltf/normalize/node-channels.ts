/** The animation channels that animate nodes, including those of KHR_animation_pointer. glTF 2.0 section 3.11. */
import type { GltfDocument } from '../document/document.ts';
import {
  arrayAt,
  indexAt,
  integerAt,
  type JsonObject,
  memberAt,
  objectAt,
  objectsAt,
} from '../document/json-access.ts';
import { KHR_ANIMATION_POINTER, type NodePath, pointedNode } from '../extensions/khr-animation-pointer.ts';

export interface NodeChannel {
  readonly node: number;
  readonly path: NodePath;
  readonly sampler: number;
  readonly json: JsonObject;
  readonly target: JsonObject;
  /** Whether KHR_animation_pointer names the node instead of `target.node`. */
  readonly isPointer: boolean;
}

export interface NodeAnimation {
  readonly json: JsonObject;
  readonly pointer: string;
  /** Channels in file order; others are left out. */
  readonly channels: readonly NodeChannel[];
}

const PATHS: readonly string[] = ['translation', 'rotation', 'scale', 'weights'];

/** Lists all animations. Channels without a node, and those of other paths, are left out. Throws FormatError GLTF_SCHEMA, GLTF_REFERENCE. */
export function nodeAnimations({ json: root }: GltfDocument): NodeAnimation[] {
  const nodeCount = arrayAt(root, 'nodes', '').length;
  return Array.from(objectsAt(root, 'animations', ''), ({ json: animation, pointer }) => {
    const channels = [...objectsAt(animation, 'channels', pointer)].flatMap(
      ({ json, pointer: where }): NodeChannel[] => {
        const sampler = integerAt(json, 'sampler', where);
        const target = objectAt(json, 'target', where);
        if (sampler === undefined || target === undefined) return [];
        const named = pointedNode(target, nodeCount);
        if (named !== null) return [{ ...named, sampler, json, target, isPointer: true }];
        const node = indexAt(target, 'node', `${where}/target`, root, 'nodes');
        const path = memberAt(target, 'path');
        if (node === undefined || typeof path !== 'string' || !PATHS.includes(path)) return [];
        return [{ node, path: path as NodePath, sampler, json, target, isPointer: false }];
      },
    );
    return { json: animation, pointer, channels };
  });
}

export function setChannelNode({ target, path, isPointer }: NodeChannel, node: number): void {
  if (!isPointer) {
    target['node'] = node;
    return;
  }
  const extension = (target['extensions'] as JsonObject)[KHR_ANIMATION_POINTER] as JsonObject;
  extension['pointer'] = `/nodes/${node}/${path}`;
}
