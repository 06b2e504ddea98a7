/** Writes the nodes of a new document. glTF 2.0 section 3.5. */
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { JsonObject } from '../document/json-access.ts';

/** A forest of nodes. Node i becomes node i of the file. Parents may follow their children. */
interface NewNodes {
  /** Names; an empty name is not written. */
  readonly names: readonly string[];
  /** Parent of each node; −1 for a root. */
  readonly parents: ArrayLike<number>;
  /** Local rest pose, {@link POSE_STRIDE} floats per node. */
  readonly rest: ArrayLike<number>;
}

/** Builds the JSON of nodes. Throws FormatError GLTF_SCHEMA for a rest pose beyond the range of float32, in which players compute. */
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

/** The transform properties of a node that differ from the defaults of glTF. */
function transformOf(rest: ArrayLike<number>, node: number): JsonObject {
  const at = node * POSE_STRIDE;
  const numbers = Array.from({ length: POSE_STRIDE }, (_, c) => rest[at + c]);
  const wrong = numbers.find((value) => !(Math.abs(value) <= FLOAT32_MAX));
  if (wrong !== undefined) {
    const message = `The rest pose of node ${node} contains ${wrong}, which is beyond the range of float32; the source file is damaged`;
    throw new FormatError('GLTF_SCHEMA', message, { pointer: `/nodes/${node}` });
  }
  const translation = numbers.slice(0, PATH_OFFSET.rotation);
  // A unit quaternion can be 1 + 2e-16 after rounding, but glTF allows −1…1 only.
  const rotation = numbers
    .slice(PATH_OFFSET.rotation, PATH_OFFSET.scale)
    .map((value) => Math.max(-1, Math.min(1, value)));
  const scale = numbers.slice(PATH_OFFSET.scale);
  return {
    ...(translation.some((value) => value !== 0) ? { translation } : {}),
    ...(rotation.some((value, c) => value !== (c === 3 ? 1 : 0)) ? { rotation } : {}),
    ...(scale.some((value) => value !== 1) ? { scale } : {}),
  };
}
