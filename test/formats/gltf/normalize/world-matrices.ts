/** World matrices of the nodes of a document, computed by three.js: at a key of an animation, or at rest. */
import { Matrix4, Quaternion, Vector3 } from 'three';
import { readFloats } from '../../../../src/formats/gltf/accessors/accessor.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import type { GltfDocument } from '../../../../src/formats/gltf/index.ts';

export type Matrix = readonly number[];

/** The value of a sampler, linear or stepped, at one of its keys. */
function keyOf(doc: GltfDocument, sampler: JsonObject, key: number, width: number): number[] {
  const values = readFloats(doc, sampler['output'] as number);
  const count = readFloats(doc, sampler['input'] as number).length;
  const at = width * Math.min(key, count - 1);
  return Array.from(values.subarray(at, at + width));
}

/** World matrices by node at key `key` of animation `animation`; at rest without. */
export function worldMatricesOf(doc: GltfDocument, animation = -1, key = 0): Map<number, Matrix> {
  const nodes = structuredClone(doc.json['nodes']) as JsonObject[];
  if (animation >= 0) {
    const { channels, samplers } = (doc.json['animations'] as { channels: JsonObject[]; samplers: JsonObject[] }[])[
      animation
    ];
    for (const { sampler, target } of channels as unknown as {
      sampler: number;
      target: { node: number; path: string };
    }[]) {
      if (target.node === undefined || target.path === 'weights') continue;
      nodes[target.node][target.path] = keyOf(doc, samplers[sampler], key, target.path === 'rotation' ? 4 : 3);
    }
  }
  const found = new Map<number, Matrix>();
  const below = new Set(nodes.flatMap(({ children }) => (children ?? []) as number[]));
  const visit = (index: number, parent: Matrix4): void => {
    const { matrix, translation, rotation, scale, children } = nodes[index] as Record<string, number[] | undefined>;
    const local = new Matrix4();
    if (matrix !== undefined) local.fromArray(matrix);
    else {
      const turn = new Quaternion(...((rotation ?? [0, 0, 0, 1]) as [number, number, number, number])).normalize();
      local.compose(new Vector3(...(translation ?? [])), turn, new Vector3(...(scale ?? [1, 1, 1])));
    }
    const world = parent.clone().multiply(local);
    found.set(index, world.toArray());
    for (const child of children ?? []) visit(child, world);
  };
  nodes.forEach((_, index) => {
    if (!below.has(index)) visit(index, new Matrix4());
  });
  return found;
}
