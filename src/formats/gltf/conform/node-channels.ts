/** The channels of a file that animate nodes, those of KHR_animation_pointer too. glTF 2.0 section 3.11. */
import type { GltfDocument } from '../document.ts';
import { arrayAt, indexAt, integerAt, isObject, type JsonObject, memberAt, objectAt, objectItem } from '../schema.ts';

export type NodePath = 'translation' | 'rotation' | 'scale' | 'weights';

/** A channel and the node that it animates. */
export interface NodeChannel {
  readonly node: number;
  readonly path: NodePath;
  /** Sampler of its animation. */
  readonly sampler: number;
  readonly json: JsonObject;
  readonly target: JsonObject;
  /** Whether the node is named by a JSON pointer, and not by `target.node`. */
  readonly isPointer: boolean;
}

/** An animation and its channels that animate nodes. */
export interface NodeAnimation {
  readonly json: JsonObject;
  readonly pointer: string;
  readonly channels: readonly NodeChannel[];
}

const PATHS: readonly string[] = ['translation', 'rotation', 'scale', 'weights'];
const POINTER = /^\/nodes\/(\d+)\/(translation|rotation|scale|weights)$/;

/** All animations. Channels without a node, and those of other paths, are left out. FormatError GLTF_SCHEMA, GLTF_REFERENCE. */
export function nodeAnimations({ json: root }: GltfDocument): NodeAnimation[] {
  const nodeCount = arrayAt(root, 'nodes', '').length;
  const animations = arrayAt(root, 'animations', '');
  return animations.map((_, index) => {
    const pointer = `/animations/${index}`;
    const animation = objectItem(animations, index, '/animations');
    const list = arrayAt(animation, 'channels', pointer);
    const channels = list.flatMap((_channel, k): NodeChannel[] => {
      const where = `${pointer}/channels/${k}`;
      const json = objectItem(list, k, `${pointer}/channels`);
      const sampler = integerAt(json, 'sampler', where);
      const target = objectAt(json, 'target', where);
      if (sampler === undefined || target === undefined) return [];
      const named = pointedNode(target, nodeCount);
      if (named !== null) return [{ ...named, sampler, json, target, isPointer: true }];
      const node = indexAt(target, 'node', `${where}/target`, root, 'nodes');
      const path = memberAt(target, 'path');
      if (node === undefined || typeof path !== 'string' || !PATHS.includes(path)) return [];
      return [{ node, path: path as NodePath, sampler, json, target, isPointer: false }];
    });
    return { json: animation, pointer, channels };
  });
}

function pointedNode(target: JsonObject, nodeCount: number): { node: number; path: NodePath } | null {
  const extensions = memberAt(target, 'extensions');
  const extension = isObject(extensions) ? memberAt(extensions, 'KHR_animation_pointer') : undefined;
  const text = isObject(extension) ? memberAt(extension, 'pointer') : undefined;
  const match = typeof text === 'string' ? POINTER.exec(text) : null;
  if (match === null || !(Number(match[1]) < nodeCount)) return null;
  return { node: Number(match[1]), path: match[2] as NodePath };
}

/** Gives a channel another node. */
export function retarget({ target, path, isPointer }: NodeChannel, node: number): void {
  if (!isPointer) {
    target['node'] = node;
    return;
  }
  const extension = (target['extensions'] as JsonObject)['KHR_animation_pointer'] as JsonObject;
  extension['pointer'] = `/nodes/${node}/${path}`;
}
