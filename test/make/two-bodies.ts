/** Files with several skeletons. */
import { type BodyOptions, makeBody } from '../../src/demo/body.ts';
import { bodyDocument } from '../../src/demo/glb.ts';

type Json = Record<string, unknown>;

/**
 * The text of a .gltf with the node trees of several bodies, without meshes, and of `extra` trees given as node lists
 * whose children count from their own first node.
 */
export function gltfOfBodies(bodies: readonly BodyOptions[], extra: readonly (readonly Json[])[] = []): string {
  const trees = [
    ...bodies.map((body) => bodyDocument(makeBody({ ...body, skin: false })).json['nodes'] as Json[]),
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

/** A tree of nodes that is no humanoid. */
export const PROP: readonly Json[] = [
  { name: 'Lamp', children: [1, 2] },
  { name: 'Shade', children: [3] },
  { name: 'Foot' },
  { name: 'Bulb' },
];
