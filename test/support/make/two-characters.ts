/** Files with several skeletons. */
import type { CharacterOptions } from '../../../src/demo/characters/character.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { characterDocument } from '../../../src/demo/files/glb.ts';
import { parseGltf } from '../../../src/formats/gltf/document/document.ts';
import { glbOf } from './glb.ts';

type Json = Record<string, unknown>;

/**
 * Returns the text of a .gltf with the node trees of several characters, without meshes, and of `extra` trees: node lists whose child
 * indices start at their own first node.
 */
export function gltfWithCharacters(
  bodies: readonly CharacterOptions[],
  extra: readonly (readonly Json[])[] = [],
): string {
  const trees = [
    ...bodies.map((body) => characterDocument(makeCharacter({ ...body, skin: false })).json['nodes'] as Json[]),
    ...extra,
  ];
  const nodes: Json[] = [];
  const roots: number[] = [];
  for (const tree of trees) {
    const start = nodes.length;
    roots.push(start);
    for (const node of tree) {
      const children = node['children'] as number[] | undefined;
      nodes.push(children === undefined ? node : { ...node, children: children.map((child) => child + start) });
    }
  }
  return JSON.stringify({ asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: roots }], nodes });
}

/** A non-humanoid node tree. */
export const PROP: readonly Json[] = [
  { name: 'Lamp', children: [1, 2] },
  { name: 'Shade', children: [3] },
  { name: 'Foot' },
  { name: 'Bulb' },
];

/**
 * Joins GLBs of one character and one clip each: a file with a skeleton for each, all animated by one clip.
 *
 * @param above Node above the character of each file.
 */
export function joinGlbs(files: readonly Uint8Array[], above: readonly Json[]): Uint8Array {
  const out = { nodes: [] as Json[], accessors: [] as Json[], bufferViews: [] as Json[] };
  const roots: number[] = [];
  const channels: Json[] = [];
  const samplers: Json[] = [];
  const bins: Uint8Array[] = [];
  let bytes = 0;
  for (const [k, file] of files.entries()) {
    const { json, bin } = parseGltf(file);
    const list = (name: string): Json[] => (json[name] ?? []) as Json[];
    const [node, accessor, view, sampler] = [
      out.nodes.length,
      out.accessors.length,
      out.bufferViews.length,
      samplers.length,
    ];
    out.nodes.push(
      ...list('nodes').map(({ skin: _, mesh: __, children, ...own }) => ({
        ...own,
        ...(children === undefined ? {} : { children: (children as number[]).map((child) => child + node) }),
      })),
    );
    const tops = ((json['scenes'] as Json[])[0]['nodes'] as number[]).map((top) => top + node);
    roots.push(out.nodes.push({ ...above[k], children: tops }) - 1);
    out.accessors.push(
      ...list('accessors').map((one) => ({ ...one, bufferView: (one['bufferView'] as number) + view })),
    );
    out.bufferViews.push(
      ...list('bufferViews').map((one) => ({
        ...one,
        buffer: 0,
        byteOffset: ((one['byteOffset'] as number) ?? 0) + bytes,
      })),
    );
    const [animation] = list('animations') as { channels: Json[]; samplers: Json[] }[];
    samplers.push(
      ...animation.samplers.map((one) => ({
        ...one,
        input: (one['input'] as number) + accessor,
        output: (one['output'] as number) + accessor,
      })),
    );
    channels.push(
      ...animation.channels.map((one) => {
        const target = one['target'] as { node: number };
        return { sampler: (one['sampler'] as number) + sampler, target: { ...target, node: target.node + node } };
      }),
    );
    bins.push(bin ?? new Uint8Array());
    bytes += bin?.length ?? 0;
  }
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: roots }],
    ...out,
    buffers: [{ byteLength: bytes }],
    animations: [{ name: 'take', channels, samplers }],
  };
  return glbOf(json, new Uint8Array(Buffer.concat(bins)));
}
