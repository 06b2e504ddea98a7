/**
 * Compressed buffer views: EXT_meshopt_compression and KHR_meshopt_compression. They are decompressed for reading and
 * left as they are in writing.
 */
import { FormatError } from '../../core/report/format-error.ts';
import { bufferId, type GltfDocument } from './document.ts';
import { spendBytes } from './limits.ts';
import { integerAt, isObject, type JsonObject, objectAt, required, stringAt } from './schema.ts';

const EXTENSIONS = ['EXT_meshopt_compression', 'KHR_meshopt_compression'] as const;

/** The decoder that the package meshoptimizer exports as MeshoptDecoder. */
export interface MeshoptDecoder {
  /** Settles when the decoder can be called. */
  readonly ready: Promise<void>;
  /** Decompresses `source` to `count` elements of `size` bytes; throws when the source is damaged. */
  decodeGltfBuffer(
    target: Uint8Array,
    count: number,
    size: number,
    source: Uint8Array,
    mode: string,
    filter?: string,
  ): void;
}

/** The extension object of a compressed view. */
export interface ViewCompression {
  readonly name: (typeof EXTENSIONS)[number];
  readonly object: JsonObject;
  readonly pointer: string;
}

/** Whether any buffer view is compressed, so that a decoder is wanted. Never throws. */
export function hasCompressedViews(doc: GltfDocument): boolean {
  const views = Object.hasOwn(doc.json, 'bufferViews') ? doc.json['bufferViews'] : undefined;
  if (!Array.isArray(views)) return false;
  return views.some((view) => {
    const extensions = isObject(view) && Object.hasOwn(view, 'extensions') ? view['extensions'] : undefined;
    return isObject(extensions) && EXTENSIONS.some((name) => Object.hasOwn(extensions, name));
  });
}

/** Gives the document the decoder; compressed views are then decompressed when they are first read. */
export async function attachDecoder(doc: GltfDocument, decoder: MeshoptDecoder): Promise<void> {
  await decoder.ready;
  doc.cache.decoder = decoder;
  doc.cache.accessors.clear();
}

/**
 * The compression of a view, undefined when it is plain. FormatError GLTF_SCHEMA or, with both extensions,
 * GLTF_COMPRESSION.
 */
export function compressionOf(view: JsonObject, pointer: string): ViewCompression | undefined {
  const extensions = objectAt(view, 'extensions', pointer);
  if (extensions === undefined) return undefined;
  let found: ViewCompression | undefined;
  for (const name of EXTENSIONS) {
    const object = objectAt(extensions, name, `${pointer}/extensions`);
    if (object === undefined) continue;
    if (found !== undefined) throw damaged('it has two compressions', pointer);
    found = { name, object, pointer: `${pointer}/extensions/${name}` };
  }
  return found;
}

/** Bytes of a view from its packed bytes, decompressed once. FormatError GLTF_COMPRESSION, GLTF_SCHEMA, GLTF_LIMIT. */
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
    throw damaged(`${count} elements of ${stride} bytes are not the ${length} bytes of the view`, pointer);
  }
  checkMode(mode, stride, count, filter, name, pointer);
  const key = [bufferId(doc, packed), packed.byteOffset, packed.length, stride, count, mode, filter].join();
  const known = doc.cache.decompressed.get(key);
  if (known !== undefined) return known;

  const decoder = doc.cache.decoder;
  if (decoder === null) {
    const message = `${viewPointer} is compressed with ${name}; install meshoptimizer and call attachDecoder`;
    throw new FormatError('GLTF_COMPRESSION', message, { pointer });
  }
  spendBytes(doc, length, pointer);
  const target = new Uint8Array(length);
  try {
    decoder.decodeGltfBuffer(target, count, stride, packed, mode, filter);
  } catch (error) {
    throw damaged(error instanceof Error ? error.message : 'the decoder failed', pointer);
  }
  doc.cache.decompressed.set(key, target);
  return target;
}

/** The table of allowed combinations in the texts of the extensions. */
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
      if (stride % 4 !== 0) throw damaged(`a stride of ${stride} is not a multiple of 4`, pointer);
      checkFilter(filter, stride, name, pointer);
      return;
    case 'TRIANGLES':
      if (count % 3 !== 0) throw damaged(`${count} indices are not whole triangles`, pointer);
      break;
    case 'INDICES':
      break;
    default:
      throw damaged(`its mode ${JSON.stringify(mode.slice(0, 40))} is unknown`, pointer);
  }
  if (stride !== 2 && stride !== 4) throw damaged(`indices take 2 or 4 bytes, not ${stride}`, pointer);
  if (filter !== 'NONE') throw damaged('indices have no filter', pointer);
}

function checkFilter(filter: string, stride: number, name: ViewCompression['name'], pointer: string): void {
  const fits =
    filter === 'NONE' ||
    filter === 'EXPONENTIAL' ||
    (filter === 'QUATERNION' && stride === 8) ||
    (filter === 'OCTAHEDRAL' && (stride === 4 || stride === 8)) ||
    (filter === 'COLOR' && name === 'KHR_meshopt_compression' && (stride === 4 || stride === 8));
  if (fits) return;
  throw damaged(`the filter ${JSON.stringify(filter.slice(0, 40))} does not go with a stride of ${stride}`, pointer);
}

function damaged(reason: string, pointer: string): FormatError {
  return new FormatError('GLTF_COMPRESSION', `${pointer} cannot be decompressed: ${reason}`, { pointer });
}
