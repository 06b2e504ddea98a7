import type { MeshoptDecoder } from '../formats/gltf/meshopt.ts';

/**
 * The decoder of the optional package `meshoptimizer`; null where that is not installed: readers then take plain
 * copies of the data, or say what to install.
 */
export async function loadMeshoptDecoder(): Promise<MeshoptDecoder | null> {
  try {
    const { MeshoptDecoder } = await import('meshoptimizer/decoder');
    return MeshoptDecoder;
  } catch {
    return null;
  }
}
