/** Interfaces of the decoders that an application attaches to a document, and their error. */
import { FormatError } from '../../../core/report/format-error.ts';
import type { ComponentArray, ComponentType } from '../accessors/element-layout.ts';

/** The decoder that the package meshoptimizer exports as MeshoptDecoder. */
export interface MeshoptDecoder {
  /** Resolves when the decoder can be called. */
  readonly ready: Promise<void>;
  /** Decompresses `source` to `count` elements of `size` bytes each; throws when the source is damaged. */
  decodeGltfBuffer(
    target: Uint8Array,
    count: number,
    size: number,
    source: Uint8Array,
    mode: string,
    filter?: string,
  ): void;
}

/** The expected content of a Draco stream. */
export interface DracoRequest {
  /** Number of vertices. */
  readonly vertexCount: number;
  /** Attributes to decode. */
  readonly attributes: readonly {
    /** The unique id that the extension assigns. */
    readonly id: number;
    /** Type of the decoded components. */
    readonly componentType: ComponentType;
    /** Components per vertex. */
    readonly width: number;
  }[];
  /** Expected size of the result in bytes. The memory that a decoder may use is proportional to it. */
  readonly bytes: number;
}

/** A mesh decoded from a Draco stream. */
export interface DracoMesh {
  /** Three per triangle. */
  readonly indices: Uint32Array;
  /** Components of each requested attribute, in the order of the request. */
  readonly attributes: readonly ComponentArray[];
}

/** A decoder of Draco streams; `loadDracoDecoder` of anyrig/files creates one from the package draco3dgltf. */
export interface DracoDecoder {
  /** Decodes a stream; throws when it is damaged or does not match the request. Frees all its memory in either case. */
  decode(stream: Uint8Array, request: DracoRequest): DracoMesh;
}

export function compressionError(reason: string, pointer: string): FormatError {
  return new FormatError('GLTF_COMPRESSION', `${pointer} cannot be decompressed: ${reason}`, { pointer });
}
