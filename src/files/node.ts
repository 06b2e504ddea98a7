/** `anyrig/files` in Node: the same as in browsers, and files on disk. */
import { type OpenFile, type OpenOptions, openBytes } from './open.ts';
import { readInput, resourceReader } from './read-input.ts';

export * from './index.ts';
export { OutputError, type OutputErrorCode } from './output-error.ts';
export { type PngImage, svgToPng } from './svg-to-png.ts';
export { type WriteFilesOptions, writeFiles } from './write-files.ts';

/** How a file on disk is to be opened. */
export interface OpenFileOptions extends Pick<OpenOptions, 'wantsClip'> {
  /** A folder whose files may be named too, as scenes of USD do with `../`. */
  readonly assetRoot?: string;
}

/**
 * Opens a file of any format that is read. Files that it names are read when they lie in its folder or below, or in `assetRoot` or below, also
 * after links were followed.
 *
 * @throws FormatError with a code and a place: `FILE_NOT_FOUND`, `FORMAT_UNKNOWN`, and those of the readers.
 */
export async function openFile(path: string, options: OpenFileOptions = {}): Promise<OpenFile> {
  const { assetRoot, ...others } = options;
  return openBytes(await readInput(path), { ...others, name: path, readResource: resourceReader(path, assetRoot) });
}
