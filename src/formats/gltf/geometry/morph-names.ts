/** Morph targets of meshes as plain JSON: how many there are, and how they are called. */
import { arrayAt, isObject, type JsonObject, memberAt } from '../schema.ts';

function firstPrimitive(mesh: JsonObject): JsonObject | null {
  const list = memberAt(mesh, 'primitives');
  return Array.isArray(list) && isObject(list[0]) ? list[0] : null;
}

/** Morph targets of a mesh: those of its first primitive, as all have the same number. FormatError GLTF_SCHEMA. */
export function morphTargetCount(mesh: JsonObject, pointer: string): number {
  const primitive = firstPrimitive(mesh);
  return primitive === null ? 0 : arrayAt(primitive, 'targets', `${pointer}/primitives/0`).length;
}

/**
 * Names of the morph targets of a mesh, '' where one has none; null where none has. They are by convention: `targetNames` in the extras
 * of the mesh (implementation note in glTF 2.0, 3.7.2.2) or of its first primitive, else `name` in the extras of each target.
 */
export function morphTargetNames(mesh: JsonObject, targetCount: number): readonly string[] | null {
  const primitive = firstPrimitive(mesh);
  const lists = [mesh, primitive].map((owner) => extraOf(owner, 'targetNames'));
  const targets = primitive === null ? undefined : memberAt(primitive, 'targets');
  lists.push(Array.isArray(targets) ? targets.map((target) => extraOf(target, 'name')) : undefined);
  for (const list of lists) {
    if (!Array.isArray(list)) continue;
    const names = Array.from({ length: targetCount }, (_, i) => (typeof list[i] === 'string' ? list[i] : ''));
    if (names.some((name) => name !== '')) return names;
  }
  return null;
}

function extraOf(owner: unknown, key: string): unknown {
  const extras = isObject(owner) ? memberAt(owner, 'extras') : undefined;
  return isObject(extras) ? memberAt(extras, key) : undefined;
}
