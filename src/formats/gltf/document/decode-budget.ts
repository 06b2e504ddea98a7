import { FormatError } from '../../../core/report/format-error.ts';
import type { GltfDocument } from './document.ts';

/**
 * Counts bytes against the limits of a document. Call it before allocating. The count of decoded bytes of `doc` grows. Throws FormatError GLTF_LIMIT
 * when this allocation or the sum of all is too large.
 */
export function spendBytes(doc: GltfDocument, bytes: number, pointer: string): void {
  const { limits, cache } = doc;
  if (bytes > limits.accessorBytes || bytes > limits.decodedBytes - cache.decodedBytes) {
    const limit = bytes > limits.accessorBytes ? limits.accessorBytes : limits.decodedBytes;
    const message = `${pointer} needs ${bytes} bytes that are not in the file, which exceeds the limit of ${limit}`;
    throw new FormatError('GLTF_LIMIT', message, { pointer });
  }
  cache.decodedBytes += bytes;
}
