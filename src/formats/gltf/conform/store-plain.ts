/** Compressed meshes as plain ones. */
import { floatsOf } from '../accessor.ts';
import { type AccessorPool, ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, poolAccessor } from '../accessor-pool.ts';
import type { DracoPrimitive } from '../decode-draco.ts';
import type { GltfDocument } from '../document.ts';
import { DRACO_EXTENSION } from '../draco.ts';
import { arrayAt, isObject, type JsonObject, objectAt } from '../schema.ts';
import { dropExtension } from '../used-extensions.ts';

/** Puts everything that a compressed mesh holds into accessors of its own, as one attribute of it is to be another. */
export function storePlain(
  doc: GltfDocument,
  pool: AccessorPool,
  primitive: JsonObject,
  attributes: JsonObject,
  draco: DracoPrimitive,
): void {
  for (const [name, data] of draco.attributes) {
    const { array, type, width, normalized } = data;
    // Elements start at multiples of 4 bytes (section 3.6.2.4); what would not is stored as floats.
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
  const isLast = !arrayAt(doc.json, 'meshes', '').some((mesh) => {
    return isObject(mesh) && JSON.stringify(mesh).includes(`"${DRACO_EXTENSION}"`);
  });
  if (isLast) dropExtension(doc.json, DRACO_EXTENSION);
}
