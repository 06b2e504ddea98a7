/** Appends nodes. glTF 2.0 section 3.5. */
import { arrayAt, ensureList, isObject, type JsonObject } from './json-access.ts';

/** Removes the indices of nodes that do not exist from the scenes of a damaged file: a new node would take such an index. */
function removeMissingNodes(json: JsonObject): void {
  const { length } = arrayAt(json, 'nodes', '');
  arrayAt(json, 'scenes', '').forEach((scene, i) => {
    if (!isObject(scene)) return;
    const nodes = arrayAt(scene, 'nodes', `/scenes/${i}`);
    const present = nodes.filter((node) => !(typeof node === 'number' && node >= length));
    if (present.length === nodes.length) return;
    if (present.length > 0) scene['nodes'] = present;
    else delete scene['nodes'];
  });
}

/**
 * Appends a node to a document. It is in no scene and has no parent yet. `json`: JSON of the document; edited. Throws FormatError GLTF_SCHEMA for
 * nodes or scenes of another type than an array.
 */
export function appendNode(json: JsonObject, node: JsonObject): number {
  removeMissingNodes(json);
  return ensureList(json, 'nodes').push(node) - 1;
}
