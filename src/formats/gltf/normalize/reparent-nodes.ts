/** Reparents nodes and replaces their animation tracks, so that their world transforms do not change. */
import { PATH_WIDTH, type Track } from '../../../core/animation/clip.ts';
import { appendAccessors } from '../accessors/append-accessor.ts';
import type { GltfDocument } from '../document/document.ts';
import { arrayAt, isObject, type JsonObject, listItem, memberAt, objectItem } from '../document/json-access.ts';
import { encodeKeys } from '../write/encode-keys.ts';
import { writeTransform } from './edit-nodes.ts';
import { nodeAnimations } from './node-channels.ts';

export interface NodeMove {
  readonly node: number;
  readonly parent: number;
  /** Local transform below the new parent, 10 floats. */
  readonly rest: Float64Array;
  /** New tracks per animation of the file; empty where an animation does not affect the node. */
  readonly tracks: readonly (readonly Track[])[];
}

function detachNode({ json }: GltfDocument, node: number): void {
  const without = (owner: JsonObject, key: string): void => {
    const list = memberAt(owner, key);
    if (!Array.isArray(list) || !list.includes(node)) return;
    const rest = list.filter((item) => item !== node);
    if (rest.length > 0) owner[key] = rest;
    else delete owner[key];
  };
  for (const owner of arrayAt(json, 'nodes', '')) if (isObject(owner)) without(owner, 'children');
  for (const owner of arrayAt(json, 'scenes', '')) if (isObject(owner)) without(owner, 'nodes');
}

/** Replaces the channels of a node in an animation. Samplers without other users are reused. */
function replaceChannels(doc: GltfDocument, animation: number, node: number, tracks: readonly Track[]): void {
  const { json, pointer, channels } = nodeAnimations(doc)[animation];
  const gone = new Set(
    channels.filter((channel) => channel.node === node && channel.path !== 'weights').map((channel) => channel.json),
  );
  const list = arrayAt(json, 'channels', pointer).filter((channel) => !gone.has(channel as JsonObject));
  const used = new Set(list.map((channel) => (isObject(channel) ? channel['sampler'] : undefined)));
  const samplers = arrayAt(json, 'samplers', pointer).slice();
  const free = [...new Set([...gone].map((channel) => channel['sampler'] as number))].filter((k) => !used.has(k));
  for (const { path, ...keys } of tracks) {
    const stored = encodeKeys(keys, PATH_WIDTH[path], path === 'rotation');
    const [input] = appendAccessors(doc, [{ array: stored.times, type: 'SCALAR', minMax: true }]);
    const [output] = appendAccessors(doc, [{ array: stored.values, type: path === 'rotation' ? 'VEC4' : 'VEC3' }]);
    const sampler = { input, interpolation: stored.interpolation, output };
    const index = free.shift() ?? samplers.length;
    samplers[index] = sampler;
    list.push({ sampler: index, target: { node, path } });
  }
  json['channels'] = list;
  json['samplers'] = samplers;
}

/** Reparents nodes. Throws RangeError for tracks that cannot be stored. */
export function reparentNodes(doc: GltfDocument, moves: readonly NodeMove[]): void {
  for (const { node, parent, rest, tracks } of moves) {
    detachNode(doc, node);
    const above = listItem(doc.json, 'nodes', parent);
    above['children'] = [...arrayAt(above, 'children', `/nodes/${parent}`), node];
    writeTransform(objectItem(arrayAt(doc.json, 'nodes', ''), node, '/nodes'), rest);
    tracks.forEach((list, animation) => {
      if (list.length > 0) replaceChannels(doc, animation, node, list);
    });
  }
}
