/** Compresses the meshes of a GLB by Draco. */
import { NodeIO } from '@gltf-transform/core';
import { KHRDracoMeshCompression } from '@gltf-transform/extensions';
import draco3d from 'draco3dgltf';

/**
 * Compresses the meshes of a GLB.
 *
 * @param glb The GLB; extensions of other kinds are dropped.
 * @returns The compressed GLB.
 */
export async function dracoGlb(glb: Uint8Array): Promise<Uint8Array> {
  const encoder = await (draco3d as unknown as { createEncoderModule(): Promise<unknown> }).createEncoderModule();
  const io = new NodeIO().registerExtensions([KHRDracoMeshCompression]);
  io.registerDependencies({ 'draco3d.encoder': encoder });
  const document = await io.readBinary(glb);
  document.createExtension(KHRDracoMeshCompression).setRequired(true);
  return await io.writeBinary(document);
}
