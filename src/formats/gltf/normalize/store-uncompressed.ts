import { floatsOf } from '../accessors/accessor.ts';
import { type AccessorPool, ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, poolAccessor } from '../accessors/accessor-pool.ts';
import type { DracoPrimitive } from '../accessors/decode-draco.ts';
import type { GltfDocument } from '../document/document.ts';
import { DRACO_EXTENSION } from '../document/draco.ts';
import { dropExtension } from '../document/extensions-used.ts';
import { type JsonObject, objectAt } from '../document/json-access.ts';
import { objectsOf } from '../document/loose-json.ts';

/**
 * Stores all attributes and indices of a Draco-compressed primitive in accessors of its own, because one attribute is about to change. After the last
 * one, {@link dropDraco} removes the extension. Edits the JSON of both. Throws FormatError GLTF_LIMIT.
 */
export function storeUncompressed(
  doc: GltfDocument,
  pool: AccessorPool,
  primitive: JsonObject,
  attributes: JsonObject,
  draco: DracoPrimitive,
): void {
  for (const [name, data] of draco.attributes) {
    const { array, type, width, normalized } = data;
    // Elements must start at multiples of 4 bytes (section 3.6.2.4); other layouts are stored as floats.
    const isStorable = array instanceof Float32Array || array instanceof Uint8Array || array instanceof Uint16Array;
    const isAligned = (width * array.BYTES_PER_ELEMENT) % 4 === 0;
    attributes[name] =
      isStorable && isAligned
        ? poolAccessor(pool, array, { type, normalized, minMax: name === 'POSITION' }, ARRAY_BUFFER)
        : poolAccessor(pool, floatsOf(doc, data, ''), { type, minMax: name === 'POSITION' }, ARRAY_BUFFER);
  }
  const { indices, vertexCount } = draco;
  const small = vertexCount <= 0xffff ? Uint16Array.from(indices) : indices;
  primitive['indices'] = poolAccessor(pool, small, { type: 'SCALAR' }, ELEMENT_ARRAY_BUFFER);
  delete primitive['mode'];
  const extensions = objectAt(primitive, 'extensions', '') as JsonObject;
  delete extensions[DRACO_EXTENSION];
  if (Object.keys(extensions).length === 0) delete primitive['extensions'];
}

export function dropDraco({ json }: GltfDocument): void {
  const isUsed = objectsOf(json, 'meshes').some((mesh) => JSON.stringify(mesh).includes(`"${DRACO_EXTENSION}"`));
  if (!isUsed) dropExtension(json, DRACO_EXTENSION);
}
