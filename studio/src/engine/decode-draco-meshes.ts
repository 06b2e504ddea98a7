/** Replaces meshes that are compressed by Draco with plain ones, for the stage, which has no decoder. */
import type { GltfDocument } from 'anyrig/gltf';
import { createAccessorPool } from '../../../src/formats/gltf/accessors/accessor-pool.ts';
import { decodeDraco } from '../../../src/formats/gltf/accessors/decode-draco.ts';
import { objectOf, objectsOf } from '../../../src/formats/gltf/document/loose-json.ts';
import { dropDraco, storeUncompressed } from '../../../src/formats/gltf/normalize/store-uncompressed.ts';

/** Decodes all compressed meshes of a document. Throws FormatError for damaged meshes. */
export function decodeDracoMeshes(doc: GltfDocument): void {
  const pool = createAccessorPool(doc);
  for (const [m, mesh] of objectsOf(doc.json, 'meshes').entries()) {
    for (const [p, primitive] of objectsOf(mesh, 'primitives').entries()) {
      const draco = decodeDraco(doc, primitive, `/meshes/${m}/primitives/${p}`);
      if (draco !== null) storeUncompressed(doc, pool, primitive, objectOf(primitive, 'attributes'), draco);
    }
  }
  dropDraco(doc);
}
