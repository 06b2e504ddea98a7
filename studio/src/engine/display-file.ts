/** The file that the stage shows for an opened file: a GLB with the same skeletons. */
import { type GltfFile, type OpenFile, serializeOutput } from 'anyrig/files';
import { concatParts } from 'anyrig/gltf';

/** What the stage shows of an opened file. */
export interface DisplayFile {
  /** The GLB as an opened file: skeletons and clips on its glTF nodes. */
  readonly file: GltfFile;
  /** Its bytes. */
  readonly bytes: Uint8Array;
}

/** Whether three.js reads the file without decoders that the page does not have. */
function isPlain(file: GltfFile): boolean {
  const required = file.document.json['extensionsRequired'];
  const canonical = file.asset.skeletons.some(({ isCanonicalRig }) => isCanonicalRig === true);
  return !canonical && !(Array.isArray(required) && required.includes('KHR_draco_mesh_compression'));
}

/** Serializes an opened glTF as a GLB with all that it references. */
async function serializeGlb(file: GltfFile): Promise<Uint8Array> {
  const { files } = await serializeOutput(file.document, file, { path: 'display.glb', format: 'glb' });
  return concatParts(files[files.length - 1].parts);
}

/**
 * Makes what the stage shows for a file: the file itself where it is a glTF that three.js reads, else a GLB that it is converted to.
 *
 * @param file An opened file.
 * @returns The GLB, opened.
 * @throws FormatError for meshes or images that cannot be read.
 */
export async function displayFile(file: OpenFile): Promise<DisplayFile> {
  if (file.format !== 'gltf' || !isPlain(file)) {
    // Most files are plain glTF: what converts the others is loaded when needed.
    return await (await import('./convert-to-glb.ts')).convertToGlb(file);
  }
  return { file, bytes: await serializeGlb(file) };
}
