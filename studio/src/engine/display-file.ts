/** The file that the stage shows for an opened file: a glTF with the same skeletons. */
import type { OpenFile } from 'anyrig/files';
import type { GltfFile } from '../../../src/files/open-file.ts';

/**
 * Makes what the stage shows for a file: the file itself where it is a glTF with the axes of its file, else a GLB that it is converted to.
 *
 * @throws FormatError for meshes or images that cannot be read.
 */
export async function displayFile(file: OpenFile): Promise<GltfFile> {
  const isPlain = file.format === 'gltf' && !file.asset.skeletons.some(({ isCanonicalRig }) => isCanonicalRig === true);
  if (isPlain) return file;
  // Most files are plain glTF: what converts the others is loaded when needed.
  return await (await import('./convert-to-glb.ts')).convertToGlb(file);
}
