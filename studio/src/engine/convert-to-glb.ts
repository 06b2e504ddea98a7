/** Converts files that three.js does not read for the stage. */
import { convertFile, geometryOf, type OpenFile, openBytes } from 'anyrig/files';
import { concatParts } from 'anyrig/gltf';
import type { GltfFile } from '../../../src/files/open-file.ts';

/** Converts a file to a GLB with everything that can be seen, and opens it. Throws FormatError for meshes or images that cannot be read. */
export async function convertToGlb(file: OpenFile): Promise<GltfFile> {
  const geometry = await geometryOf(file);
  const rigs = file.asset.skeletons.filter(({ isCanonicalRig }) => isCanonicalRig === true);
  // The rig of humanoid clips gets nodes where it is all that the file has.
  const isRig = rigs.length === 1 && !geometry?.geometry.instances.length;
  const { outputs } = await convertFile(file, { output: 'display.glb', ...(isRig ? { mesh: false } : {}) });
  const last = outputs[outputs.length - 1];
  if (last === undefined) throw new Error(`${file.name} has nothing that can be shown: no mesh and no skeleton.`);
  return (await openBytes(concatParts(last.parts), { name: file.name })) as GltfFile;
}
