import type { ReadResource } from '../../../core/asset/asset.ts';
import { loadResources } from '../../../formats/gltf/document/buffers.ts';
import { type GltfDocument, parseGltf } from '../../../formats/gltf/document/document.ts';
import { attachMeshoptDecoder, hasCompressedViews } from '../../../formats/gltf/document/meshopt.ts';

/**
 * Opens a glTF document: parses it, loads its external buffers, and attaches the meshopt decoder where needed and installed. Throws FormatError
 * when the document or a buffer cannot be read.
 */
export async function openDocument(bytes: Uint8Array, readResource?: ReadResource): Promise<GltfDocument> {
  const document = parseGltf(bytes);
  if (readResource !== undefined) await loadResources(document, readResource);
  if (hasCompressedViews(document)) {
    const { loadMeshoptDecoder } = await import('./meshopt-decoder.ts');
    const decoder = await loadMeshoptDecoder();
    if (decoder !== null) await attachMeshoptDecoder(document, decoder);
  }
  return document;
}
