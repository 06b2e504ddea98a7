/** Files with several skeletons. */
import type { CharacterOptions } from '../../../src/demo/characters/character.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { characterDocument } from '../../../src/demo/files/glb.ts';

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
