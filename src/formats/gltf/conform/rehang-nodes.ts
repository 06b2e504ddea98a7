/** Nodes hung below others, with tracks that keep them where they were. */
import { PATH_WIDTH, type Track } from '../../../core/animation/clip.ts';
import { appendAccessors } from '../append.ts';
import type { GltfDocument } from '../document.ts';
import { arrayAt, isObject, type JsonObject, listItem, memberAt, objectItem } from '../schema.ts';
import { storeKeys } from '../store-keys.ts';
import { writeTransform } from './edit-nodes.ts';
import { nodeAnimations } from './node-channels.ts';

/** A node and where it is to hang; nodes of the file. */
export interface NodeMove {
  readonly node: number;
  readonly parent: number;
  /** Local transform there. */
  readonly rest: Float64Array;
  /** Tracks for every animation of the file, in its order; none where it leaves the node alone. */
  readonly tracks: readonly (readonly Track[])[];
}

/** Takes a node out of the children and the scenes that have it. */
function takeOut({ json }: GltfDocument, node: number): void {
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

/** Replaces the channels of a node in an animation; samplers that nobody else uses are used again. */
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
    const stored = storeKeys(keys, PATH_WIDTH[path], path === 'rotation');
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

/** Hangs nodes elsewhere. RangeError for tracks that cannot be stored. */
export function rehangNodes(doc: GltfDocument, moves: readonly NodeMove[]): void {
  for (const { node, parent, rest, tracks } of moves) {
    takeOut(doc, node);
    const above = listItem(doc.json, 'nodes', parent);
    above['children'] = [...arrayAt(above, 'children', `/nodes/${parent}`), node];
    writeTransform(objectItem(arrayAt(doc.json, 'nodes', ''), node, '/nodes'), rest);
    tracks.forEach((list, animation) => {
      if (list.length > 0) replaceChannels(doc, animation, node, list);
    });
  }
}
