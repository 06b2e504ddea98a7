/** Opens files of any supported format as assets. Runs in browsers and Node. */
import { ADAPTERS, adapterOf } from './adapters/adapters.ts';
import { detectAdapter } from './detect.ts';
import type { OpenFile, OpenOptions } from './open-file.ts';

export type { OpenFile, OpenOptions } from './open-file.ts';

/**
 * Opens the bytes of a file of any supported format: GLB, glTF, VRM 0.x, VRM 1.0, VRMA, BVH, FBX and USD. The format is detected by the content.
 * Works in browsers and Node; in Node, `openFile` opens a path.
 *
 * @param bytes The file.
 * @param options Name of the file, how to read referenced files, which clips to read.
 * @returns The file with its skeletons and clips. Narrow it by `format` to get the document.
 * @throws FormatError with a code and a location when the file cannot be read.
 * @example
 * const bytes = new Uint8Array(await (await fetch('avatar.vrm')).arrayBuffer());
 * const file = await openBytes(bytes, { name: 'avatar.vrm' });
 * console.log(file.asset.clips.map(({ name }) => name));
 */
export async function openBytes(bytes: Uint8Array, options: OpenOptions = {}): Promise<OpenFile> {
  return ADAPTERS[detectAdapter(bytes, options.name).format].open(bytes, options);
}

/**
 * Lists the referenced files that were read while opening a file.
 *
 * @param file An opened file.
 * @returns Paths relative to the folder of the file, with slashes.
 */
export function resourcesOf(file: OpenFile): string[] {
  return adapterOf(file).resources(file);
}
