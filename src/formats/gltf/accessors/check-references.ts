/** Checks references that appended data would give a wrong meaning. */
import { checkIndex, type GltfList, isObject, type JsonObject, memberAt } from '../document/json-access.ts';

/** The items of a list that are objects, with their indices; empty for anything but a list. */
function itemsOf(object: JsonObject, key: string): [number, JsonObject][] {
  const list = memberAt(object, key);
  if (!Array.isArray(list)) return [];
  return [...list.entries()].filter((entry): entry is [number, JsonObject] => isObject(entry[1]));
}

/** Checks a member that should be an index; readers report anything but numbers. */
function checkMember(json: JsonObject, list: GltfList, index: unknown, pointer: string): void {
  if (typeof index === 'number') checkIndex(index, json, list, pointer);
}

/**
 * Checks that meshes refer to existing accessors, and accessors and images to existing buffer views: an index past the end would refer to what is
 * appended next.
 *
 * @throws FormatError GLTF_REFERENCE for an index past the end.
 */
export function checkReferences(json: JsonObject): void {
  for (const [m, mesh] of itemsOf(json, 'meshes')) {
    for (const [p, primitive] of itemsOf(mesh, 'primitives')) {
      const at = `/meshes/${m}/primitives/${p}`;
      checkMember(json, 'accessors', memberAt(primitive, 'indices'), `${at}/indices`);
      const attributes = memberAt(primitive, 'attributes');
      const sets = itemsOf(primitive, 'targets').map(([t, set]): [string, JsonObject] => [`${at}/targets/${t}`, set]);
      if (isObject(attributes)) sets.push([`${at}/attributes`, attributes]);
      for (const [pointer, set] of sets) {
        for (const [name, index] of Object.entries(set)) checkMember(json, 'accessors', index, `${pointer}/${name}`);
      }
    }
  }
  for (const list of ['accessors', 'images'] as const) {
    for (const [k, item] of itemsOf(json, list))
      checkMember(json, 'bufferViews', memberAt(item, 'bufferView'), `/${list}/${k}/bufferView`);
  }
}
