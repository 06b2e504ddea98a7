import type { MeshoptDecoder } from '../../../formats/gltf/document/decoders.ts';

/**
 * Loads the decoder of the optional package `meshoptimizer`. Returns the decoder; null when the package is not installed. Readers then use the
 * uncompressed fallback or report the missing package.
 */
export async function loadMeshoptDecoder(): Promise<MeshoptDecoder | null> {
  try {
    const { MeshoptDecoder } = await import('meshoptimizer/decoder');
    return MeshoptDecoder;
  } catch {
    return null;
  }
}
