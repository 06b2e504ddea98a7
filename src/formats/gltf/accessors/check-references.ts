/** Checks references that appended data would give a wrong meaning. */
import { FormatError } from '../../../core/report/format-error.ts';
import { isObject, type JsonObject, memberAt } from '../document/json-access.ts';

/** The items of a list that are objects, with their indices; empty for anything but a list. */
function itemsOf(object: JsonObject, key: string): [number, JsonObject][] {
  const list = memberAt(object, key);
  if (!Array.isArray(list)) return [];
  return [...list.entries()].filter((entry): entry is [number, JsonObject] => isObject(entry[1]));
}

function checkIndex(json: JsonObject, list: string, index: unknown, pointer: string): void {
  const items = memberAt(json, list);
  const length = Array.isArray(items) ? items.length : 0;
  if (typeof index !== 'number' || index < length) return;
  const message = `${pointer} is ${index}, but the file has only ${length} ${list}; data cannot be appended to a damaged file. Export it again`;
  throw new FormatError('GLTF_REFERENCE', message, { pointer });
}

/**
 * Checks that meshes refer to existing accessors, and accessors and images to existing buffer views: an index past the end would refer to what is
 * appended next.
 *
 * @param json JSON of a glTF file.
 * @throws FormatError GLTF_REFERENCE for an index past the end.
 */
export function checkReferences(json: JsonObject): void {
  for (const [m, mesh] of itemsOf(json, 'meshes')) {
    for (const [p, primitive] of itemsOf(mesh, 'primitives')) {
      const at = `/meshes/${m}/primitives/${p}`;
      checkIndex(json, 'accessors', memberAt(primitive, 'indices'), `${at}/indices`);
      const attributes = memberAt(primitive, 'attributes');
      const sets = itemsOf(primitive, 'targets').map(([t, set]): [string, JsonObject] => [`${at}/targets/${t}`, set]);
      if (isObject(attributes)) sets.push([`${at}/attributes`, attributes]);
      for (const [pointer, set] of sets) {
        for (const [name, index] of Object.entries(set)) checkIndex(json, 'accessors', index, `${pointer}/${name}`);
      }
    }
  }
  for (const list of ['accessors', 'images'] as const) {
    for (const [k, item] of itemsOf(json, list))
      checkIndex(json, 'bufferViews', memberAt(item, 'bufferView'), `/${list}/${k}/bufferView`);
  }
}
