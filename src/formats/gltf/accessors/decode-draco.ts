/**
 * Decodes primitives compressed with KHR_draco_mesh_compression. The stream contains only the attributes that the
 * extension lists; the other attributes of the primitive are ordinary accessors.
 */
import { FormatError } from '../../../core/report/format-error.ts';
import { viewBytes } from '../document/buffers.ts';
import { spendBytes } from '../document/decode-budget.ts';
import { compressionError, type DracoDecoder, type DracoMesh, type DracoRequest } from '../document/decoders.ts';
import { bufferId, type GltfDocument } from '../document/document.ts';
import { DRACO_EXTENSION } from '../document/draco.ts';
import { indexAt, integerAt, type JsonObject, listItem, objectAt, required } from '../document/json-access.ts';
import { type AccessorData, type AccessorInfo, accessorInfo } from './accessor.ts';
import { ARRAYS, type ComponentType } from './element-layout.ts';

export interface DracoPrimitive {
  readonly vertexCount: number;
  readonly indices: Uint32Array;
  readonly attributes: ReadonlyMap<string, AccessorData>;
}

/**
 * Decodes a compressed primitive and checks it against its accessors. The result is cached. Returns the decoded primitive; null when it is not
 * compressed, or when no decoder is attached but its accessors also have uncompressed data. Throws FormatError GLTF_COMPRESSION without a decoder
 * and for damaged data; GLTF_SCHEMA, GLTF_REFERENCE, GLTF_LIMIT; errors of `viewBytes`.
 */
export function decodeDraco(doc: GltfDocument, primitive: JsonObject, pointer: string): DracoPrimitive | null {
  const extensions = objectAt(primitive, 'extensions', pointer);
  const where = `${pointer}/extensions/${DRACO_EXTENSION}`;
  const extension = extensions && objectAt(extensions, DRACO_EXTENSION, `${pointer}/extensions`);
  if (extension === undefined) return null;
  const decoder = doc.cache.dracoDecoder;
  if (decoder === null) {
    if (hasPlainData(doc, primitive, extension, pointer)) return null;
    const message = `${pointer} is compressed with ${DRACO_EXTENSION}. Install the package draco3dgltf and call attachDracoDecoder.`;
    throw new FormatError('GLTF_COMPRESSION', message, { pointer: where });
  }
  const mode = integerAt(primitive, 'mode', pointer) ?? 4;
  if (mode !== 4 && mode !== 5)
    throw compressionError(`its mode is ${mode}, expected 4 (triangles) or 5 (triangle strip)`, where);
  const { names, infos, ids } = insideAttributes(doc, primitive, extension, pointer);
  const vertexCount = infos[0].count;
  const other = infos.findIndex(({ count }) => count !== vertexCount);
  if (other >= 0) {
    throw compressionError(
      `${names[0]} has ${vertexCount} vertices, but ${names[other]} has ${infos[other].count}`,
      where,
    );
  }
  const indexAccessor = indexAt(primitive, 'indices', pointer, doc.json, 'accessors');
  const indexCount = indexAccessor === undefined ? null : accessorInfo(doc, indexAccessor).count;
  const view = required(indexAt(extension, 'bufferView', where, doc.json, 'bufferViews'), 'bufferView', where);
  const stream = viewBytes(doc, view);
  const attributes = infos.map(({ componentType, width }, i) => ({ id: ids[i], componentType, width }));
  const vertexBytes = attributes.reduce((sum, { componentType, width }) => sum + width * bytesOf(componentType), 0);
  const bytes = vertexBytes * vertexCount + 4 * (indexCount ?? 6 * vertexCount);
  const key = [bufferId(doc, stream), stream.byteOffset, stream.length, JSON.stringify([attributes, bytes])].join();
  let mesh = doc.cache.dracoMeshes.get(key);
  if (mesh === undefined) {
    spendBytes(doc, bytes, where);
    mesh = decodeStream(decoder, stream, { vertexCount, attributes, bytes }, where);
    doc.cache.dracoMeshes.set(key, mesh);
  }
  // A strip is decoded to triangles, while its accessor counts the indices of the strip.
  if (mode === 4 && indexCount !== null && mesh.indices.length !== indexCount) {
    throw compressionError(
      `the stream has ${mesh.indices.length} indices, but the accessor declares ${indexCount}`,
      where,
    );
  }
  const { attributes: arrays, indices } = mesh;
  return {
    vertexCount,
    indices,
    attributes: new Map(names.map((name, i) => [name, { ...infos[i], array: arrays[i] }])),
  };
}

function insideAttributes(
  doc: GltfDocument,
  primitive: JsonObject,
  extension: JsonObject,
  pointer: string,
): { names: string[]; infos: AccessorInfo[]; ids: number[] } {
  const where = `${pointer}/extensions/${DRACO_EXTENSION}`;
  const inside = required(objectAt(extension, 'attributes', where), 'attributes', where);
  const attributes = required(objectAt(primitive, 'attributes', pointer), 'attributes', pointer);
  const names = Object.keys(inside).filter((name) => Object.hasOwn(attributes, name));
  if (names.length === 0) throw compressionError('it lists no attribute of the primitive', where);
  return {
    names,
    infos: names.map((name) => {
      const index = indexAt(attributes, name, `${pointer}/attributes`, doc.json, 'accessors');
      return accessorInfo(doc, required(index, name, `${pointer}/attributes`));
    }),
    ids: names.map((name) => required(integerAt(inside, name, `${where}/attributes`), name, `${where}/attributes`)),
  };
}

function hasPlainData(doc: GltfDocument, primitive: JsonObject, extension: JsonObject, pointer: string): boolean {
  const attributes = objectAt(primitive, 'attributes', pointer) ?? {};
  const inside = Object.keys(objectAt(extension, 'attributes', pointer) ?? {});
  const accessors = [
    indexAt(primitive, 'indices', pointer, doc.json, 'accessors'),
    ...inside.map((name) => indexAt(attributes, name, `${pointer}/attributes`, doc.json, 'accessors')),
  ].filter((index) => index !== undefined);
  return accessors.every((index) => Object.hasOwn(listItem(doc.json, 'accessors', index), 'bufferView'));
}

function decodeStream(decoder: DracoDecoder, stream: Uint8Array, request: DracoRequest, where: string): DracoMesh {
  let mesh: DracoMesh;
  try {
    mesh = decoder.decode(stream, request);
  } catch (error) {
    throw compressionError(error instanceof Error ? error.message : 'the decoder failed without a message', where);
  }
  const { indices, attributes } = mesh;
  for (const [i, { width }] of request.attributes.entries()) {
    if (attributes[i].length === width * request.vertexCount) continue;
    throw compressionError(
      `attribute ${i} has ${attributes[i].length} components, expected ${width * request.vertexCount}`,
      where,
    );
  }
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] < request.vertexCount) continue;
    throw compressionError(`index ${i} is ${indices[i]}, but the mesh has only ${request.vertexCount} vertices`, where);
  }
  return mesh;
}

function bytesOf(componentType: ComponentType): number {
  return ARRAYS[componentType].BYTES_PER_ELEMENT;
}
