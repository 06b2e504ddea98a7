import type { GltfDocument } from '../../../formats/gltf/document/document.ts';
import { attachDracoDecoder, hasDracoMeshes } from '../../../formats/gltf/document/draco.ts';

/**
 * Attaches a Draco decoder to a document with Draco-compressed meshes. Does nothing for other documents, or when the package `draco3dgltf` is not
 * installed.
 */
export async function attachDraco(document: GltfDocument): Promise<void> {
  if (document.cache.dracoDecoder !== null || !hasDracoMeshes(document)) return;
  const { loadDracoDecoder } = await import('./draco-decoder.ts');
  const decoder = await loadDracoDecoder();
  if (decoder !== null) attachDracoDecoder(document, decoder);
}
