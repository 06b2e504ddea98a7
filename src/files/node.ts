/** `anyrig/files` in Node: opens paths with `openFile` and writes outputs with `writeFiles`. `openBytes` opens bytes, as in browsers. */
import { readInput, resourceReader } from './node/read-input.ts';
import { type OpenFile, type OpenOptions, openBytes } from './open.ts';

export * from './index.ts';
export { type PngImage, svgToPng } from './node/svg-to-png.ts';
export { validateFile } from './node/validate-file.ts';
export { type WriteFilesOptions, writeFiles } from './node/write-files.ts';

/** How to open a file on disk. */
export interface OpenFileOptions extends Pick<OpenOptions, 'wantsClip'> {
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
