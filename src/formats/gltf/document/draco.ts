/** KHR_draco_mesh_compression: compressed meshes are decoded for reading and written back unchanged. */
import type { DracoDecoder } from './decoders.ts';
import type { GltfDocument } from './document.ts';
import { isObject, type JsonObject, memberAt } from './json-access.ts';
import { extensionOf, listOf } from './loose-json.ts';

export const DRACO_EXTENSION = 'KHR_draco_mesh_compression';

/**
 * Attaches a Draco decoder. Compressed meshes are then decoded when geometry is read.
 *
 * @param doc Document.
 * @param decoder Decoder.
 */
export function attachDracoDecoder(doc: GltfDocument, decoder: DracoDecoder): void {
  doc.cache.dracoDecoder = decoder;
}

/**
 * Tests whether any mesh is compressed, so that reading geometry needs a decoder. Never throws. Returns true if at least one primitive uses the
 * extension.
 */
export function hasDracoMeshes({ json }: GltfDocument): boolean {
  return dracoPrimitives(json).next().done === false;
}

/** Tests whether the data of an accessor without a buffer view is inside a compressed mesh. Never throws. */
export function isInDracoMesh(doc: GltfDocument, accessor: number): boolean {
  doc.cache.draco ??= dracoAccessors(doc);
  return doc.cache.draco.has(accessor);
}

function dracoAccessors({ json }: GltfDocument): ReadonlySet<number> {
  const found = new Set<number>();
  const add = (index: unknown): void => {
    if (typeof index === 'number') found.add(index);
  };
  for (const { primitive, extension } of dracoPrimitives(json)) {
    add(memberAt(primitive, 'indices'));
    const attributes = memberAt(primitive, 'attributes');
    const inside = memberAt(extension, 'attributes');
    if (!isObject(attributes) || !isObject(inside)) continue;
    for (const name of Object.keys(inside)) add(memberAt(attributes, name));
  }
  return found;
}

function* dracoPrimitives(json: JsonObject): Generator<{ primitive: JsonObject; extension: JsonObject }> {
  for (const mesh of listOf(json, 'meshes')) {
    for (const primitive of listOf(mesh, 'primitives')) {
      const extension = extensionOf(primitive, DRACO_EXTENSION);
      if (isObject(primitive) && isObject(extension)) yield { primitive, extension };
    }
  }
}
