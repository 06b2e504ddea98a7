import { FormatError } from '../../core/report/format-error.ts';
import type { GltfDocument } from './document.ts';

/** What a file may ask for at most. Small files can name huge counts: the limits keep them from filling the memory. */
export interface GltfLimits {
  /** Nesting of the JSON. */
  readonly jsonDepth: number;
  /** Bytes of one accessor or decompressed view that do not stand in the file as they are. */
  readonly accessorBytes: number;
  /** The sum of such bytes over one document. */
  readonly decodedBytes: number;
}

/** Far above every file met, far below the memory of a small machine. */
export const GLTF_LIMITS: GltfLimits = {
  jsonDepth: 512,
  accessorBytes: 256 * 2 ** 20,
  decodedBytes: 1024 * 2 ** 20,
};

/** Counts bytes that decoding makes. FormatError GLTF_LIMIT when they are too many for one or for all. */
export function spendBytes(doc: GltfDocument, bytes: number, pointer: string): void {
  const { limits, cache } = doc;
  if (bytes > limits.accessorBytes || bytes > limits.decodedBytes - cache.decodedBytes) {
    const limit = bytes > limits.accessorBytes ? limits.accessorBytes : limits.decodedBytes;
    const message = `${pointer} asks for ${bytes} bytes that are not in the file, past the limit of ${limit}`;
    throw new FormatError('GLTF_LIMIT', message, { pointer });
  }
  cache.decodedBytes += bytes;
}
