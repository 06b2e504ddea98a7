import { ARRAYS, type ComponentArray, type ComponentType } from '../../../formats/gltf/accessors/element-layout.ts';
import type { DracoDecoder, DracoMesh, DracoRequest } from '../../../formats/gltf/document/decoders.ts';
import type { DecoderModule } from './draco-module.ts';

/**
 * Loads a decoder of the optional package `draco3dgltf`. Every call creates a new one, because a damaged stream can leave a decoder unusable and
 * its memory is freed with it.
 *
 * @returns The decoder; null when the package is not installed.
 */
export async function loadDracoDecoder(): Promise<DracoDecoder | null> {
  try {
    const { default: draco3d } = await import('draco3dgltf');
    return createDracoDecoder(await draco3d.createDecoderModule({ print: () => {}, printErr: () => {} }));
  } catch {
    return null;
  }
}

export function createDracoDecoder(module: DecoderModule): DracoDecoder {
  const memory = limitMemory(module);
  let failed = false;
  return {
    decode(stream, request): DracoMesh {
      if (failed) throw new Error('the decoder failed at another mesh of the file');
      memory.limit(request.bytes);
      try {
        return decodeMesh(module, stream, request);
      } catch (error) {
        // These two come from inside the module, which stopped half-way with its memory in an unknown state.
        failed = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
        throw failed ? new Error('the stream is damaged (the decoder failed)') : error;
      }
    },
  };
}

/** Working memory per decoded byte, and a constant amount on top: far more than any real file needs. */
const WORKING_BYTES = 64;
const FREE_BYTES = 64 * 2 ** 20;

/** Caps the memory of the module: streams of a few bytes can request gigabytes (google/draco#1169). */
function limitMemory({ asm }: DecoderModule): { limit(bytes: number): void } {
  let most = FREE_BYTES;
  for (const memory of Object.values(asm)) {
    if (!(memory instanceof WebAssembly.Memory)) continue;
    const grow = memory.grow.bind(memory);
    memory.grow = (pages: number): number => {
      if (memory.buffer.byteLength + pages * 65_536 > most)
        throw new RangeError('A Draco stream requests too much memory');
      return grow(pages);
    };
  }
  return {
    limit(bytes): void {
      most = FREE_BYTES + WORKING_BYTES * bytes;
    },
  };
}

function decodeMesh(module: DecoderModule, stream: Uint8Array, request: DracoRequest): DracoMesh {
  const decoder = new module.Decoder();
  const mesh = new module.Mesh();
  try {
    const bytes = new Int8Array(stream.buffer, stream.byteOffset, stream.byteLength);
    const status = decoder.DecodeArrayToMesh(bytes, bytes.length, mesh);
    if (!status.ok() || mesh.ptr === 0) throw new Error(`the stream is damaged (${status.error_msg()})`);
    if (mesh.num_points() !== request.vertexCount) {
      throw new Error(`the stream has ${mesh.num_points()} vertices, its accessors have ${request.vertexCount}`);
    }
    const indices = new Uint32Array(3 * mesh.num_faces());
    copyOut(module, indices, (size, pointer) => decoder.GetTrianglesUInt32Array(mesh, size, pointer));
    const attributes = request.attributes.map(({ id, componentType, width }) => {
      const attribute = decoder.GetAttributeByUniqueId(mesh, id);
      if (attribute.ptr === 0) throw new Error(`the stream has no attribute ${id}`);
      const found = attribute.num_components();
      if (found !== width) throw new Error(`attribute ${id} has ${found} components, its accessor has ${width}`);
      const array = new ARRAYS[componentType](request.vertexCount * width);
      const type = dataType(module, componentType);
      copyOut(module, array, (size, pointer) =>
        decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, type, size, pointer),
      );
      return array;
    });
    return { indices, attributes };
  } finally {
    module.destroy(mesh);
    module.destroy(decoder);
  }
}

function copyOut(
  module: DecoderModule,
  target: ComponentArray,
  read: (size: number, pointer: number) => boolean,
): void {
  const size = target.byteLength;
  const pointer = module._malloc(size);
  if (pointer === 0) throw new Error('the stream requests too much memory');
  try {
    if (!read(size, pointer)) throw new Error('the component types of the stream differ from those of its accessors');
    new Uint8Array(target.buffer).set(module.HEAPU8.subarray(pointer, pointer + size));
  } finally {
    module._free(pointer);
  }
}

function dataType(module: DecoderModule, componentType: ComponentType): number {
  switch (componentType) {
    case 5120:
      return module.DT_INT8;
    case 5121:
      return module.DT_UINT8;
    case 5122:
      return module.DT_INT16;
    case 5123:
      return module.DT_UINT16;
    case 5125:
      return module.DT_UINT32;
    default:
      return module.DT_FLOAT32;
  }
}
