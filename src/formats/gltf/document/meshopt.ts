/** EXT_meshopt_compression and KHR_meshopt_compression: compressed buffer views are decompressed for reading and written back unchanged. */
import { FormatError } from '../../../core/report/format-error.ts';
import { spendBytes } from './decode-budget.ts';
import { compressionError, type MeshoptDecoder } from './decoders.ts';
import { bufferId, type GltfDocument } from './document.ts';
import { integerAt, isObject, type JsonObject, objectAt, required, stringAt } from './json-access.ts';

const EXTENSIONS = ['EXT_meshopt_compression', 'KHR_meshopt_compression'] as const;

interface ViewCompression {
  readonly name: (typeof EXTENSIONS)[number];
  readonly object: JsonObject;
  readonly pointer: string;
}

/**
 * Tests whether any buffer view is compressed, so that reading needs a decoder. Never throws. Returns true if at least one buffer view uses one of
 * the extensions.
 */
export function hasCompressedViews(doc: GltfDocument): boolean {
  const views = Object.hasOwn(doc.json, 'bufferViews') ? doc.json['bufferViews'] : undefined;
  if (!Array.isArray(views)) return false;
  return views.some((view) => {
    const extensions = isObject(view) && Object.hasOwn(view, 'extensions') ? view['extensions'] : undefined;
    return isObject(extensions) && EXTENSIONS.some((name) => Object.hasOwn(extensions, name));
  });
}

/**
 * Attaches a meshopt decoder. Compressed views are then decompressed when they are first read.
 *
 * @param doc Document.
 * @param decoder Decoder, `MeshoptDecoder` of the package meshoptimizer.
 */
export async function attachMeshoptDecoder(doc: GltfDocument, decoder: MeshoptDecoder): Promise<void> {
  await decoder.ready;
  doc.cache.decoder = decoder;
  doc.cache.accessors.clear();
}

/**
 * Finds the compression extension of a view. Returns the extension; undefined when the view is not compressed. Throws FormatError GLTF_COMPRESSION
 * for a view with both extensions; GLTF_SCHEMA.
 */
export function compressionOf(view: JsonObject, pointer: string): ViewCompression | undefined {
  const extensions = objectAt(view, 'extensions', pointer);
  if (extensions === undefined) return undefined;
  let found: ViewCompression | undefined;
  for (const name of EXTENSIONS) {
    const object = objectAt(extensions, name, `${pointer}/extensions`);
    if (object === undefined) continue;
    if (found !== undefined)
      throw compressionError('it has two compression extensions, but only one is allowed', pointer);
    found = { name, object, pointer: `${pointer}/extensions/${name}` };
  }
  return found;
}

/**
 * Decompresses a view. The result is cached. Returns `byteLength` bytes; do not write to them. Throws FormatError GLTF_COMPRESSION without a
 * decoder and for damaged data; GLTF_SCHEMA, GLTF_LIMIT.
 */
export function decompressView(
  doc: GltfDocument,
  view: JsonObject,
  viewPointer: string,
  compression: ViewCompression,
  packed: Uint8Array,
): Uint8Array {
  const { object, pointer, name } = compression;
  const stride = required(integerAt(object, 'byteStride', pointer, 1), 'byteStride', pointer);
  const count = required(integerAt(object, 'count', pointer, 1), 'count', pointer);
  const mode = required(stringAt(object, 'mode', pointer), 'mode', pointer);
  const filter = stringAt(object, 'filter', pointer) ?? 'NONE';
  const length = required(integerAt(view, 'byteLength', viewPointer, 1), 'byteLength', viewPointer);
  if (stride > 256 || count > length || stride * count !== length) {
    throw compressionError(
      `${count} elements of ${stride} bytes do not match the ${length} bytes of the view`,
      pointer,
    );
  }
  checkMode(mode, stride, count, filter, name, pointer);
  const key = [bufferId(doc, packed), packed.byteOffset, packed.length, stride, count, mode, filter].join();
  const known = doc.cache.decompressed.get(key);
  if (known !== undefined) return known;

  const decoder = doc.cache.decoder;
  if (decoder === null) {
    const message = `${viewPointer} is compressed with ${name}. Install the package meshoptimizer and call attachMeshoptDecoder.`;
    throw new FormatError('GLTF_COMPRESSION', message, { pointer });
  }
  spendBytes(doc, length, pointer);
  const target = new Uint8Array(length);
  try {
    decoder.decodeGltfBuffer(target, count, stride, packed, mode, filter);
  } catch (error) {
    throw compressionError(error instanceof Error ? error.message : 'the decoder failed without a message', pointer);
  }
  doc.cache.decompressed.set(key, target);
  return target;
}

/** Checks the combination of mode, stride and filter against the table in the extension specifications. */
function checkMode(
  mode: string,
  stride: number,
  count: number,
  filter: string,
  name: ViewCompression['name'],
  pointer: string,
): void {
  switch (mode) {
    case 'ATTRIBUTES':
      if (stride % 4 !== 0)
        throw compressionError(`its stride is ${stride}, but attributes need a multiple of 4`, pointer);
      checkFilter(filter, stride, name, pointer);
      return;
    case 'TRIANGLES':
      if (count % 3 !== 0)
        throw compressionError(`it has ${count} indices, but triangles need a multiple of 3`, pointer);
      break;
    case 'INDICES':
      break;
    default:
      throw compressionError(
        `its mode is ${JSON.stringify(mode.slice(0, 40))}, expected ATTRIBUTES, TRIANGLES or INDICES`,
        pointer,
      );
  }
  if (stride !== 2 && stride !== 4)
    throw compressionError(`its stride is ${stride}, but indices have 2 or 4 bytes`, pointer);
  if (filter !== 'NONE') throw compressionError('it has a filter, which indices must not have', pointer);
}

function checkFilter(filter: string, stride: number, name: ViewCompression['name'], pointer: string): void {
  const fits =
    filter === 'NONE' ||
    filter === 'EXPONENTIAL' ||
    (filter === 'QUATERNION' && stride === 8) ||
    (filter === 'OCTAHEDRAL' && (stride === 4 || stride === 8)) ||
    (filter === 'COLOR' && name === 'KHR_meshopt_compression' && (stride === 4 || stride === 8));
  if (fits) return;
  throw compressionError(
    `the filter ${JSON.stringify(filter.slice(0, 40))} is not allowed with a stride of ${stride}`,
    pointer,
  );
}
