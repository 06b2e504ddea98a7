/** The file that the stage shows for an opened file: a GLB with the same skeletons. */
import { convertFile, type GltfFile, geometryOf, type OpenFile, openBytes, serializeOutput } from 'anyrig/files';
import { joinParts } from './join-parts.ts';

/** What the stage shows of an opened file. */
export interface DisplayFile {
  /** The GLB as an opened file: skeletons and clips on its glTF nodes. */
  readonly file: GltfFile;
  /** Its bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Whether three.js reads the file without decoders that the page does not have. */
function isPlain(file: GltfFile): boolean {
  const required = file.document.json['extensionsRequired'];
  const canonical = file.asset.skeletons.some(({ isCanonicalRig }) => isCanonicalRig === true);
  return !canonical && !(Array.isArray(required) && required.includes('KHR_draco_mesh_compression'));
}

/** Serializes an opened glTF as a GLB with all that it references. */
async function serializeGlb(file: GltfFile): Promise<Uint8Array<ArrayBuffer>> {
  const { files } = await serializeOutput(file.document, file, { path: 'display.glb', format: 'glb' });
  return joinParts(files[files.length - 1].parts);
}

/** Converts a file to a GLB with everything that can be seen, and opens it. */
async function convertToGlb(file: OpenFile): Promise<DisplayFile> {
  const geometry = await geometryOf(file);
  const mesh = geometry !== null && geometry.geometry.instances.length > 0;
  const { outputs } = await convertFile(file, { output: 'display.glb', ...(mesh ? {} : { mesh }) });
  const last = outputs[outputs.length - 1];
  if (last === undefined) throw new Error(`${file.name} has nothing that can be shown: no mesh and no skeleton.`);
  const bytes = joinParts(last.parts);
  return { file: (await openBytes(bytes, { name: file.name })) as GltfFile, bytes };
}

/**
 * Makes what the stage shows for a file: the file itself where it is a glTF that three.js reads, else a GLB that it is converted to.
 *
 * @param file An opened file.
 * @returns The GLB, opened.
 * @throws FormatError for meshes or images that cannot be read.
 */
export async function displayFile(file: OpenFile): Promise<DisplayFile> {
  if (file.format !== 'gltf' || !isPlain(file)) return await convertToGlb(file);
  return { file, bytes: await serializeGlb(file) };
}
