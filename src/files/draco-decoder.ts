import type { DecoderModule } from 'draco3dgltf';
import type { DracoDecoder, DracoMesh, DracoRequest } from '../formats/gltf/draco.ts';
import { ARRAYS, type ComponentArray, type ComponentType } from '../formats/gltf/element-layout.ts';

/**
 * The decoder of the optional package `draco3dgltf`; null where that is not installed. Each call makes a new one: after
 * a damaged stream it may be of no more use, and what memory it took goes with it.
 */
export async function loadDracoDecoder(): Promise<DracoDecoder | null> {
  let module: DecoderModule;
  try {
    const { default: draco3d } = await import('draco3dgltf');
    module = await draco3d.createDecoderModule({ print: () => {}, printErr: () => {} });
  } catch {
    return null;
  }
  const memory = limitedMemory(module);
  let failed = false;
  return {
    decode(stream, request): DracoMesh {
      if (failed) throw new Error('the decoder broke down at another mesh of the file');
      memory.limit(request.bytes);
      try {
        return decodeMesh(module, stream, request);
      } catch (error) {
        // Neither comes from the code below: the module stopped half way, its memory is in no known state.
        failed = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
        throw failed ? new Error('the stream is damaged (the decoder broke down)') : error;
      }
    },
  };
}

/** Memory that decoding takes: for each byte that comes out of it, and besides. Far above what any file took. */
const WORKING_BYTES = 64;
const FREE_BYTES = 64 * 2 ** 20;

/** Streams of a few bytes can ask for gigabytes (google/draco#1169): the module is not given more than `limit` allows. */
function limitedMemory({ asm }: DecoderModule): { limit(bytes: number): void } {
  let most = FREE_BYTES;
  for (const memory of Object.values(asm)) {
    if (!(memory instanceof WebAssembly.Memory)) continue;
    const grow = memory.grow.bind(memory);
    memory.grow = (pages: number): number => {
      if (memory.buffer.byteLength + pages * 65_536 > most)
        throw new RangeError('A Draco stream asks for too much memory');
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
      throw new Error(`${mesh.num_points()} vertices are in it, its accessors have ${request.vertexCount}`);
    }
    const indices = new Uint32Array(3 * mesh.num_faces());
    copyOut(module, indices, (size, pointer) => decoder.GetTrianglesUInt32Array(mesh, size, pointer));
    const attributes = request.attributes.map(({ id, componentType, width }) => {
      const attribute = decoder.GetAttributeByUniqueId(mesh, id);
      if (attribute.ptr === 0) throw new Error(`there is no attribute ${id} in it`);
      const found = attribute.num_components();
      if (found !== width) throw new Error(`attribute ${id} in it has ${found} components, its accessor ${width}`);
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

/** Fills an array with what `read` writes into the memory of the module. */
function copyOut(
  module: DecoderModule,
  target: ComponentArray,
  read: (size: number, pointer: number) => boolean,
): void {
  const size = target.byteLength;
  const pointer = module._malloc(size);
  if (pointer === 0) throw new Error('it asks for too much memory');
  try {
    if (!read(size, pointer)) throw new Error('the stream has data of another type than its accessors');
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
