/** Nodes of a new document. glTF 2.0 section 3.5. */
import { FLOAT32_MAX } from '../../core/math/floats.ts';
import { FormatError } from '../../core/report/format-error.ts';
import { POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import type { JsonObject } from './schema.ts';

/** A forest of nodes; node i of the file is node i of it. Parents may come behind their children. */
export interface NewNodes {
  /** Left out of the file when empty. */
  readonly names: readonly string[];
  /** −1 for a root. */
  readonly parents: ArrayLike<number>;
  /** Local: `POSE_STRIDE` floats a node. */
  readonly rest: ArrayLike<number>;
}

/**
 * The nodes as JSON, with their children, and the roots. FormatError GLTF_SCHEMA for a rest pose that float32, which players compute in,
 * cannot hold: broken files have sizes that multiply.
 */
export function writeNodes({ names, parents, rest }: NewNodes): { readonly nodes: JsonObject[]; roots: number[] } {
  const nodes = names.map(
    (name, node): JsonObject => ({ ...(name === '' ? {} : { name }), ...transformOf(rest, node) }),
  );
  const roots: number[] = [];
  const children: number[][] = nodes.map(() => []);
  for (let node = 0; node < nodes.length; node++) {
    const parent = parents[node];
    (parent < 0 ? roots : children[parent]).push(node);
  }
  children.forEach((list, node) => {
    if (list.length > 0) nodes[node]['children'] = list;
  });
  return { nodes, roots };
}

/** The members of a node that are not what glTF takes where they are missing. */
function transformOf(rest: ArrayLike<number>, node: number): JsonObject {
  const at = node * POSE_STRIDE;
  const numbers = Array.from({ length: POSE_STRIDE }, (_, c) => rest[at + c]);
  const wrong = numbers.find((value) => !(Math.abs(value) <= FLOAT32_MAX));
  if (wrong !== undefined) {
    const message = `A node rests at ${wrong}, which is more than a float32 can hold; the sizes in the file it comes from make no sense`;
    throw new FormatError('GLTF_SCHEMA', message, { pointer: `/nodes/${node}` });
  }
  const translation = numbers.slice(0, 3);
  const rotation = numbers.slice(3, 7);
  const scale = numbers.slice(7);
  return {
    ...(translation.some((value) => value !== 0) ? { translation } : {}),
    ...(rotation.some((value, c) => value !== (c === 3 ? 1 : 0)) ? { rotation } : {}),
    ...(scale.some((value) => value !== 1) ? { scale } : {}),
  };
}
