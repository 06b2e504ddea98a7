/** Number and names of the morph targets of a mesh, from plain JSON. */
import { arrayAt, isObject, type JsonObject } from '../document/json-access.ts';
import { listOf, memberOf } from '../document/loose-json.ts';

function firstPrimitive(mesh: JsonObject): JsonObject | null {
  const [first] = listOf(mesh, 'primitives');
  return isObject(first) ? first : null;
}

/** Counts the morph targets of a mesh: those of its first primitive, as all primitives have the same number. Throws FormatError GLTF_SCHEMA. */
export function morphTargetCount(mesh: JsonObject, pointer: string): number {
  const primitive = firstPrimitive(mesh);
  return primitive === null ? 0 : arrayAt(primitive, 'targets', `${pointer}/primitives/0`).length;
}

/**
 * Reads the names of the morph targets of a mesh. Names are a convention: `targetNames` in the extras of the mesh (implementation note in glTF 2.0,
 * 3.7.2.2) or of its first primitive, else `name` in the extras of each target. Returns a name per target, empty where one has none; null where no
 * target has a name.
 */
export function morphTargetNames(mesh: JsonObject, targetCount: number): readonly string[] | null {
  const primitive = firstPrimitive(mesh);
  const lists = [mesh, primitive].map((owner) => listOf(owner, 'extras', 'targetNames'));
  lists.push(listOf(primitive, 'targets').map((target) => memberOf(target, 'extras', 'name')));
  for (const list of lists) {
    const names = Array.from({ length: targetCount }, (_, i) => (typeof list[i] === 'string' ? list[i] : ''));
    if (names.some((name) => name !== '')) return names;
  }
  return null;
}
