/** The bytes that the stage loads: a GLB without its clips, which the stage gets one by one, and without compressed meshes. */
import type { GltfFile } from '../../../src/files/open-file.ts';
import { serializeOutput } from '../../../src/files/outputs/serialize-output.ts';
import { copyDocument } from '../../../src/formats/gltf/document/copy-document.ts';
import { hasDracoMeshes } from '../../../src/formats/gltf/document/draco.ts';
import { concatParts } from '../../../src/formats/gltf/document/glb.ts';

/** Makes the bytes that the stage loads. Indices of nodes stay as they are. Throws FormatError for damaged meshes and missing files. */
export async function stageGlb(file: GltfFile): Promise<Uint8Array<ArrayBuffer>> {
  const shown = copyDocument(file.document);
  delete shown.json['animations'];
  if (hasDracoMeshes(shown)) (await import('./decode-draco-meshes.ts')).decodeDracoMeshes(shown);
  const { files } = await serializeOutput(shown, file, { path: 'display.glb', format: 'glb' });
  return Uint8Array.from(concatParts(files[files.length - 1].parts));
}
