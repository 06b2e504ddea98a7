/** Files of all supported formats, and whole jobs on them. `openFile` and `writeFiles` need Node; `openBytes` opens bytes in browsers too. */
import { readInput, resourceReader } from './node/read-input.ts';
import { type WriteFilesOptions, writeFilesSync } from './node/write-files.ts';
import { type OpenFile, type OpenOptions, openBytes } from './open.ts';
import type { OutputFile } from './outputs/output-file.ts';

export * from './index.ts';

// Draw and compare motions

export { svgToPng } from './node/svg-to-png.ts';

// Convert, define, extract and validate files

export { validateFile } from './node/validate-file.ts';

// Open and write files

/** How to open a file on disk. */
interface OpenFileOptions extends Pick<OpenOptions, 'wantsClip' | 'model'> {
  /** Another folder to read referenced files from, as USD scenes with `../` paths need. */
  readonly assetRoot?: string;
}

/**
 * Opens a file of any supported format from disk. Files that it references are read from its folder or from `assetRoot`, including subfolders;
 * symbolic links are resolved first. Node only: in browsers use `openBytes`.
 *
 * @param path Path of the file.
 * @param options Another folder for referenced files, and which clips to read.
 * @returns The file with its skeletons and clips.
 * @throws FormatError `FILE_NOT_FOUND`, `FORMAT_UNKNOWN` and the codes of the readers.
 * @example
 * const file = await openFile('avatar.vrm');
 * if (file.format === 'gltf') console.log(file.document.json['asset']);
 */
export async function openFile(path: string, options: OpenFileOptions = {}): Promise<OpenFile> {
  const { assetRoot, ...others } = options;
  return openBytes(await readInput(path), { ...others, name: path, readResource: resourceReader(path, assetRoot) });
}

/**
 * Writes all files or none: each goes to a temporary file in its folder, and once all are complete they are renamed in the given order. Put a file
 * after the files that it references. Referenced files that exist with the same content are left alone, and may be listed several times. Missing
 * folders are created. Existing files are replaced, never modified in place. Node only.
 *
 * @param files The files, the main output last.
 * @param options Whether to replace files, and which files were read.
 * @throws OutputError `OVERWRITE_REFUSED` for an existing file without `force`, or for a dependency that would replace an input; `CANNOT_WRITE`
 *   for folders, duplicates, and errors of the operating system.
 * @example
 * const { outputs } = await convertFile(await openFile('walk.fbx'), { output: 'walk.glb' });
 * await writeFiles(outputs, { force: true });
 */
export async function writeFiles(files: readonly OutputFile[], options: WriteFilesOptions = {}): Promise<void> {
  writeFilesSync(files, options);
}
